"""Java and Kotlin: version, Maven or Gradle. Build files are searched, never run or parsed as XML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import MEDIUM, Fact
from memoracle.extensions.seats.scan.tree import ScanTree, words

NAME = "java"
GRADLE = ("build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle")
_MAVEN = re.compile(
    r"<(?:maven\.compiler\.(?:release|source|target)|java\.version|release)>\s*([\d.]{1,10})\s*</"
)
_IN_GRADLE = re.compile(
    r"JavaLanguageVersion\.of\(\s*(\d{1,3})\s*\)|jvmToolchain\(\s*(\d{1,3})\s*\)"
    r"|(?:source|target)Compatibility\s*=?\s*['\"]?(?:JavaVersion\.VERSION_)?([\d._]{1,10})"
)
_WRAPPER = re.compile(r"distributionUrl=.{0,200}?gradle-([\d.]{1,20})-")
_SPRING = re.compile(r"spring-boot|org\.springframework\.boot")


def sign(tree: ScanTree) -> str:
    """The file that shows this language is used."""
    return tree.first("pom.xml", *GRADLE)


def is_kotlin(tree: ScanTree) -> bool:
    """True when the build or the sources are Kotlin's."""
    said = tree.text("pom.xml") + "".join(map(tree.text, GRADLE[:2]))
    return "org.jetbrains.kotlin" in said or 'kotlin("' in said or tree.has_folder("src/main/kotlin")


def look(tree: ScanTree) -> Iterator[Fact]:
    """Version and build tools."""
    if tree.has("pom.xml"):
        source = tree.at("pom.xml")
        yield Fact(path=(NAME, "build_tool"), says="maven", source=source)
        if found := _MAVEN.search(tree.text("pom.xml")):
            yield Fact(path=(NAME, "version"), says=found[1], source=source)
        if tree.has("mvnw"):
            yield Fact(path=(NAME, "wrapper"), says="mvnw", source=tree.at("mvnw"))
    for file in GRADLE:
        if tree.has(file):
            yield Fact(path=(NAME, "build_tool"), says="gradle", source=tree.at(file))
        if found := _IN_GRADLE.search(tree.text(file)):
            version = next(filter(None, found.groups())).replace("_", ".")
            yield Fact(path=(NAME, "version"), says=words(version), source=tree.at(file))
    if tree.has("gradlew"):
        yield Fact(path=(NAME, "wrapper"), says="gradlew", source=tree.at("gradlew"))
    wrapper = "gradle/wrapper/gradle-wrapper.properties"
    if found := _WRAPPER.search(tree.text(wrapper)):
        yield Fact(path=(NAME, "gradle_version"), says=found[1], source=tree.at(wrapper))
    for file in ("pom.xml", *GRADLE[:2]):
        if _SPRING.search(tree.text(file)):
            yield Fact(path=(NAME, "frameworks"), says=["spring boot"], source=tree.at(file), trust=MEDIUM)
            return
