"""Reads a training script and says what keeps it from using the card. It never runs it."""
