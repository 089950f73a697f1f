"""The JSON in what a model wrote."""

import pytest

from memoracle.learn.ask_model import items_in


@pytest.mark.parametrize(
    "text",
    [
        '{"items":[1]}',
        '  \n{"items": [1], "note": "fine"}\n',
        '```json\n{"items":[1]}\n```',
        'Sure! Here is your JSON:\n{"items":[1]}\nLet me know {if} you need more.',
        '<think>maybe {"items":[2]} or so</think>\n{"items":[1]}',
        '{"thoughts": "none"} {"items":[1]}',
    ],
)
def test_one_answer_is_found_wherever_it_stands(text):
    """Prose, fences and thoughts around it do no harm."""
    assert items_in(text) == [1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot help with that.",
        '{"items":[{"id":1,"keep":true,"ki',
        '{"items": null}',
        '{"items": {"id": 1}}',
        '[{"items": 1}]',
        '{"items":[NaN]}',
        '{"items":[1]} or rather {"items":[2]}',
        '{"items":[' + "9" * 5_000 + "]}",
        '{"a":' * 50_000,
        "{" * 200_000,
        '{"items":' + "[" * 100_000,
        '<think>{"items":[1]}',
    ],
)
def test_anything_else_is_no_answer(text):
    """Cut off, of another shape, two answers, or made to hurt the reader."""
    assert items_in(text) is None
