"""casebook.saturation: random scores, their variance and its error, and the sweep."""

import numpy as np
import pytest

from casebook.attention import softmax
from casebook.saturation import (
    numerical_jacobian,
    sample_pairs,
    sample_scores,
    saturation_sweep,
    share_below,
    unit_rows,
    variance_with_error,
    weights_by_query,
)


@pytest.mark.parametrize("correlation, std", [(0.0, 1.0), (0.5, 1.0), (-1.0, 1.0), (0.0, 2.0)])
def test_random_pairs_have_the_moments_asked_for(correlation, std):
    rng = np.random.default_rng(0)
    q, k = sample_pairs(16, 20000, rng, std=std, correlation=correlation)
    assert q.shape == k.shape == (20000, 16)
    np.testing.assert_allclose([q.std(), k.std()], std, rtol=0.01)
    np.testing.assert_allclose((q * k).mean(), correlation * std**2, atol=0.03)


def test_scores_are_the_dot_products_of_the_pairs():
    q, k = sample_pairs(5, 3, np.random.default_rng(1), correlation=0.3)
    scores = sample_scores(5, 3, np.random.default_rng(1), correlation=0.3)
    np.testing.assert_allclose(scores, [a @ b for a, b in zip(q, k, strict=True)])


def test_the_standard_error_is_the_spread_of_the_estimates():
    draws = sample_scores(2, 4000 * 200, np.random.default_rng(2)).reshape(4000, 200)
    variances, errors = np.transpose([variance_with_error(draw) for draw in draws])
    np.testing.assert_allclose(variances.mean(), 2, rtol=0.01)
    np.testing.assert_allclose(np.sqrt((errors**2).mean()), variances.std(), rtol=0.06)


def test_the_variance_divides_by_n_minus_one():
    assert variance_with_error([1.0, 2.0, 3.0, 4.0])[0] == pytest.approx(5 / 3)


def test_the_derivative_by_the_query_equals_finite_differences():
    q, K = np.random.default_rng(3).normal(size=6), np.random.default_rng(4).normal(size=(5, 6))
    measured = numerical_jacobian(lambda query: softmax(K @ query * 0.4), q)
    np.testing.assert_allclose(weights_by_query(softmax(K @ q * 0.4), K, 0.4), measured, atol=1e-9)


def test_numerical_jacobian_of_a_matrix_is_the_matrix():
    matrix = np.arange(6.0).reshape(2, 3)
    measured = numerical_jacobian(lambda x: matrix @ x, np.ones(3))
    np.testing.assert_allclose(measured, matrix, atol=1e-8)


def test_the_sweep_tells_the_scalings_apart_and_agrees_at_width_one():
    medians = saturation_sweep([1, 256], np.random.default_rng(5), n_rows=200)
    first = np.array([table[0] for table in medians.values()])
    np.testing.assert_allclose(first, np.tile(first[0], (3, 1)))
    largest = {scaling: table[1, 0] for scaling, table in medians.items()}
    assert largest["none"] > 0.95 > 0.4 > largest["sqrt_d_k"] > 0.25 > largest["d_k"] > 1 / 8
    assert medians["none"][1, 2] < 0.05 < medians["sqrt_d_k"][1, 2]


def test_share_below_looks_at_the_size_without_the_sign():
    assert share_below(np.array([0.0, -5e-7, -1.0, 2.0])) == 0.5
    assert share_below(np.array([0.1, -0.3]), threshold=0.2) == 0.5


def test_unit_rows_keep_direction_and_bound_the_scores():
    X = np.random.default_rng(6).normal(0, 9, (4, 3, 7))
    unit = unit_rows(X)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=-1), 1)
    np.testing.assert_allclose(unit * np.linalg.norm(X, axis=-1, keepdims=True), X)


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="correlation is 1.5: expected a number from -1 to 1"):
        sample_pairs(4, 2, np.random.default_rng(0), correlation=1.5)
    with pytest.raises(ValueError, match="samples has 3 numbers: expected at least 4"):
        variance_with_error([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="X has a row of zeros"):
        unit_rows(np.zeros((2, 3)))
