"""Timing for benchmarks: competitors take turns, and medians are compared within one run."""

import statistics
import time


def take_turns(competitors, n_rounds, n_calls=1):
    """Return the median seconds a call of each competitor, all in the same noise.

    competitors: functions without arguments, by name. Each is called once before the clock starts.
    Returns: dict of seconds, in the order of ``competitors``.
    """
    seconds = {name: [] for name in competitors}
    for call in competitors.values():
        call()
    for _ in range(n_rounds):
        for name, call in competitors.items():
            started = time.perf_counter()
            for _ in range(n_calls):
                call()
            seconds[name].append((time.perf_counter() - started) / n_calls)
    return {name: statistics.median(values) for name, values in seconds.items()}
