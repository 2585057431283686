"""My training: what comes after the first success."""
