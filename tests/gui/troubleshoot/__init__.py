"""The Troubleshooting tab."""
