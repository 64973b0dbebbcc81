"""Parameters: any value reads back from its text and its JSON form, anything else is refused in one line."""

from __future__ import annotations

import json
import pickle
from typing import Any

from hypothesis import given, reject
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.parameter_kinds import Parameter, Totals, Whole, Word, Words, YesNo
from engine.parameter_tables import BonusCards, Contents, KeyWords, Minimums, Points
from engine.rules import PARAMETERS, FrozenMap, Rules, compile_rules


def values_of(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Normal values of a parameter, each allowed on its own."""
    match parameter:
        case Whole():
            numbers = st.integers(parameter.low, parameter.high)
            return st.none() | numbers if parameter.optional else numbers
        case YesNo():
            return st.booleans()
        case Word():
            return st.sampled_from(parameter.words)
        case Words():
            return st.sets(st.sampled_from(parameter.words)).map(parameter.check)
        case Totals():
            return st.lists(st.integers(parameter.low, parameter.high), min_size=1, max_size=16).map(tuple)
        case Points():
            number = st.integers(parameter.low, parameter.high)
            required = st.fixed_dictionaries(dict.fromkeys(parameter.required, number))
            free = st.dictionaries(st.sampled_from(parameter.keys), number)
            return st.tuples(free, required).map(lambda maps: parameter.check(maps[0] | maps[1]))
        case KeyWords():
            return st.dictionaries(st.sampled_from(parameter.keys), st.sampled_from(parameter.words)).map(
                parameter.check
            )
        case Minimums():
            return rows_of(st.integers(parameter.low, parameter.high))
        case Contents():
            return st.sampled_from(parameter.words) | rows_of(st.sampled_from(parameter.words))
        case BonusCards():
            counts = st.lists(st.integers(0, parameter.high), min_size=1, max_size=6).map(tuple)
            some = st.fixed_dictionaries({"counts": counts, "when": st.sampled_from(parameter.words[1:])})
            return some.map(FrozenMap) | st.just(parameter.default)
    raise AssertionError(parameter)


def rows_of(entries: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    rows = st.dictionaries(st.integers(-99_999, 1_000_000), entries, min_size=1, max_size=8)
    return rows.map(lambda table: tuple(sorted(table.items())))


PARAMETER = st.sampled_from(list(PARAMETERS.values()))
VALUED = PARAMETER.flatmap(lambda parameter: st.tuples(st.just(parameter), values_of(parameter)))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.binary(max_size=3)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner), max_leaves=6
)


@given(VALUED)
def test_a_value_reads_back_from_its_text_and_from_json(valued: tuple[Parameter, Any]) -> None:
    parameter, value = valued
    assert parameter.check(value) == value
    assert parameter.check(parameter.show(value)) == value
    assert parameter.check(json.loads(json.dumps(parameter.plain(value)))) == value
    assert hash(parameter.check(parameter.plain(value))) == hash(value)


@given(PARAMETER, ANYTHING)
def test_anything_given_becomes_a_normal_value_or_one_line_that_says_what_is_allowed(
    parameter: Parameter, thing: object
) -> None:
    try:
        value = parameter.check(thing)
    except BadInput as error:
        refusal: BadInput | None = error
    else:
        refusal = None
    if refusal:
        message = str(refusal)
        assert message.startswith(f"{parameter.name}=")
        assert message.endswith(f"; allowed: {parameter.allowed}")
        assert message.splitlines() == [message]
    else:
        assert parameter.check(value) == value
        assert parameter.check(parameter.show(value)) == value


@given(st.lists(VALUED, max_size=4))
def test_rules_read_back_from_their_dictionary_and_compare_by_content(changes: list[tuple[Parameter, Any]]) -> None:
    try:
        rules = Rules.from_dict({parameter.name: value for parameter, value in changes})
    except BadInput:
        reject()
    again = Rules.from_dict(json.loads(json.dumps(rules.as_dict())))
    assert again == rules
    assert hash(again) == hash(rules)
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert rules.differences(again) == {}
    assert compile_rules(again).tobytes() == compile_rules(rules).tobytes()
