"""The Setup tab: the road from detecting the card to training on it, page by page."""
