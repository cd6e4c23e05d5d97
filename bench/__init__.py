"""Benchmarks that compare; run with `make bench`."""
