"""Small widgets without a domain: labels, cards, lists, boxes to copy from."""
