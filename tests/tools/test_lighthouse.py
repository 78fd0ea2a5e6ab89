"""What is made of Lighthouse's reports. The program itself is not run here."""

import pytest

from tools.gates import lighthouse


def report(performance=0.97, seo=1.0, shift=0.0):
    marks = {"performance": performance, "accessibility": 1, "best-practices": 1, "seo": seo}
    numbers = {
        "cumulative-layout-shift": shift,
        "largest-contentful-paint": 2000,
        "total-blocking-time": 100,
    }
    audits = {name: {"numericValue": value, "score": 1} for name, value in numbers.items()}
    audits["meta-description"] = {"score": seo}
    return {
        "finalDisplayedUrl": "http://127.0.0.1/a.html",
        "audits": audits,
        "categories": {
            name: {
                "score": mark,
                "auditRefs": [{"id": "meta-description", "weight": 1}] * (name == "seo"),
            }
            for name, mark in marks.items()
        },
    }


def test_medians_of_several_runs():
    marks = lighthouse.summary([report(0.80), report(0.97, shift=0.5), report(0.95)])
    assert marks["performance"] == 95
    assert (marks["cls"], marks["lcp"], marks["tbt"]) == (0, 2, 0.1)
    assert lighthouse.too_low(marks) == []


def test_low_marks_are_named():
    bad = report(performance=0.89, seo=0.91)
    bad["audits"]["meta-description"]["score"] = 0
    assert lighthouse.too_low(lighthouse.summary([bad])) == [
        "performance 89, expected at least 90",
        "seo 91, expected at least 100",
    ]
    assert lighthouse.failed_audits(bad) == ["meta-description"]
    assert lighthouse.failed_audits(report()) == []


def test_mark_that_is_missing_is_an_error():
    with pytest.raises(RuntimeError, match="gives no mark for performance"):
        lighthouse.summary([report(performance=None)])


def test_missing_program_is_one_sentence(monkeypatch):
    monkeypatch.setattr(lighthouse.shutil, "which", lambda name: None)
    with pytest.raises(RuntimeError, match="lighthouse is not found"):
        lighthouse.measure("http://127.0.0.1/a.html")
