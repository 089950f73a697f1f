"""A year of somebody's conversations, made from a seed: mostly chatter, now and then something to remember.

Plain transcripts, one a day, twenty turns each, in English and Chinese. The same seed gives the same year.
"""

import json
import random
from datetime import UTC, datetime, timedelta

BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
TURNS = 20

CHATTER = (
    "ok thanks", "can you look at the failing test?", "好的，谢谢", "这个函数是做什么的？", "run it again please",
    "why is the build red?", "帮我看看这个报错", "looks good", "what does this regex do?", "继续",
    "Could you rename that variable?", "再跑一次测试", "hmm, not sure about this", "show me the diff", "明白了",
)  # fmt: skip
FOODS = "ramen tofu mango basil olives kimchi lentils papaya walnuts quinoa fennel pears".split()
FOODS_ZH = "饺子 豆腐 芒果 火锅 面条 汤圆 粽子 烤鸭 米粉 馄饨 月饼 包子".split()
CITIES = ("Boston", "Hangzhou", "Lisbon", "Oslo")
ALLERGY = "I'm allergic to peanuts"


def write_day(folder, number, *, seed=7):
    """The transcript of one day; its path. The last turn is said at 23:59."""
    day = BEGIN + timedelta(days=number)
    source = random.Random(seed * 10_000 + number)
    turns = [
        (day + timedelta(hours=8, minutes=30 * place), text)
        for place, text in enumerate(_said(number, source))
    ]
    turns[-1] = (day + timedelta(hours=23, minutes=59), late(number))
    path = folder / f"{day.date().isoformat()}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for at, text in turns:
            line = {"role": "user", "content": text, "timestamp": at.isoformat().replace("+00:00", "Z")}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path


def late(number):
    """What is said at 23:59 of a day."""
    return f"We decided to ship release {number} on the blue cluster."


def home(number):
    """Where the person lives on a day: they move every hundred days."""
    return CITIES[number // 100 % len(CITIES)]


def _said(number, source):
    said = [source.choice(CHATTER) for _ in range(TURNS)]
    if number == 0:
        said[3] = ALLERGY
    if number % 100 == 0:
        said[5] = f"I live in {home(number)}." if number == 0 else f"I moved to {home(number)}."
    if number % 3 == 0:
        said[7] = f"I really like {source.choice(FOODS)}."
    if number % 5 == 0:
        said[9] = f"我喜欢吃{source.choice(FOODS_ZH)}。"
    if number % 7 == 0:
        said[11] = "Tomorrow I have a dentist appointment at 3pm."
    return said
