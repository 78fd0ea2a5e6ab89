"""Measure speed against other libraries, by hand: ``python -m benchmarks [part ...]``.

    training   steps of casebook.training against PyTorch
    attention  one causal head against PyTorch
    retrieval  casebook.retrieval against scikit-learn and a BM25 library

    --threads N   how many threads each may use (1)

No test runs this: machines are noisy. Only the ratios within one run mean something. It
needs an environment of its own with the course's NumPy and the others:

    pip install torch==2.13.0 scikit-learn==1.9.1 bm25s==0.3.16 numpy==2.4.6
"""

import argparse
import importlib
import os

PARTS = ("training", "attention", "retrieval")
THREAD_SETTINGS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def main(arguments=None):
    """Run the parts named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("part", nargs="*", help="which; all if none is named")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.part) - set(PARTS))
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}: choose from {', '.join(PARTS)}")
    # NumPy reads these when it is imported, so the parts come after.
    os.environ.update(dict.fromkeys(THREAD_SETTINGS, str(options.threads)))
    for part in options.part or PARTS:
        importlib.import_module(f"benchmarks.{part}").run(options.threads)


if __name__ == "__main__":
    main()
