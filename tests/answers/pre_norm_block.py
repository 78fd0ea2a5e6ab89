"""Task 2 of exercise 06: a pre-norm block from four given functions."""

from tests.answers import right, wrong


@right
def in_two_lines(X, attend, think, norm_1, norm_2):
    X = X + attend(norm_1(X))
    return X + think(norm_2(X))


@right
def with_a_loop(X, attend, think, norm_1, norm_2):
    for sublayer, norm in ((attend, norm_1), (think, norm_2)):
        X = sublayer(norm(X)) + X
    return X


@right
def on_a_copy(X, attend, think, norm_1, norm_2):
    road = X.copy()
    road += attend(norm_1(road))
    road += think(norm_2(road))
    return road


@right
def all_in_one(X, attend, think, norm_1, norm_2):
    return (found := X + attend(norm_1(X))) + think(norm_2(found))


@right
def as_lists(X, attend, think, norm_1, norm_2):
    Y = X + attend(norm_1(X))
    return [(y + t).tolist() for y, t in zip(Y, think(norm_2(Y)), strict=True)]


@wrong("residual is missing: add X")
def without_residuals(X, attend, think, norm_1, norm_2):
    return think(norm_2(attend(norm_1(X))))


@wrong("residual is missing (feed-forward)")
def second_residual_forgotten(X, attend, think, norm_1, norm_2):
    X = X + attend(norm_1(X))
    return think(norm_2(X))


@wrong("residual is missing (attention)")
def first_residual_forgotten(X, attend, think, norm_1, norm_2):
    X = attend(norm_1(X))
    return X + think(norm_2(X))


@wrong("norm_1 is used twice")
def same_norm_twice(X, attend, think, norm_1, norm_2):
    X = X + attend(norm_1(X))
    return X + think(norm_1(X))


@wrong("both sublayers read X")
def side_by_side(X, attend, think, norm_1, norm_2):
    return X + attend(norm_1(X)) + think(norm_2(X))


@wrong("changes its input X in place")
def in_place(X, attend, think, norm_1, norm_2):
    X += attend(norm_1(X))
    X += think(norm_2(X))
    return X


@wrong("function", "brackets of a call")
def never_called(X, attend, think, norm_1, norm_2):
    return think


@wrong("entries differ")
def nobody_foresaw(X, attend, think, norm_1, norm_2):
    X = X + 0.5 * attend(norm_1(X))
    return X + 0.5 * think(norm_2(X))
