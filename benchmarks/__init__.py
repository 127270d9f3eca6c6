"""Benchmarks: one file a question. Each prints tables with ratios taken in one run; none is a timed test."""
