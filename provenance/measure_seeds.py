"""Train the model of chapter 07 from several seeds and measure each: by hand, a minute a seed.

python -m provenance.measure_seeds [seed ...]     0 to 5 unless named
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a second thread only burns time here

import numpy as np  # noqa: E402

from casebook.rag import (  # noqa: E402
    answer_all,
    index_of,
    library_questions,
    mean_probability_when_wrong,
    share_right,
    stems,
)
from casebook.retrieval import TfIdf, ranked_names  # noqa: E402
from casebook.training import Config, reading_accuracy, train_reader  # noqa: E402
from casebook.training.library import WORDS, documents  # noqa: E402

CONFIG = Config(n_words=len(WORDS))  # what train_reader trains
N_DOCUMENTS = (1, 2, 3, 4, 6)
EVERY, DROPPED = 20, 0.95  # steps between looks, and the accuracy that ends the landing


def measure(seed):
    """Return one row of numbers for a seed: dropped, reading, and answers to the library."""
    looks = {}

    def watch(step, parameters):
        if step % EVERY == 0:
            looks[step] = reading_accuracy(4, parameters, CONFIG, np.random.default_rng(7))

    parameters, _, _ = train_reader(seed, watch=watch)
    dropped = next((step for step, right in looks.items() if right >= DROPPED), None)
    reading = [
        reading_accuracy(n, parameters, CONFIG, np.random.default_rng(11), 1000)
        for n in N_DOCUMENTS
    ]
    return dropped, reading, answers((parameters, CONFIG))


def answers(reader):
    """Return, for known people and newcomers, right alone, sure when wrong, right with top 2."""
    questions, pages = library_questions(), documents()
    search = TfIdf(index_of(pages, stems), idf="plain")
    found = ranked_names(search, [question.text for question in questions], 2)
    rows = []
    for known in (True, False):
        group = [i for i, question in enumerate(questions) if bool(question.memory) == known]
        asked, truths = [questions[i] for i in group], [questions[i].answer for i in group]
        alone = answer_all(asked, [[]] * len(group), pages, reader)
        helped = answer_all(asked, [found[i] for i in group], pages, reader)
        right = share_right(alone, truths), share_right(helped, truths)
        rows.append((len(group), right, mean_probability_when_wrong(alone, truths)))
    return rows


def main(seeds):
    """Print a table, a row a seed."""
    print(
        "seed  95 % at step  right with 1, 2, 3, 4, 6 documents  "
        "known: alone, sure, top 2   newcomers: alone, sure, top 2"
    )
    for seed in seeds:
        dropped, reading, rows = measure(seed)
        shares = " ".join(f"{100 * share:5.1f}" for share in reading)
        people = "   ".join(
            f"{round(n * alone):2}/{n} {sure:.3f} {round(n * helped):2}/{n}"
            for n, (alone, helped), sure in rows
        )
        print(f"{seed:4}  {dropped!s:>12}  {shares}  {people}", flush=True)


if __name__ == "__main__":
    main([int(seed) for seed in sys.argv[1:]] or range(6))
