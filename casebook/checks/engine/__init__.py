"""What every check needs: running an answer, comparing it, naming the mistake, saying it."""
