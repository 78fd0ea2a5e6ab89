"""Task 1 of exercise 08: an inverted index, {term: {name: count}}."""

from collections import Counter, defaultdict

from tests.answers import right, wrong


@right
def with_setdefault(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for term in tokenise(text):
            postings = index.setdefault(term, {})
            postings[name] = postings.get(name, 0) + 1
    return index


@right
def with_counters(documents, tokenise):
    index = defaultdict(Counter)
    for name in documents:
        for term in tokenise(documents[name]):
            index[term][name] += 1
    return index


@right
def term_by_term(documents, tokenise):
    cut = {name: tokenise(text) for name, text in documents.items()}
    terms = {term for words in cut.values() for term in words}
    return {
        term: {name: words.count(term) for name, words in cut.items() if term in words}
        for term in terms
    }


@right
def in_another_order(documents, tokenise):
    index = {}
    for name, text in sorted(documents.items(), reverse=True):
        for term, count in sorted(Counter(tokenise(text)).items()):
            index[term] = {name: count, **index.get(term, {})}
    return dict(sorted(index.items()))


@right
def with_if_and_else(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for term in tokenise(text):
            if term not in index:
                index[term] = {}
            if name not in index[term]:
                index[term][name] = 0
            index[term][name] += 1
    return index


@wrong("counts once")
def only_presence(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for term in tokenise(text):
            index.setdefault(term, {})[name] = 1
    return index


@wrong("turned round")
def forward_index(documents, tokenise):
    return {name: dict(Counter(tokenise(text))) for name, text in documents.items()}


@wrong("overwrites the earlier ones")
def overwritten(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for term, count in Counter(tokenise(text)).items():
            index[term] = {name: count}
    return index


@wrong("text.split() stands in for tokenise")
def split_at_spaces(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for term, count in Counter(text.split()).items():
            index.setdefault(term, {})[name] = count
    return index


@wrong("came as int, no dict")
def frequency_alone(documents, tokenise):
    return dict(Counter(term for text in documents.values() for term in set(tokenise(text))))


@wrong("came as set, no dict")
def sets_of_names(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for term in tokenise(text):
            index.setdefault(term, set()).add(name)
    return index


@wrong("came as list, no dict")
def lists_of_pairs(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for term, count in Counter(tokenise(text)).items():
            index.setdefault(term, []).append((name, count))
    return index


@wrong("a number is asked for")
def positions(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for place, term in enumerate(tokenise(text)):
            index.setdefault(term, {}).setdefault(name, []).append(place)
    return index


@wrong("is no text")
def documents_by_number(documents, tokenise):
    index = {}
    for number, text in enumerate(documents.values()):
        for term, count in Counter(tokenise(text)).items():
            index.setdefault(term, {})[number] = count
    return index


@wrong("is no text")
def pairs_as_keys(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for term in tokenise(text):
            index[term, name] = index.get((term, name), 0) + 1
    return index


@wrong("all terms share one dict")
def shared_dict(documents, tokenise):
    terms = {term for text in documents.values() for term in tokenise(text)}
    index = dict.fromkeys(terms, {})
    for name, text in documents.items():
        for term, count in Counter(tokenise(text)).items():
            index[term][name] = count
    return index


@wrong("the index:", "in attic' is missing")
def stop_words(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for term, count in Counter(tokenise(text)).items():
            if term not in ("the", "a", "and"):
                index.setdefault(term, {})[name] = count
    return index


@wrong("changes its input documents")
def in_place(documents, tokenise):
    index = {}
    for name in documents:
        documents[name] = tokenise(documents[name])
        for term in documents[name]:
            postings = index.setdefault(term, {})
            postings[name] = postings.get(name, 0) + 1
    return index


@wrong("changes its input documents")
def emptied(documents, tokenise):
    index = {}
    while documents:
        name, text = documents.popitem()
        for term, count in Counter(tokenise(text)).items():
            index.setdefault(term, {})[name] = count
    return index


@wrong("KeyError")
def no_first_time(documents, tokenise):
    index = {}
    for name, text in documents.items():
        for term in tokenise(text):
            index[term][name] += 1
    return index


@wrong("beside a document without words", "IndexError")
def first_word_needed(documents, tokenise):
    index = {}
    for name, text in documents.items():
        terms = tokenise(text)
        index.setdefault(terms[0], {})[name] = 0
        for term, count in Counter(terms).items():
            index.setdefault(term, {})[name] = count
    return index


@wrong("gives different numbers when called twice")
def kept_between_calls(documents, tokenise, index={}):  # noqa: B006
    for name, text in documents.items():
        for term in tokenise(text):
            postings = index.setdefault(term, {})
            postings[name] = postings.get(name, 0) + 1
    return {term: dict(postings) for term, postings in index.items()}


@wrong("for two equal texts")
def name_looked_up_by_text(documents, tokenise):
    names = {}
    for name, text in documents.items():
        names.setdefault(text, name)
    return with_setdefault({names[text]: text for text in documents.values()}, tokenise)


@wrong("6:40", "is missing")
def letters_only(documents, tokenise):
    index = with_setdefault(documents, tokenise)
    return {term: postings for term, postings in index.items() if ":" not in term}
