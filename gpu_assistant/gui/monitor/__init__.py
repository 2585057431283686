"""The Monitor tab: what the cards are doing, and what that means."""
