"""One good notebook, good.md, and one way to spoil it for each thing that a gate must refuse."""
