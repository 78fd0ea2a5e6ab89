"""The scripts that made committed data, run by hand; each says at its head what it needs."""
