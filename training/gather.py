"""Put what may be learnt from into one folder.

    python -m training.gather CLONES MINILM TATOEBA CEDICT OUT

CLONES holds git clones, each in a folder OWNER+NAME (or OWNER+NAME/repo): thu-coai+ConvLab-2, ymcui+cmrc2018,
DRCKnowledgeTeam+DRCD, deepmind+xquad, Yale-LILY+QMSum, emorynlp+FriendsQA, HIT-SCIR+Molweni, kubernetes+website,
chrischute+squad; and those that `histories.json` names, at the commits that stand there.
MINILM is the folder of all-MiniLM-L6-v2, TATOEBA the English–Chinese sentence file (tab-separated, .gz or not),
CEDICT the dictionary file `cedict_ts.u8`.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from training import histories
from training.clones import Clone

_COMMENTED = re.compile(r"<!--\n(.*?)\n?-->[ \t]*\n(.*?)(?=\n\s*\n|\n<!--|\Z)", re.DOTALL)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_ENTRY = re.compile(r"(\S+) (\S+) \[[^\]]*\] /(.*)/")
_FILES = {
    "ymcui+cmrc2018": ("squad-style-data/cmrc2018_dev.json", "squad-style-data/cmrc2018_trial.json"),
    "DRCKnowledgeTeam+DRCD": ("DRCD_dev.json", "DRCD_test.json"),
    "deepmind+xquad": ("xquad.en.json", "xquad.zh.json"),
    "chrischute+squad": ("data/dev-v2.0.json",),
    "emorynlp+FriendsQA": ("dat/friendsqa_dev.json", "dat/friendsqa_tst.json"),
}


def services(clone: Clone, out: Path) -> None:
    """The dialogues of ConvLab-2 that stand there in both languages, without their annotations."""
    for name, inner, key in (
        ("crosswoz", "messages", "content"),
        ("crosswoz_en", "messages", "content"),
        ("multiwoz", "log", "text"),
        ("multiwoz_zh", "log", "text"),
    ):
        (out / name).mkdir(parents=True, exist_ok=True)
        for split in ("val", "test"):
            packed = zipfile.ZipFile(io.BytesIO(clone.read(f"data/{name}/{split}.json.zip")))
            whole = json.loads(packed.read(packed.namelist()[0]))
            plain = {own: {inner: [{key: turn[key]} for turn in one[inner]]} for own, one in whole.items()}
            with zipfile.ZipFile(out / name / f"{split}.json.zip", "w", zipfile.ZIP_DEFLATED) as packing:
                packing.writestr(f"{split}.json", json.dumps(plain, ensure_ascii=False))


def kubernetes(clone: Clone) -> Iterator[tuple[str, str]]:
    """Paragraphs of the documentation: the Chinese pages keep the English in comments before each."""
    for name in clone.names("content/zh-cn"):
        if name.endswith(".md"):
            for english, chinese in _COMMENTED.findall(clone.read(name).decode("utf-8", "replace")):
                if "```" in english + chinese or (":\n" in english and "title" in english):
                    continue
                one, other = _unmarked(english), _unmarked(chinese)
                other = re.sub(r"(?<=[\u4e00-\u9fff，。])\s+(?=[\u4e00-\u9fff])", "", other)
                fits = 15 < len(one) < 420 and 0.2 < len(other) / len(one) < 0.9
                if fits and len(_HAN.findall(other)) * 3 > len(other) and not _HAN.search(one):
                    yield one, other


def _unmarked(text: str) -> str:
    text = re.sub(r"\{\{[<%].*?[>%]\}\}", " ", text, flags=re.DOTALL)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\{#[^}]*\}", "", text)
    text = re.sub(r"(\*\*|`|^#+\s*|^>\s*|^\s*[-*]\s+|^\s*\d+\.\s+)", "", text, flags=re.MULTILINE)
    return re.sub(r"\s+", " ", text).strip()


def cedict(path: Path) -> Iterator[tuple[str, str]]:
    """Words of two characters and more with their first glosses."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#") and (found := _ENTRY.match(line)):
            _, simplified, glosses = found.groups()
            plain = [re.sub(r"\([^)]*\)|\[[^\]]*\]|\S*\|\S*", "", one).strip() for one in glosses.split("/")]
            kept = [
                one
                for one in plain
                if one
                and len(one) < 60
                and not re.search(r"variant of|surname|CL:|abbr\.|see |[\u4e00-\u9fff]", one)
            ]
            if kept and 2 <= len(simplified) <= 8:
                yield "; ".join(kept[:2]), simplified


def main(words: list[str]) -> None:
    """Make the folder."""
    clones, minilm, tatoeba, dictionary, out = map(Path, words)
    out.mkdir(parents=True, exist_ok=True)
    for name, paths in _FILES.items():
        for path in paths:
            (out / Path(path).name).write_bytes(Clone(clones, name).read(path))
    services(Clone(clones, "thu-coai+ConvLab-2"), out / "convlab")
    (out / "molweni.json").write_bytes(Clone(clones, "HIT-SCIR+Molweni").read("MRC(withDiscourse)/test.json"))
    (out / "qmsum").mkdir(exist_ok=True)
    meetings = Clone(clones, "Yale-LILY+QMSum")
    for split in ("train", "val", "test"):
        for name in meetings.names(f"data/ALL/{split}"):
            if name.endswith(".json"):
                (out / "qmsum" / Path(name).name).write_bytes(meetings.read(name))
    for name, found in (
        ("kubernetes", kubernetes(Clone(clones, "kubernetes+website"))),
        ("cedict", cedict(dictionary)),
    ):
        lines = "".join(f"{one}\t{other}\n" for one, other in dict.fromkeys(found))
        (out / f"{name}.txt").write_text(lines, encoding="utf-8")
    typed = [json.dumps(row, ensure_ascii=False) + "\n" for row in histories.rows(clones)]
    (out / "coding.jsonl").write_text("".join(typed), encoding="utf-8")
    print(f"{len(typed)} labelled turns of coding histories")
    raw = tatoeba.read_bytes()
    (out / "tatoeba.txt").write_bytes(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    (out / "minilm").mkdir(exist_ok=True)
    for name in ("config.json", "vocab.txt", "model.safetensors"):
        shutil.copy(minilm / name, out / "minilm" / name)


if __name__ == "__main__":
    main(sys.argv[1:])
