"""Train something small and prove where it ran."""
