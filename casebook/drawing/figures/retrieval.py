"""Figures of chapter 08: what a score is made of, what k does, where a reader looks, and pieces."""

import numpy as np

from casebook.drawing.figures.style import (
    BLUE,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PURPLE,
    SEQUENTIAL,
    ink_on,
    new_figure,
    set_margins,
)

LEAST = 0.005  # a smaller number would read 0.00, and is left out
GRID = {"edgecolors": MUTED, "linewidth": 0.5}
SPOKEN = {".": "full stop"}  # a dot turned on its side is no label
DASHES = ("-", "--", ":")


def score_parts(terms, names, parts):
    """Return a table that says how much each word of a question adds to a document's score.

    terms: n words. names: m documents, best first. parts: (m, n); a row's sum is its score.
    """
    parts = np.asarray(parts)
    scores = parts.sum(axis=1)
    table = np.column_stack([parts, scores])
    figure, axes = new_figure(height=1.45 + 0.45 * len(names))
    set_margins(figure, left=1.4, bottom=0.85, right=0.05)
    _cells(axes, table, "{:.2f}".format, highest=max(table.max(), LEAST))
    axes.axvline(len(terms), color=INK, linewidth=1.5)
    _name_axes(axes, [*terms, "score"], names, rotation=35)
    axes.set_title("word by word")
    most = [terms[row.argmax()] for row in parts]
    figure.alt = "Scores, and the word that adds most to each: " + "; ".join(
        f"{name} {score:.2f}, {word}" for name, score, word in zip(names, scores, most, strict=True)
    )
    figure.alt += "."
    return figure


def recall_and_accuracy(ks, recall, accuracy, closed_book):
    """Return two lines by the number of documents: what is found, and what is answered.

    ks, recall, accuracy: (n,), shares from 0 to 1. closed_book: accuracy without documents.
    """
    recall, accuracy = np.asarray(recall), np.asarray(accuracy)
    figure, (whole, close) = new_figure(height=5.2, n_rows=2, sharex=True)
    set_margins(figure, top=0.6, between=0.35)
    for panel in (whole, close):
        panel.plot(ks, recall, "--s", color=BLUE, label="right document is there")
        panel.plot(ks, accuracy, "-o", color=ORANGE, label="answer is right", zorder=3)
    whole.plot([0, ks[0]], [closed_book, accuracy[0]], ":", color=ORANGE)
    whole.plot(0, closed_book, "o", color=ORANGE, fillstyle="none")
    whole.set(ylim=(-0.05, 1.08), ylabel="share")
    lowest = min(recall.min(), accuracy.min())
    close.set(ylim=(lowest - 0.01, 1.01), ylabel="share, enlarged")
    close.set_xlabel("documents in the prompt (k)")
    close.set_xticks([0, *ks])
    whole.legend(loc="lower center", bbox_to_anchor=(0.46, 0.98), ncols=2, columnspacing=1)
    said = ", ".join(
        f"k = {k}: {found:.2f} found, {right:.2f} right"
        for k, found, right in zip(ks, recall, accuracy, strict=True)
    )
    figure.alt = f"Without documents {closed_book:.2f} are right. {said}."
    return figure


def reading_map(words, weights, n_documents):
    """Return where each head looks in a prompt, word by word and document by document.

    words: n words of a prompt that begins with documents of four words each, the last of
        them the verb that looks. weights: (n_heads, n), per cent are written.
    """
    weights = np.asarray(weights)
    n_heads, n_words = weights.shape
    heads = [f"head {head}" for head in range(n_heads)]
    figure, (top, bottom) = new_figure(height=4.4, n_rows=2, height_ratios=(1, 1))
    set_margins(figure, left=0.75, right=0.2, bottom=0.6, between=1.35)
    _cells(top, weights, lambda weight: f"{100 * weight:.0f}")
    _name_axes(top, [SPOKEN.get(word, word) for word in words], heads, rotation=90)
    top.set_title(f"from “{words[-1]}”, per cent")
    for document in range(1, n_documents + 1):
        top.axvline(4 * document, color=INK, linewidth=1.5)
    of_documents = weights[:, : 4 * n_documents].reshape(n_heads, n_documents, 4).sum(axis=-1)
    rest = 1 - of_documents.sum(axis=1)
    texts = [" ".join(words[4 * i : 4 * i + 4]) for i in range(n_documents)]
    _stacked(bottom, np.column_stack([of_documents, rest]), heads, [*texts, "the rest"])
    stops = [words[row.argmax()] for row in weights]
    shares = ", ".join(f"{share:.2f}" for share in of_documents[:, 0])
    figure.alt = (
        f"{n_heads} heads look back from {words[-1]!r}. Each looks most at "
        f"{', '.join(map(repr, stops))}. On the first document, {texts[0]!r}, lies {shares}."
    )
    return figure


def answer_bars(question, retrieved, values, probabilities, truth):
    """Return how likely each value is to be answered, below the documents that were found.

    question: text. retrieved: list of (sentence, score), may be empty. values: n words.
    probabilities: (n,). truth: number of the right value.
    """
    probabilities = np.asarray(probabilities)
    said = int(probabilities.argmax())
    figure, axes = new_figure(height=4.7)
    set_margins(figure, left=1.0, right=0.2, top=1.65)
    rows = np.arange(len(values))[::-1]
    colours = [MUTED] * len(values)
    colours[said] = ORANGE
    colours[truth] = GREEN
    axes.barh(rows, probabilities, color=colours)
    for row, probability in zip(rows, probabilities, strict=True):
        if probability >= LEAST:
            place = (4, 0)
            axes.annotate(
                f"{probability:.2f}",
                (probability, row),
                place,
                textcoords="offset points",
                va="center",
            )
    axes.set_yticks(rows, values)
    axes.set(xlim=(0, 1.15), xticks=[0, 0.5, 1], xlabel="probability")
    axes.spines["bottom"].set_bounds(0, 1)
    lines = [f"{score:.4f}  {sentence}" for sentence, score in retrieved] or ["no document"]
    figure.text(0.02, 0.98, "\n".join([question, *lines]), va="top")
    verdict = "right" if said == truth else f"wrong, it is {values[truth]}"
    found = "; ".join(sentence for sentence, _ in retrieved) or "no document"
    figure.alt = (
        f"{question} With {found}: {values[said]} with probability {probabilities[said]:.2f}, "
        f"{verdict}."
    )
    return figure


def piece_sizes(sizes, answered, found, n_words):
    """Return two panels by the size of pieces: answers in the prompt, and the prompt's length.

    sizes: (n,), in words. answered, n_words: overlap in words -> (n,), shares, and words.
    found: (n,), share of questions whose document is found, without overlap.
    """
    figure, (top, bottom) = new_figure(height=5.6, n_rows=2, sharex=True)
    set_margins(figure, top=0.85, between=0.4)
    top.plot(sizes, found, color=MUTED, marker="s", label="document found")
    looks = zip(answered, (ORANGE, BLUE, PURPLE), DASHES, strict=False)
    for overlap, colour, dash in looks:
        label = f"answer, overlap {overlap}"
        top.plot(sizes, answered[overlap], dash, color=colour, marker="o", label=label)
        bottom.plot(sizes, n_words[overlap], dash, color=colour, marker="o")
    top.set(ylim=(0, 1.05), ylabel="share of questions", xscale="log")
    bottom.set(ylim=(0, None), ylabel="words in the prompt", xlabel="words in a piece")
    bottom.set_xticks(sizes, [str(size) for size in sizes])
    bottom.minorticks_off()
    top.legend(loc="lower center", bbox_to_anchor=(0.43, 0.97), ncols=2, columnspacing=1)
    said = "; ".join(
        f"overlap {overlap}: {shares[0]:.2f} at {sizes[0]} words, {max(shares):.2f} at best"
        for overlap, shares in answered.items()
    )
    figure.alt = (
        f"The document is found for {min(found):.2f} to {max(found):.2f} of the questions at "
        f"every size. The answer stands in the prompt for fewer: {said}."
    )
    return figure


def _cells(axes, table, form, highest=1.0):
    """Draw numbers as cells, and write them in, but for those that round to 0.

    highest: the number that gets the full colour.
    """
    shades = np.round(np.clip(table / highest, 0, 1), 2)
    axes.pcolormesh(
        np.ma.masked_where(table < LEAST, shades), cmap=SEQUENTIAL, vmin=0, vmax=1, **GRID
    )
    for i, j in np.argwhere(table >= LEAST):
        axes.text(
            j + 0.5,
            i + 0.5,
            form(table[i, j]),
            ha="center",
            va="center",
            color=ink_on(SEQUENTIAL(shades[i, j])),
        )


def _name_axes(axes, columns, rows, rotation):
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns, rotation=rotation)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axes.tick_params(length=0)
    axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))  # the first row on top


def _stacked(axes, shares, rows, labels):
    """Draw a bar for each row of shares that sum to 1, cut into the named parts."""
    places = np.arange(len(rows))[::-1]
    left = np.zeros(len(rows))
    colours = (BLUE, ORANGE, PURPLE, GREEN)[: len(labels) - 1]
    for part, label, colour in zip(shares.T, labels, (*colours, "#80808060"), strict=True):
        axes.barh(places, part, left=left, color=colour, label=label)
        left = left + part
    axes.set_yticks(places, rows)
    axes.set(xlim=(0, 1), xlabel="share of the weight")
    axes.legend(loc="lower center", bbox_to_anchor=(0.42, 0.93), ncols=2, handlelength=0.9)
