"""Train the model of chapter 07 and store it: ``python -m provenance.make_reader``.

Chapters 08 and its exercise load what this writes, so that they need not train; chapter 07
trains anew and shows that it arrives at the same numbers.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a second thread only burns time here

import numpy as np  # noqa: E402

from casebook.training import save_checkpoint, train_reader  # noqa: E402
from tools.pipeline.layout import HERE  # noqa: E402


def main():
    """Write casebook/data/reader.npz, in float32."""
    parameters, config, losses = train_reader(seed=0)
    small = {name: array.astype(np.float32) for name, array in parameters.items()}
    path = HERE.root / "casebook" / "data" / "reader.npz"
    save_checkpoint(path, small, config, overwrite=True)
    print(f"{path.relative_to(HERE.root)}: loss {losses[0]:.4f} before, {losses[-1]:.4f} after")


if __name__ == "__main__":
    main()
