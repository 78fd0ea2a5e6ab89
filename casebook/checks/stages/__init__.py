"""Computations that several tasks share, cut into stages, and the mistakes made in them."""
