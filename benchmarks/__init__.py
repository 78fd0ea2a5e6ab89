"""Speed against other libraries, measured by hand: ``python -m benchmarks [part ...]``."""
