"""What a learner's own copies of the exercises need: made once, put back, opened elsewhere."""
