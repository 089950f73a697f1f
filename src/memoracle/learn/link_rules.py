"""What may be configured about links, and what is never a task however much it looks like one.

Pure: values and tables. The rules of a root come from its `component-patterns.toml`, those of a project from the file
of that name in the project's folder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from memoracle.model.value import value

SUFFIXES = ("Phasic", "Physics", "View", "Engine", "Layer", "Component")
"""What the names of components end with, unless a project says otherwise."""

_SUFFIX = re.compile(r"[A-Z][A-Za-z0-9]{1,39}")
_PREFIX = re.compile(r"[A-Z][A-Z0-9]{0,14}")


@value
class LinkRules:
    """The endings of components, and the prefixes of tasks that somebody registered."""

    suffixes: tuple[str, ...] = SUFFIXES
    prefixes: frozenset[str] = frozenset()


PLAIN = LinkRules()


def read_rules(table: Mapping[str, Any], base: LinkRules = PLAIN) -> LinkRules:
    """The rules of a parsed `component-patterns.toml`: missing ones come from `base`, invalid ones are ignored."""
    inner = table.get("components") or table.get("component")
    named = table.get("suffixes", inner.get("suffixes") if isinstance(inner, Mapping) else None)
    suffixes = _valid(named, _SUFFIX)
    return LinkRules(
        suffixes=tuple(dict.fromkeys(suffixes)) or base.suffixes,
        prefixes=base.prefixes | frozenset(_valid(table.get("task_prefixes"), _PREFIX)),
    )


def _valid(words: Any, pattern: re.Pattern[str]) -> list[str]:
    listed = words if isinstance(words, list) else []
    return [word for word in listed if isinstance(word, str) and pattern.fullmatch(word)]


# Standards, ciphers, encodings, models, machines, calendars, licences: names that end in a number and are no task.
NEVER_TASKS = frozenset(
    """
    UTF UCS ISO IEC IEEE ANSI ASCII ECMA ES RFC BCP PEP JEP JSR CVE CWE GHSA CAPEC NIST FIPS SOC SOX HIPAA GDPR PCI DSS
    DIN GB GBK BIG CP WINDOWS WIN LATIN KOI EUC SHIFT BASE
    SHA MD CRC AES DES RSA DSA ECDSA ED DH HMAC BLAKE ARGON SCRYPT BCRYPT CHACHA POLY X P SECP WPA WEP TLS SSL OAUTH
    SAML HTTP HTTPS HTML CSS XHTML XML JSON YAML TOML SQL TCP UDP IP IPV IPSEC DNS SMTP IMAP POP FTP SSH USB HDMI DP
    PCIE SATA NVME DDR LPDDR GDDR LTE WIFI BT RS CAT
    GPT LLAMA CLAUDE GEMINI QWEN MISTRAL BERT ROBERTA CLIP BM TOP GLM DEEPSEEK YOLO RESNET VGG CIFAR MNIST IMAGENET
    SQUAD COCO BLEU ROUGE FP INT BF UINT
    MP H AV VP HEVC AVC AAC JPEG PNG WEBP GIF BMP TIFF PDF
    AVX SSE NEON RISCV LLVM GCC RHEL SHAKE RIPEMD CMAC STREEBOG SM KECCAK
    RTX GTX GT RX TPU GPU CPU ARM AMD X86 IA CUDA PS XBOX IPHONE IPAD MAC PIXEL GALAXY BOEING AIRBUS APOLLO FALCON
    COVID SARS MERS HIV HPV IL CD VITAMIN OMEGA SPF PM
    UTC GMT EST EDT CST CDT MST MDT PST PDT BST CET CEST JST IST
    JAN FEB MAR APR MAY JUN JUL AUG SEP SEPT OCT NOV DEC MON TUE WED THU FRI SAT SUN Q1 Q2 Q3 Q4 FY CY H1 H2 YEAR WEEK
    DAY BSD MIT GPL LGPL AGPL MPL EPL APACHE CC CC0 BY
    ERROR ERR EXIT CODE STATUS PORT LINE PAGE ROOM GATE LEVEL STEP PART CHAPTER SECTION FIG FIGURE TABLE VERSION VER
    V REV NO XS XL XXL AA AAA CR LR ISBN ISSN TEL FAX EXT PHONE ZIP BOX
    """.split()
)

# Products and hosts that are spelled like a file.
NEVER_FILES = frozenset(
    """
    node.js vue.js next.js nuxt.js react.js express.js three.js d3.js ember.js backbone.js chart.js moment.js angular.js
    knockout.js p5.js alpine.js solid.js discord.js underscore.js require.js electron.js svelte.js preact.js nest.js
    meteor.js babylon.js socket.js total.js hapi.js koa.js polymer.js handlebars.js mustache.js leaflet.js paper.js
    tensorflow.js brain.js ml5.js fabric.js pixi.js highlight.js bun.sh get.sh docs.rs lib.rs/crates whoosh.io
    """.split()
)

EXTENSIONS = frozenset(
    """
    tsx ts py md toml sh json yaml yml sql js
    jsx mjs cjs jsonl go rs java kt rb php swift cpp hpp cs css scss html txt csv xml ini cfg conf lock proto ipynb vue
    bat ps1 tf gradle lua ex exs scala
    """.split()
)
