"""Private variants of the assignments, with other numbers, words and seeds."""
