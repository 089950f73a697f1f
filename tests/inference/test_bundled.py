"""The model in the package computes what it computed where it was trained, on numpy alone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from memoracle.errors import EmbedderUnavailable, WeightsMismatch
from memoracle.inference.api import EmbeddingKind, Utterance
from memoracle.inference.bundled import WEIGHTS, open_embedder, open_reranker, open_tagger, verify
from memoracle.inference.tensors import open_tensors

from .texts import ALL, ENGLISH

# As torch computed them from the same weights; `training.weights.write_reference` writes it.
REFERENCE = json.loads((Path(__file__).parent / "reference.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def reader():
    return open_reranker()


@pytest.fixture(scope="module")
def tagger():
    return open_tagger()


def said(use):
    """What the file of a use says of itself."""
    return open_tensors(os.path.join(WEIGHTS, f"{use}.safetensors")).metadata


# The files


def test_the_weights_are_those_that_were_packed():
    """Every byte of the files, by the digests they carry; the reference was made from the same."""
    verify()
    assert {use: said(use)["digest"] for use in REFERENCE["digests"]} == REFERENCE["digests"]


def test_other_bytes_are_found_out(tmp_path):
    """One byte changed, far behind the header, or in it."""
    for place in (-1, 3000):
        folder = shutil.copytree(WEIGHTS, tmp_path / str(place))
        with open(folder / "read.safetensors", "r+b") as file:
            file.seek(place, os.SEEK_END if place < 0 else os.SEEK_SET)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
        with pytest.raises((WeightsMismatch, EmbedderUnavailable)):
            verify(str(folder))


def test_a_use_made_for_other_words_is_refused(tmp_path):
    """Its ids would mean other words."""
    folder = shutil.copytree(WEIGHTS, tmp_path / "weights")
    raw = (folder / "read.safetensors").read_bytes()
    (folder / "read.safetensors").write_bytes(raw.replace(said("embed")["digest"].encode(), b"0" * 64))
    with pytest.raises(EmbedderUnavailable, match="another table of words"):
        open_reranker(str(folder))


def test_the_name_carries_version_bytes_and_dims(embedder):
    """Vectors of other weights can never be taken for these."""
    own = said("embed")
    assert embedder.name == f"memoracle-{own['version']}@{own['digest'][:8]}:384"


def test_an_absent_file_is_said_plainly(tmp_path):
    """Without weights the embedder is unavailable, and says where it looked."""
    with pytest.raises(EmbedderUnavailable, match="nowhere"):
        open_embedder(str(tmp_path / "nowhere"))


def test_opening_imports_no_framework():
    """A question costs numpy and the standard library: no package of models, no server, no loop, no hashing."""
    code = (
        "import sys; from memoracle.inference.bundled import open_embedder;"
        "open_embedder().embed(['hi']);"
        "heavy={'torch','transformers','tokenizers','onnxruntime','asyncio','importlib.metadata','urllib.request',"
        "'concurrent.futures','hashlib'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert found.stdout.strip() == "[]"


# Embedding


def test_vectors_equal_the_reference(embedder):
    """The first numbers of each vector, English, Chinese, mixed, empty and too long."""
    found = embedder.embed([one["text"] for one in REFERENCE["embed"]])[:, :8]

    np.testing.assert_allclose(found, [one["vector"] for one in REFERENCE["embed"]], atol=1e-3)


def test_a_vector_does_not_depend_on_its_neighbours(embedder):
    """A text embedded alone, in a batch and in a reversed batch gets one vector."""
    together = embedder.embed(ALL)
    backwards = embedder.embed(ALL[::-1])[::-1]
    alone = np.concatenate([embedder.embed([text]) for text in ALL])

    assert min((together * backwards).sum(1).min(), (together * alone).sum(1).min()) > 0.999999


def test_several_threads_change_nothing(embedder):
    """Two workers give the rows of one, in the same order; each has its own scratch buffer."""
    texts = [f"{text} {number}" for number in range(12) for text in ENGLISH]
    found = open_embedder(workers=2).embed(texts)

    np.testing.assert_allclose(found, embedder.embed(texts), atol=1e-5)


def test_rows_are_unit_float32(embedder):
    """Every row has length 1, whatever the text: empty, endless, or not text at all."""
    found = embedder.embed(["", "   ", "word " * 2000, "\ud800\x00", *ALL])

    assert (found.dtype, found.shape[1], found.flags.c_contiguous) == (np.float32, 384, True)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_rows(embedder, reader, tagger):
    """An empty batch has the right width; nothing read and nothing tagged is nothing."""
    assert (embedder.embed([]).shape, reader.score("who?", []), tagger.tag([])) == ((0, 384), [], [])


def test_kinds_are_embedded_alike(embedder):
    """This model knows no prefixes: a question and a passage of the same words are one vector."""
    np.testing.assert_array_equal(
        embedder.embed(["tea"], EmbeddingKind.QUERY), embedder.embed(["tea"], EmbeddingKind.PASSAGE)
    )


def test_one_space_for_both_languages(embedder):
    """A sentence is nearer to its translation than to another sentence of its own language."""
    english = embedder.embed(["My mother comes to Shanghai next month.", "I am allergic to peanuts."])
    chinese = embedder.embed(["妈妈下个月来上海。", "我对花生过敏。"])

    assert (english @ chinese.T).argmax(axis=1).tolist() == [0, 1]
    assert (english @ chinese.T).diagonal().min() > float(english[0] @ english[1])


# Reading


def test_logits_equal_the_reference(reader):
    """Long and short, with and without a turn before, dated and not; all passages of a question together."""
    for question in {one["question"]: None for one in REFERENCE["read"]}:
        asked = [one for one in REFERENCE["read"] if one["question"] == question]
        found = reader.score(question, [Utterance(**one["passage"]) for one in asked])
        np.testing.assert_allclose(found, [one["logit"] for one in asked], atol=1e-3)


def test_logits_of_changes_equal_the_reference(reader):
    """Both languages, with and without a speaker, one too long; all pairs together."""
    for question in {one["question"]: None for one in REFERENCE["change"]}:
        asked = [one for one in REFERENCE["change"] if one["question"] == question]
        pairs = [(Utterance(**one["old"]), Utterance(**one["new"])) for one in asked]
        found = reader.changes(pairs, question)
        np.testing.assert_allclose(found, [one["logit"] for one in asked], atol=1e-3)
    assert reader.changes([]) == []


def test_a_passage_is_read_as_far_as_asked(reader):
    """What stands behind the last token that is wanted changes nothing."""
    short, long = (Utterance(text="tea " * times, who="Mei", when="2026-01-01") for times in (40, 90))

    few = reader.score("who drinks tea?", [short, long], tokens=20)
    many = reader.score("who drinks tea?", [short, long])
    assert few[0] == pytest.approx(few[1], abs=1e-5)
    assert many[0] != pytest.approx(many[1], abs=1e-5)


def test_a_passage_is_never_read_past_the_positions_there_are(reader):
    """Question, turn before and passage at their longest."""
    endless = Utterance(text="tea " * 3000, who="Mei", when="2026-01-01", before="milk " * 3000)
    assert len(reader.score("tea " * 500, [endless], tokens=10_000)) == 1


# Tagging


def test_tags_equal_the_reference(tagger):
    """Probabilities, labels and the characters of the claims, in any script, alone and together."""
    turns = [Utterance(**one["turn"]) for one in REFERENCE["tag"]]
    alone = [tagger.tag([turn])[0] for turn in turns]
    for found, single, one in zip(tagger.tag(turns), alone, REFERENCE["tag"], strict=True):
        says = one["says"]
        assert [found.keep, single.keep] == pytest.approx([says["keep"]] * 2, abs=1e-3)
        assert_same(found.stance, says["stance"])
        spans = [claim["span"] for claim in says["claims"]]
        assert [[list(claim.span) for claim in each.claims] for each in (found, single)] == [spans, spans]
        for claim, said in zip(found.claims, says["claims"], strict=True):
            for head in ("kind", "about", "until"):
                assert_same(getattr(claim, head), said[head])


def assert_same(found, said):
    """The label of the reference, with its probability."""
    label, probability = said
    assert (found.label, found.probability) == (label, pytest.approx(probability, abs=1e-3))


def test_claims_are_cut_out_of_the_text(tagger):
    """Whole characters, one claim after the other, nothing outside, six at most."""
    for text in [*ALL, "I live in Oslo, I am 40, I hate tea, I work at Initech and I have a dog. " * 4]:
        spans = [claim.span for claim in tagger.tag([Utterance(text=text)])[0].claims]
        assert 1 <= len(spans) <= 6
        assert spans == sorted(spans)
        assert all(0 <= start < end <= len(text) for start, end in spans)


def test_a_text_without_a_word_holds_no_claim(tagger):
    """Nothing is nothing."""
    assert tagger.tag([Utterance(text="")])[0].claims == ()


def test_several_threads_read_and_tag_alike(reader, tagger):
    """Order and numbers are those of one thread."""
    many = [Utterance(text=f"{text} {number}", who="Mei") for number in range(8) for text in ALL]
    assert open_reranker(workers=2).score("tea?", many) == pytest.approx(reader.score("tea?", many), abs=1e-4)
    spans = [
        [[claim.span for claim in one.claims] for one in own.tag(many)]
        for own in (open_tagger(workers=2), tagger)
    ]
    assert spans[0] == spans[1]
