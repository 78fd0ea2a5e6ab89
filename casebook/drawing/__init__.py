"""Figures, sliders and their digests: arrays in, drawings out; no model is known here."""
