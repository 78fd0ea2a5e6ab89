"""Task 4 of exercise 08: the prompt in the words that the reader was trained on."""

from tests.answers import right, wrong


def _ended(text):
    return text if text.endswith(".") else text + " ."


@right
def joined(question, found, documents):
    texts = [_ended(documents[name]) for name, _ in found]
    return " ".join([*texts, "question:", question, "answer:"])


@right
def piece_by_piece(question, found, documents):
    prompt = ""
    for name, _ in found:
        prompt += documents[name]
        if not documents[name].endswith("."):
            prompt += " ."
        prompt += " "
    return f"{prompt}question: {question} answer:"


@right
def word_by_word(question, found, documents):
    words = []
    for pair in found:
        words += documents[pair[0]].split()
        if words[-1] != ".":
            words.append(".")
    return " ".join(words + ["question:"] + question.split() + ["answer:"])


@right
def stops_renewed(question, found, documents):
    texts = [documents[name].rstrip(" .") + " . " for name, score in found]
    return "".join(texts) + "question: " + question + " answer:"


@wrong("question comes first")
def question_first(question, found, documents):
    texts = [_ended(documents[name]) for name, _ in found]
    return " ".join(["question:", question, "answer:", *texts])


@wrong("a full stop is missing")
def texts_as_they_are(question, found, documents):
    return " ".join([*(documents[name] for name, _ in found), "question:", question, "answer:"])


@wrong("question: and answer: are missing")
def bare(question, found, documents):
    return " ".join([*(_ended(documents[name]) for name, _ in found), question])


@wrong("the documents are missing")
def closed_book(question, found, documents):
    return f"question: {question} answer:"


@wrong("names of documents stand there")
def names(question, found, documents):
    return " ".join([*(_ended(name) for name, _ in found), "question:", question, "answer:"])


@wrong("line break")
def on_lines(question, found, documents):
    texts = [_ended(documents[name]) for name, _ in found]
    return "\n".join([*texts, f"question: {question}", "answer:"])


@wrong("ends with a space")
def space_at_the_end(question, found, documents):
    return joined(question, found, documents) + " "


@wrong("when nothing is found", "begins with a space")
def space_at_the_start(question, found, documents):
    texts = " ".join(_ended(documents[name]) for name, _ in found)
    return f"{texts} question: {question} answer:"


@wrong("two spaces in a row")
def two_spaces(question, found, documents):
    texts = "".join(_ended(documents[name]) + "  " for name, _ in found)
    return f"{texts}question: {question} answer:"


@wrong("repeated for each document")
def asked_again_and_again(question, found, documents):
    asked = f"question: {question} answer:"
    return " ".join(f"{_ended(documents[name])} {asked}" for name, _ in found) or asked


@wrong("came as list: one text")
def list_of_words(question, found, documents):
    texts = [_ended(documents[name]) for name, _ in found]
    return [*texts, "question:", question, "answer:"]


@wrong("the prompt: 'context:' should not be there")
def nobody_foresaw(question, found, documents):
    return "context: " + joined(question, found, documents)


@wrong("when nothing is found", "IndexError")
def needs_a_document(question, found, documents):
    best = documents[found[0][0]]
    rest = [_ended(documents[name]) for name, _ in found[1:]]
    return " ".join([_ended(best), *rest, "question:", question, "answer:"])


@wrong("changes its input found")
def emptied(question, found, documents):
    texts = []
    while found:
        texts.append(_ended(documents[found.pop(0)[0]]))
    return " ".join([*texts, "question:", question, "answer:"])


@wrong("changes its input documents")
def library_rewritten(question, found, documents):
    for name, _ in found:
        documents[name] = _ended(documents[name])
    texts = [documents[name] for name, _ in found]
    return " ".join([*texts, "question:", question, "answer:"])


@wrong("prints its answer")
def printed(question, found, documents):
    print(joined(question, found, documents))


@wrong("'what' is missing, and 'What' should not be there")
def capitalised(question, found, documents):
    return joined(question.capitalize(), found, documents)
