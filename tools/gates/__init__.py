"""What must hold of code, notebooks and pages; each module says how to call it."""
