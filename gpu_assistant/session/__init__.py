"""Where the user is on the road."""
