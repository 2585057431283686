"""The Monitor tab."""
