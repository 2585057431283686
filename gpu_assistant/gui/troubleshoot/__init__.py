"""The Troubleshooting tab: an error goes in, the cause and the fix come out."""
