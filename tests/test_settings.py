"""Where the root is, and what its settings say."""

import pytest

from memoracle.errors import BadSetting, MemoracleError, NoRoot
from memoracle.resolve import default_root, find_root
from memoracle.settings import Settings, load_settings


@pytest.fixture
def places(tmp_path):
    """A folder with a root above it, a home, and a folder with no root at all."""
    project = tmp_path / "project"
    (project / "deep" / "down").mkdir(parents=True)
    (project / "memoracle.toml").write_text("")
    (tmp_path / "home").mkdir()
    return tmp_path


def resolve(places, *, flag=None, environment=None, start="project/deep/down"):
    found = find_root(flag, environment or {}, start=str(places / start), home=str(places / "home"))
    return found.removeprefix(f"{places}/")


@pytest.mark.seed("C-10", "F-37")
@pytest.mark.parametrize(
    ("flag", "environment", "start", "found"),
    [
        ("/elsewhere", {"MEMORACLE_ROOT": "/named"}, "project/deep/down", "/elsewhere"),
        (None, {"MEMORACLE_ROOT": "/named"}, "project/deep/down", "/named"),
        (None, {}, "project/deep/down", "project"),
        (None, {}, "project", "project"),
        (None, {}, "home", "home/.local/share/memoracle"),
        (None, {"XDG_DATA_HOME": "/data"}, "home", "/data/memoracle"),
        (None, {"MEMORACLE_ROOT": ""}, "home", "home/.local/share/memoracle"),
    ],
)
def test_one_resolver(places, flag, environment, start, found):
    """Flag, then variable, then the nearest ancestor that holds a root, then the per-user default."""
    assert resolve(places, flag=flag, environment=environment, start=start) == found


def test_the_nearest_ancestor_wins(places):
    """A root inside a root is its own."""
    (places / "project/deep/memoracle.toml").write_text("")
    assert resolve(places) == "project/deep"


def test_relative_names_are_made_whole(places, monkeypatch):
    """A relative flag counts from where the call is made."""
    monkeypatch.chdir(places)
    assert resolve(places, flag="project") == "project"


def test_the_default_follows_the_desktop_standard():
    """Data belongs in XDG_DATA_HOME when it is set."""
    assert default_root({}, home="/home/a") == "/home/a/.local/share/memoracle"


def loaded(folder, toml="", **environment):
    (folder / "memoracle.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
    return load_settings(str(folder), environment)


@pytest.mark.seed("S0.111")
def test_every_setting_has_a_default(tmp_path):
    """An empty file means the defaults, and each says so."""
    origins = loaded(tmp_path)
    assert (origins.settings, set(origins.sources.values())) == (Settings(), {"default"})


@pytest.mark.seed("S0.042", "S0.043", "S0.044")
def test_the_numbers_of_the_seeds_are_the_defaults():
    """Boost 0.3, search floor 0.15, archive below 0.05."""
    chosen = Settings()
    assert (chosen.recall_boost, chosen.search_floor, chosen.archive_below) == (0.3, 0.15, 0.05)


@pytest.mark.seed("S0.110", "S2.105")
def test_the_other_numbers_of_the_seeds_are_the_defaults_too():
    """Half-lives, caps, retentions, the hot file, the summary's trigger and the model's budget."""
    chosen = Settings()
    lives = (chosen.half_life_fact, chosen.half_life_belief, chosen.half_life_summary)
    assert lives == (87.0, 10.0, 28.0)
    assert (chosen.max_active, chosen.summary_trigger, chosen.llm_daily_tokens) == (10_000, 3, 20_000)
    assert (chosen.session_retention_days, chosen.hot_lines, chosen.hot_tokens) == (30, 200, 2_000)


@pytest.mark.seed("S0.111")
def test_a_variable_goes_before_the_file(tmp_path):
    """Each value knows where it came from."""
    origins = loaded(tmp_path, "limit = 5\nsearch_floor = 0.2\n", MEMORACLE_LIMIT="7")
    path = str(tmp_path / "memoracle.toml")
    assert (origins.settings.limit, origins.settings.search_floor) == (7, 0.2)
    assert (origins.sources["limit"], origins.sources["search_floor"]) == ("MEMORACLE_LIMIT", path)


@pytest.mark.parametrize(
    "toml",
    [
        "no_such_setting = 1",
        "[table]\nx = 1",
        "limit = 0",
        "limit = -1",
        "limit = 2.5",
        "limit = true",
        "limit = 99999999999999999999999",
        "limit = 'ten'",
        "search_floor = 'low'",
        "search_floor = -0.1",
        "search_floor = 1.5",
        "search_floor = nan",
        "recall_boost = inf",
        "half_life_fact = 0",
        "half_life_fact = inf",
        "half_life_note = 1e300",
        "lock_timeout = inf",
        "layout = 5",
        "actor = ['a']",
        "this is not toml",
        b"\xff\xfe",
        b"layout = '\xff'",
    ],
)
def test_a_wrong_setting_is_an_error_that_says_where(tmp_path, toml):
    """Unknown names, impossible values, files that are no TOML."""
    with pytest.raises(BadSetting) as caught:
        loaded(tmp_path, toml)
    assert "memoracle.toml" in str(caught.value)


def test_a_wrong_variable_is_named(tmp_path):
    """The error points at the variable, not at the file."""
    with pytest.raises(BadSetting, match="MEMORACLE_LIMIT"):
        loaded(tmp_path, "", MEMORACLE_LIMIT="ten")


@pytest.mark.parametrize("name", ["007", "1e5", "nan"])
def test_a_name_may_look_like_a_number(tmp_path, name):
    """A variable for a name is taken as it is written."""
    assert loaded(tmp_path, "", MEMORACLE_ACTOR=name).settings.actor == name


def test_no_model_is_the_default(tmp_path):
    """And the file may say so; numbers may stand there too."""
    chosen = loaded(tmp_path, 'llm = "none"\nllm_daily_tokens = 900\n').settings
    assert (Settings().llm, chosen.llm, chosen.llm_daily_tokens) == ("none", "none", 900)


@pytest.mark.parametrize(
    "named", ["http://elsewhere.example/v1#m", "https://x/v1#m", "command:curl evil.example", "other"]
)
def test_a_file_that_came_with_a_clone_names_no_model(tmp_path, named):
    """Neither where words are sent nor what is run can be chosen by the memory's own file."""
    with pytest.raises(BadSetting):
        loaded(tmp_path, f'llm = "{named}"\n')


def test_a_model_that_is_none_of_the_three_is_an_error(tmp_path):
    """Which does not repeat it: an address may hold a password."""
    with pytest.raises(BadSetting, match="MEMORACLE_LLM") as caught:
        loaded(tmp_path, "", MEMORACLE_LLM="ftp://me:hidden@host/v1")
    assert "hidden" not in str(caught.value)


def test_no_settings_file_means_no_root(tmp_path):
    """A folder without one is not a memory."""
    with pytest.raises(NoRoot):
        load_settings(str(tmp_path), {})


def test_settings_that_cannot_be_read_are_an_error_of_ours(tmp_path):
    """A folder in place of the file, or a file nobody may read, is said in one sentence."""
    (tmp_path / "memoracle.toml").mkdir()
    with pytest.raises(MemoracleError):
        load_settings(str(tmp_path), {})


@pytest.mark.seed("S3.006")
def test_a_design_has_a_hot_file_of_its_own_size(tmp_path):
    """Sixty lines in v4, unless its owner chose another number."""
    for text, lines in (('layout = "v4"\n', 60), ('layout = "v4"\nhot_lines = 90\n', 90), ("", 200)):
        (tmp_path / "memoracle.toml").write_text(text)
        assert load_settings(str(tmp_path), {}).settings.hot_lines == lines
