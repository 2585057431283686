"""Watch the card."""
