"""Addresses as file names: readable, no two alike, none too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.store.layouts import resolve
from memoracle.store.projected import LONGEST, flat
from support.layouts import LAYOUTS

ADDRESSES = st.text(
    st.sampled_from("ab_/:+%.-é漢 A") | st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40
)


@pytest.mark.seed("S1.122")
@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("projects/arena/decision/foo", "projects__arena__decision__foo"),
        ("entity:taskid:ARENA-228", "entity++taskid++ARENA-228"),
    ],
)
def test_plain_addresses_look_as_they_always_did(address, name):
    """What an older tool wrote for them is the same name."""
    assert flat(address) == name


@pytest.mark.seed("F-35")
def test_names_that_used_to_collide():
    """A slash, two underscores and their mixtures are kept apart."""
    addresses = ["a/b", "a__b", "a_/b", "a/_b", "a//b", "a:b", "a++b", "a+b", "a%2Fb"]
    assert len({flat(one) for one in addresses}) == len(addresses)


@pytest.mark.seed("F-35")
@given(one=ADDRESSES, other=ADDRESSES)
def test_no_two_addresses_share_a_name(one, other):
    """Whatever stands in them."""
    assert (flat(one) == flat(other)) == (one == other)


@pytest.mark.seed("F-35", "S1.121")
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=2500))
def test_any_address_is_a_file_name_of_the_layout(address):
    """However long and strange it is."""
    path = resolve(LAYOUTS["clawseat"], "links", flat=flat(address))
    assert (path.startswith("_links/"), len(flat(address).encode()) <= LONGEST) == (True, True)


@pytest.mark.seed("F-35")
def test_long_addresses_that_begin_alike_stay_apart():
    """Two thousand characters of a web address fit, and the last one counts."""
    long = "entity:url:https://example.com/" + "x" * 2000
    assert flat(long + "a") != flat(long + "b")
