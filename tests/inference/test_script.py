"""A chunk goes to the space that can read it."""

import pytest

from memoracle.inference.api import Space, space_of

MULTILINGUAL = [
    "我喜欢喝咖啡。",
    "我用 Docker 部署 nginx",
    "把 PostgreSQL 从 15 升级到 16，然后 restart the service",
    "東京で会いましょう。",
    "ｶﾀｶﾅ",
    "저는 커피를 좋아합니다.",
    "Привет, как дела? Мы используем Docker.",
    "مرحبا، كيف حالك؟",
    "สวัสดีครับ",
    "Wie setze ich mein Passwort zurück?",
    "¿Cómo está el servidor y por qué se cayó?",
    "Nous avons décidé de migrer la base pour le client",
    "Hoe is het met de server, ik zie dat niet",
]
ENGLISH = [
    "How do I reset my password?",
    "The Chinese word 你好 means hello, and people use it every day.",
    "def fuse(rankings, *, k=60): return sorted(rankings)",
    "Los Angeles trip",
    "Our café in Zürich serves naïve résumés",
    "We met Maria de la Cruz at the office on Monday",
    "nginx error 502",
    "12:30 → 14:00 🙂",
    "",
]


@pytest.mark.parametrize("text", MULTILINGUAL)
def test_multilingual(text):
    """Other scripts, mixed Chinese, and Latin languages that are not English."""
    assert space_of(text) is Space.MULTILINGUAL


@pytest.mark.parametrize("text", ENGLISH)
def test_english(text):
    """English with foreign names in it, code, numbers, and nothing at all."""
    assert space_of(text) is Space.ENGLISH


def test_a_long_text_is_judged_by_its_start():
    """The cost does not grow without end."""
    assert space_of("plain words in English and so on. " * 200 + "我" * 10_000) is Space.ENGLISH
