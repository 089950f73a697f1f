"""Texts in many scripts, shared by the tests of embedders."""

from itertools import product

ENGLISH = (
    "How do I reset my password?",
    "The deployment of nginx failed at 03:12 because the disk was full.",
    "Alice prefers oat milk in her coffee.",
    'user@example.com wrote: "don\'t panic!" (see https://example.org/a?b=c&d=e#f)',
    "def fuse(rankings, *, k=60): return sorted(rankings)",
    "antidisestablishmentarianism résumé naïve café",
)
CHINESE = (
    "我喜欢喝咖啡。",
    "我用 Docker 部署 nginx",
    "上周二下午四点我们讨论了数据库迁移的方案",
    "這個專案的截止日期是下週五",
    "他的电话号码是 13800138000，请尽快联系。",
    "全角ＡＢＣ１２３　空格",
)
JAPANESE = (
    "東京で会いましょう。",
    "データベースの移行について何を決めましたか？",
    "ｶﾀｶﾅ半角",
    "昨日、彼は病院へ行きました。",
)
KOREAN = (
    "저는 커피를 좋아합니다.",
    "데이터베이스 마이그레이션에 대해 무엇을 결정했나요?",
    "내일 서울에서 만나요",
)
GERMAN = (
    "Wie setze ich mein Passwort zurück?",
    "Straße, Öl, Übermut und Größe",
    "Ich trinke gern Kaffee mit Milch.",
)
OTHER = (
    "Привет, как дела?",
    "مرحبا، كيف حالك؟",
    "สวัสดีครับ",
    "¿Cómo estás?",
    "Zażółć gęślą jaźń",
    "🙂 ok ½ ﬁ",
    "x\ty\nz",
)
ALL = ENGLISH + CHINESE + JAPANESE + KOREAN + GERMAN + OTHER
MANY = (*ALL, *(f"{a} {b}" for a, b in product(ALL[::2], ALL[1::3])))
