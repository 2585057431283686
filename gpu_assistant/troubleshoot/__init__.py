"""From evidence to fixes."""
