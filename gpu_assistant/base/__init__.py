"""Words without a domain: jobs, children, lines, messages, paths, settings."""
