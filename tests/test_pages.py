"""Pages: Markdown word for word, HTML as a parser and as a browser see it, lessons that add up."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections import Counter
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from console import sessions

import mjasp
from bench.hands import losing_hands, won_hands
from mjasp import resources
from mjasp.cli import main
from mjasp.engine import Engine
from mjasp.lesson import Lesson
from mjasp.render import rendered
from mjasp.render.compare import compare_document
from mjasp.render.lesson import lesson_dict
from mjasp.render.tiles_svg import symbols, tile_svg
from mjasp.rulesets import shipped
from mjasp.scoring import Score
from mjasp.tiles import Tile
from mjasp.words import Words

PAGES = sorted((Path(__file__).parent / "golden" / "pages").glob("*.txt"))
HAND = "(1111c) 555b E [GGG] [234d] f2 s3 +E wall seat:E round:E"
WHOLE = "EE SS 11b 99c RR GG Wh +Wh discard f4 f2 seat:N round:E rules:bmja"
NO_WIN = "[GGG] 123456b 55c 12d +5d discard seat:E round:E"
HANDS = (HAND, WHOLE, NO_WIN, "111222333b 45c 11d +3c", "19b 19c 19d ESWN RGWh f4 rules:majiang")
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
VOID = frozenset({"circle", "ellipse", "meta", "path", "rect", "use"})


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_markdown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for (_, *arguments), printed in sessions(file.read_text(encoding="utf-8")):
        main(arguments)
        captured = capsys.readouterr()
        assert captured.err + captured.out == printed


@pytest.mark.parametrize("hand", HANDS)
def test_tables_of_markdown_line_up(hand: str) -> None:
    told = [mjasp.score(hand).explain("markdown"), mjasp.lesson(hand).explain("markdown", "fr")]
    for text in told:
        tables = re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE)
        assert tables
        for table in tables:
            rows = table.splitlines()
            assert len(set(map(len, rows))) == 1
            assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1


# ---- HTML


class Page(HTMLParser):
    """What a page holds; parsing fails where an element is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.elements: Counter[str] = Counter()
        self.classes: Counter[str] = Counter()
        self.labels: list[str | None] = []
        self.marked = text.count("<g><rect")
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.elements[tag] += 1
        self.classes.update((told.get("class") or "").split())
        if told.get("id"):
            self.ids.append(str(told["id"]))
        if told.get("href"):
            self.links.append(str(told["href"]))
        if told.get("class") == "tile":
            assert told["role"] == "img"
            self.labels.append(told["aria-label"])
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag


def pages() -> list[tuple[str, str]]:
    """Pages of all kinds, by name."""
    found = []
    for number, hand in enumerate(HANDS):
        found.append((f"score-{number}", mjasp.score(hand).explain("html")))
        found.append((f"teach-{number}", mjasp.lesson(hand).explain("html", "fr")))
    found.append(("why", mjasp.why(HAND, "pung_hand").explain("html")))
    parsed, words = mjasp.parse(HAND), Words("en")
    compared = compare_document(parsed, mjasp.compare(parsed), mjasp.rulesets(), words)
    found.append(("compare", rendered(compared, "html")))
    found.append(("dispute", mjasp.dispute(HAND, 124).explain("html")))
    return found


@pytest.mark.parametrize(("name", "text"), pages(), ids=lambda each: each[:12])
def test_page_is_whole_and_stands_alone(name: str, text: str) -> None:
    page = Page(text)
    assert len(page.ids) == len(set(page.ids)), name
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert all(link.startswith("#") for link in page.links)
    assert all(page.labels)
    assert page.elements["script"] == page.elements["img"] == page.elements["link"] == 0
    assert page.elements["h1"] == 1
    assert "url(" not in text
    assert "@import" not in text


def test_page_tells_sets_apart_and_marks_the_winning_tile() -> None:
    page = Page(mjasp.score(HAND).explain("html"))
    assert page.classes["exposed"] == 3  # [GGG], [234d], the flower and the season
    assert page.classes["concealed"] == 3
    assert page.marked == 1
    assert page.labels.count("east, the winning tile") == 1
    assert {"5 bamboo", "green dragon", "orchid", "autumn"} <= set(page.labels)


def test_every_award_points_at_its_tiles() -> None:
    score = mjasp.score(HAND)
    page = Page(score.explain("html"))
    rows = [link for link in page.links if not link.startswith("#tile-")]
    assert len(rows) == len(score.best.fired)
    ends = Counter(link.split("-", 1)[1] for link in rows)
    expected = Counter(
        "hand" if award.set is None else f"set-{award.set}" for award in score.best.fired
    )
    assert ends == expected


def test_page_of_the_command_folds_a_derivation_for_each_award(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["score", "--format", "html", "--lang", "en", HAND]) == 0
    text = capsys.readouterr().out
    page = Page(text)
    assert page.elements["details"] == len(mjasp.score(HAND).best.fired)
    assert "the pung of 5 bamboo is a pung of simples" in text


def test_texts_are_escaped() -> None:
    text = mjasp.score("123b 456b 789b 12c 55d +3c % <script>").explain("html")
    assert "<script" not in text
    assert "&lt;b&gt;" in tile_svg(Tile.E, "<b>")


def test_notebooks_show_a_part_of_a_page() -> None:
    score, lesson = mjasp.score(HAND), mjasp.lesson(HAND)
    for result in (score, lesson, mjasp.why(HAND, "chow_hand"), mjasp.dispute(HAND, 124)):
        part = result._repr_html_()
        assert part.startswith('<div class="mjasp" lang="en">')
        Page(part)


def test_every_tile_is_drawn_otherwise() -> None:
    drawn = re.findall(r'<symbol id="tile-(\w+)" [^>]*>(.*?)</symbol>', symbols(Tile))
    assert [code for code, _ in drawn] == [str(tile) for tile in Tile]
    shapes = {re.sub(r"<text.*?</text>|#[0-9a-f]{6}", "", shape) for _, shape in drawn}
    assert len(shapes) == len(Tile)  # without their letters and colours


@pytest.mark.skipif(BROWSER is None, reason="no browser is installed")
@pytest.mark.parametrize("width", [390, 1280])
def test_browser_draws_pages_within_the_window(width: int, tmp_path: Path) -> None:
    told = [text for _, text in pages()]
    frames = "".join(f'<iframe width="{width}" srcdoc="{escape(text)}"></iframe>' for text in told)
    script = """
    onload = () => { document.title = [...document.querySelectorAll("iframe")].map(frame => {
      const page = frame.contentDocument;
      const tiles = [...page.querySelectorAll("svg.tile")].map(t => t.getBoundingClientRect());
      return [page.documentElement.scrollWidth - frame.clientWidth, tiles.length,
        Math.round(Math.min(...tiles.map(t => t.width))), page.querySelectorAll("h1").length];
    }).join(" ") }"""
    file = tmp_path / "pages.html"
    file.write_text(
        f"<!DOCTYPE html><meta charset=utf-8><style>iframe {{ border: 0 }}</style>"
        f"<title></title><script>{script}</script>{frames}",
        encoding="utf-8",
    )
    assert BROWSER
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    options += [f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=10000"]
    done = subprocess.run(
        [BROWSER, *options, "--dump-dom", file.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    title = re.search(r"<title>(.+?)</title>", done.stdout)
    assert title
    measured = title[1].split()
    assert len(measured) == len(told)
    for each in measured:
        overflow, tiles, narrowest, headings = each.split(",")
        assert int(overflow) <= 0
        assert int(headings) == 1
        if int(tiles):
            assert int(narrowest) >= 24


# ---- Lessons


def counted(lesson: Lesson) -> int:
    """The last sum that a lesson comes to, each step starting from the one before."""
    told, value = lesson_dict(lesson), 0
    for step in told["steps"]:
        text = step["text"]
        if makes := re.search(r"pays (\d+) points?, which makes (\d+)\.$", text):
            # What is counted apart begins anew.
            assert int(makes[2]) - int(makes[1]) in {0, value}
            value = int(makes[2])
        elif doubled := re.search(r"and (\d+)((?: x 2)+) = (\d+)\.$", text):
            assert int(doubled[1]) == value
            value = int(doubled[3])
            assert value == int(doubled[1]) << doubled[2].count("x")
        elif whole := re.search(r"which is (\d+)\.$|: \d+ \+ \d+ = (\d+)\.$", text):
            value = int(whole[1] or whole[2])
    return value


@pytest.mark.parametrize("rules", shipped())
def test_lessons_add_up_and_their_near_misses_did_not_fire(rules: str) -> None:
    engine = Engine(rules)
    for hand in (*won_hands(25, seed=11), *losing_hands(10, seed=11)):
        lesson = engine.lesson(hand)
        best = lesson.score.best
        assert counted(lesson) == best.uncapped
        fired = {award.rule for award in best.fired}
        for missed in lesson.missed:
            assert missed.rule.id not in fired
            assert not missed.because.holds


def test_a_near_miss_is_told_as_why_tells_it() -> None:
    engine = Engine()
    lesson = engine.lesson(HAND)
    assert [missed.rule.id for missed in lesson.missed] == [
        "pung_hand",
        "fully_concealed_hand",
        "concealed_hand",
    ]
    told = [step["text"] for step in lesson_dict(lesson)["tempting"]]
    assert told == [
        engine.why(HAND, missed.rule.id).to_dict()["answer"] for missed in lesson.missed
    ]


def test_lesson_as_json() -> None:
    told = mjasp.lesson(HAND).to_dict("fr")
    assert told["schema"] == "mjasp/score/1"
    assert told["lesson"]["steps"][0] == {
        "text": (
            "Pung de simples, caché\u00a0: le pung de 5 de bambou rapporte 4 points, ce qui fait 4."
        ),
        "source": "Basic points: Pung of Simples",
        "tiles": ["5b", "5b", "5b"],
    }


# ---- Languages


@pytest.mark.parametrize("language", resources.languages())
@pytest.mark.parametrize("table", ["counts", "trace", "lesson"])
def test_every_phrase_of_a_trace_is_in_every_language(language: str, table: str) -> None:
    english, told = (tomllib.loads(resources.words(each))[table] for each in ("en", language))
    assert english.keys() <= told.keys()
    for key, text in english.items():
        assert places(told[key]) == places(text), key


def places(text: str | list[str]) -> set[str]:
    """The places that a phrase leaves for what it speaks of."""
    texts = [text] if isinstance(text, str) else text
    return {place for each in texts for place in re.findall(r"\{\w*\}", each)}


def test_what_encodings_say_of_a_result_is_told_in_french() -> None:
    said: set[str] = set()
    for file in (resources.encodings()).rglob("*.lp"):
        text = re.sub(r"(?m)^%.*$", "", file.read_text(encoding="utf-8"))
        said |= set(re.findall(r'(?:note|undivided|unmet_together)\("([^"]+)"\)', text))
        said |= set(re.findall(r'requirement\(\w+, "([^"]+)"\)', text))
    assert len(said) >= 5
    assert all(Words("fr").told(text) != text for text in said)


@pytest.mark.parametrize("rules", shipped())
def test_numbers_tiles_and_ids_are_the_same_in_french(rules: str) -> None:
    engine = Engine(rules)
    for hand in (*won_hands(10, seed=5), *losing_hands(5, seed=5)):
        score = engine.score(hand, sensitivity=True)
        english, french = score.to_dict(), score.to_dict("fr")
        assert without_texts(english) == without_texts(french)
        assert numbers(score, "en") == numbers(score, "fr")


def without_texts(told: object) -> object:
    """JSON without what is told in words."""
    if isinstance(told, dict):
        texts = {"name", "notes", "reasons"}
        return {key: without_texts(value) for key, value in told.items() if key not in texts}
    return [without_texts(each) for each in told] if isinstance(told, list) else told


def numbers(score: Score, language: str) -> list[list[str]]:
    """The numbers of the sums of a trace, in order."""
    text = score.explain("text", language)
    sums = re.findall(r"^.* = \d+$|^Total +\d+$", text, re.MULTILINE)
    return [re.findall(r"\d+", each) for each in sums]
