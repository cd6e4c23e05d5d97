"""The score sheet of an evening: seats, corrections, the file it is kept in, exports, views."""

from __future__ import annotations

import json
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest

from mjasp import Customs, GameError, HandError, MjaspError, RulesetError, Wind, game_store
from mjasp.cli import main
from mjasp.columns import width_of
from mjasp.game import Game, Record, Settings, Table, new_game
from mjasp.game_chart import chart_svg, chart_text
from mjasp.game_csv import game_csv
from mjasp.game_dicts import game_dict
from mjasp.game_files import read_game
from mjasp.game_sheet import sheet_html, sheet_markdown, sheet_text

E, S, W, N = Wind
ROOT = Path(__file__).parents[1]
NAMES = ("Anna", "Ben", "Cleo", "Dan")
EC = Settings("european-classical")
HAND = "(1111c) [234d] [GGG] 555b E +E wall"


def deal(*values: object, **others: str) -> str:
    """A deal's text: the hands of East, South, West and North; `_` stands for `-`."""
    lines = [f"{seat.name.lower()}: {value}\n" for seat, value in zip(Wind, values, strict=True)]
    return "".join(
        [*lines, *(f"{key.replace('_', '-')}: {value}\n" for key, value in others.items())]
    )


PRINTED = deal(50, 80, 20, 0, winner="W")
EAST_WINS = deal(60, 12, 20, 0, winner="E")
DRAWN = deal(50, 80, 20, 0)


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    file = tmp_path / "evening #1?.mjasp"
    game_store.create(file, new_game(NAMES, EC))
    return file


def some_game(seed: int, deals: int) -> Game:
    """A game of random values, some hands among them, with customs and corrections."""
    random = Random(seed)
    customs = Customs(losers_settle=random.random() < 0.8, discarder_pays=random.random() < 0.3)
    game = new_game(NAMES, Settings("european-classical", 300, customs=customs))
    for number in range(1, deals + 1):
        values: list[str | int] = [random.randrange(0, 400, 2) for _ in range(4)]
        winner = random.choice((None, 0, 1, 2, 3))
        if winner is not None and random.random() < 0.3:
            values[winner] = HAND
        by = None if winner is None else "wall"
        game = game.with_record(number, Record(tuple(values), winner, by, customs))  # type: ignore[arg-type]
    return game


# ---- Seats


def test_winds_pass_on_unless_east_wins_or_nobody_does() -> None:
    table = Table()
    assert [table.player(seat) for seat in Wind] == [0, 1, 2, 3]
    assert table.after(0) == table.after(None) == table
    passed = table.after(2)
    assert [passed.player(seat) for seat in Wind] == [1, 2, 3, 0]
    assert passed.after(1) == passed
    assert passed.after(0) == Table(2)


def test_rounds_go_from_east_to_north_and_begin_again() -> None:
    assert [Table(passes).round for passes in (0, 3, 4, 8, 12, 15, 16)] == [E, E, S, W, N, N, E]
    for passes in range(20):
        for seat in Wind:
            assert Table(passes).seat(Table(passes).player(seat)) is seat


def test_a_deal_is_read_for_the_players_then_sitting_there(sheet: Path) -> None:
    game_store.add(sheet, PRINTED)
    # Ben is East now. He wins with 40: 80 from each; Cleo 12, Dan 20, Anna 0.
    game = game_store.add(sheet, deal(40, 12, 20, 0, winner="E")).after
    assert game.deals[1].values == (0, 40, 12, 20)
    # Cleo pays Dan 8; Anna pays Cleo 12 and Dan 20.
    assert game.deals[1].net == (-112, 240, -76, -52)
    assert game.totals == ((0, 120, 80, -200), (-112, 360, 4, -252))
    assert game.table() == Table(1)


def test_seat_and_round_of_the_game_score_the_hands(sheet: Path) -> None:
    for _ in range(4):
        game_store.add(sheet, deal(0, 0, 0, 0, winner="N"))
    game = game_store.add(sheet, deal(HAND, 0, 0, 0)).after
    assert game.deals[4].table.round is S
    assert game.deals[4].values == (132, 0, 0, 0)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (f"{PRINTED}round S", "two-rounds", 6),
        (f"{PRINTED}rules bmja", "two-rules", 6),
        (deal(50, "unknown", 20, 0, winner="W"), "unknown-hand", 2),
        (deal(HAND, "1c 112233b 456c 799d", 20, 0), "fifth-copy", 2),
        (deal("123456789b 55c 12d +5d discard", 0, 0, 0), "false-win", 1),
    ],
)
def test_a_deal_that_the_sheet_refuses(sheet: Path, text: str, code: str, line: int) -> None:
    with pytest.raises(HandError) as caught:
        game_store.add(sheet, text)
    assert [(each.code, each.line) for each in caught.value.problems] == [(code, line)]
    assert game_store.load(sheet).deals == ()


def test_rules_and_round_may_be_said_if_they_are_the_games(sheet: Path) -> None:
    text = deal("+E E [GGG] 555b [234d] (1111c) wall seat:E round:E", 0, 0, 0, rules=EC.rules)
    game = game_store.add(sheet, f"{text}round E").after
    assert game.deals[0].record.hands[0] == "(1111c) [234d] [GGG] 555b E +E wall"


def test_customs_of_the_game_and_of_a_deal(tmp_path: Path) -> None:
    file = tmp_path / "game"
    settings = Settings("european-classical", customs=Customs(losers_settle=False))
    game_store.create(file, new_game(NAMES, settings))
    assert game_store.add(file, PRINTED).after.deals[0].net == (-40, -20, 80, -20)
    over = game_store.add(file, f"{EAST_WINS}losers-settle: yes").after
    # Ben is East: 120 from each; Dan 20, Cleo 12, Anna 0: Cleo pays Dan 8, Anna pays 12 and 20.
    assert over.deals[1].net == (-152, 360, -116, -92)


# ---- Corrections


def test_a_correction_counts_anew_all_that_came_after(sheet: Path) -> None:
    game_store.add(sheet, PRINTED)
    game_store.add(sheet, deal(HAND, 0, 20, 0))
    before = game_store.add(sheet, DRAWN).after
    assert before.deals[1].values == (0, 136, 0, 20)
    change = game_store.correct(sheet, 1, EAST_WINS)
    assert change.before == before
    # Anna stays East, so Ben held his hand as South: his pair of easts is the round wind's alone,
    # and Anna pays him double.
    assert change.after.deals[1].values == (0, 132, 0, 20)
    assert change.after.deals[1].net == (-304, 528, -152, -72)
    assert change.after.seated_anew(before) == (2,)
    assert change.after.deals[2].record == before.deals[2].record
    assert game_store.load(sheet) == change.after


def test_hands_stay_with_their_players_whoever_sits_where() -> None:
    game = some_game(1, 12)
    records = [each.record for each in game.deals]
    for winner in (None, 0, 1, 2, 3):
        first = Record((8, 6, 4, 2), winner, None if winner is None else "wall", Customs())
        corrected = game.with_record(1, first)
        assert [each.record for each in corrected.deals] == [first, *records[1:]]
        assert all(sum(each.net) == 0 for each in corrected.deals)
        passes = [each.table.passes for each in corrected.deals]
        for now, (table, following) in enumerate(pairwise(passes)):
            assert following == Table(table).after(corrected.deals[now].record.winner).passes


def test_a_correction_that_a_later_deal_forbids_changes_nothing(sheet: Path) -> None:
    game_store.add(sheet, PRINTED)
    before = game_store.add(
        sheet, deal("123b 456b 789b 11d 44c +4c wall first-turn", 0, 0, 0)
    ).after
    with pytest.raises(GameError, match="deal 2 could then not stand"):
        game_store.correct(sheet, 1, EAST_WINS)
    assert game_store.load(sheet) == before


def test_how_a_tile_came_does_not_change_with_the_seats(sheet: Path) -> None:
    game_store.add(sheet, PRINTED)
    # East's win of the first turn is drawn, though the hand does not say so.
    game = game_store.add(sheet, deal("19b 19c 19d ESWNRGWh +1c first-turn", 10, 20, 0)).after
    with pytest.raises(GameError, match="deal 2 could then not stand"):
        game_store.correct(sheet, 1, EAST_WINS)
    assert game_store.load(sheet) == game


def test_reasons_name_the_players() -> None:
    assert PLAIN.deals[0].payments[3].because == "Ben's 80 less Anna's 50; East pays double"


@pytest.mark.parametrize("number", [0, 2, 10**8])
def test_a_deal_that_is_not_there(sheet: Path, number: int) -> None:
    game_store.add(sheet, PRINTED)
    with pytest.raises(GameError, match=f"there is no deal {number}"):
        game_store.correct(sheet, number, PRINTED)


def test_undo_takes_back_each_change_in_turn(sheet: Path) -> None:
    games = [game_store.load(sheet)]
    games.append(game_store.add(sheet, PRINTED).after)
    games.append(game_store.add(sheet, deal(HAND, 0, 20, 0)).after)
    games.append(game_store.correct(sheet, 1, EAST_WINS).after)
    games.append(game_store.add(sheet, PRINTED).after)
    games.append(game_store.correct(sheet, 1, DRAWN).after)
    for before in reversed(games[:-1]):
        assert game_store.undo(sheet).after == before
        assert game_store.load(sheet) == before
    with pytest.raises(GameError, match="none to undo"):
        game_store.undo(sheet)


# ---- Export and import


@pytest.mark.parametrize("seed", range(4))
def test_an_export_read_again_is_the_same_game(seed: int, tmp_path: Path) -> None:
    game = some_game(seed, 10)
    assert read_game(json.dumps(game_dict(game))) == game
    assert read_game(game_csv(game)) == game
    assert read_game("\ufeff" + game_csv(game).replace("\n", "\r\n")) == game
    game_store.create(tmp_path / "copy", read_game(game_csv(game)))
    copy = game_store.load(tmp_path / "copy")
    assert copy == game
    assert sheet_text(copy) == sheet_text(game)


def test_all_settings_travel() -> None:
    settings = Settings(
        "bmja",
        700,
        False,
        {"bouquet": "two", "jade_chow": "yes"},
        Customs(False, False, True, True),
    )
    game = new_game(NAMES, settings).with_record(1, Record((8, 6, 4, 2), 0, 1, Customs()))
    for text in (game_csv(game), json.dumps(game_dict(game))):
        assert read_game(text) == game
        assert read_game(text).settings == settings


def test_what_was_counted_may_be_left_out() -> None:
    game = some_game(0, 3)
    bare = game_dict(game)
    for each in bare["deals"]:
        for field in ("round", "seats", "values", "payments", "net", "totals"):
            del each[field]
    assert read_game(json.dumps(bare)) == game
    rows = [line.rsplit(",", 3)[0] for line in game_csv(game).splitlines()]
    assert read_game("\n".join(rows)) == game


PLAIN = new_game(NAMES, EC).with_record(1, Record((50, 80, 20, 0), 2, None, Customs()))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("^.*$", "", "no exported game"),
        ("^.*$", "[1, 2]", "no exported game"),
        ("^.*$", "{}", "`schema` is missing"),
        ("^.*$", "{" * 100_000, "no exported game"),
        (".{200}$", "", "no exported game"),
        ("game/1", "game/2", "its schema is"),
        ('"Dan"', '"Anna"', "same name"),
        ('"amount": 20', '"amount": 22', "deal 1: payments"),
        ('"totals": {"Anna": 0', '"totals": {"Anna": 2', "deal 1: totals"),
        ('"round": "E"', '"round": "S"', "deal 1: round"),
        ('"Anna": 50', '"Anna": "5q"', "deal 1 cannot stand"),
        ('"Anna": 50', '"Anna": -50', "deal 1 cannot stand"),
        ('"Anna": 50', '"Anna": 1.5', "deal 1 .* neither a text nor a number"),
        ('"winner": "Cleo"', '"winner": "Eve"', "deal 1 .*'Eve' is no player"),
        ('"Anna": 50', f'"Anna": {10**400}', "deal 1 cannot stand"),
        ('"deal": 1', '"deal": 77', "deal 1: deal 77"),
        ('"next": {"round": "E"', '"next": {"round": "S"', "next .* stands in the file"),
        (r'\["Anna", "Ben", "Cleo", "Dan"\]', '"ABCD"', "players is not a list"),
        (r'"deals": \[.*\]', '"deals": 5', "deals is not a list"),
        ('"limit": null', '"limit": "many"', "no exported game"),
        ('"limit": null', '"limit": 0', "at least 1"),
        ('"european-classical"', '"bmxa"', "no rule set"),
        ('"losers-settle": true', '"losers-settle": 1', "no exported game"),
    ],
)
def test_a_damaged_json_is_refused(old: str, new: str, told: str, tmp_path: Path) -> None:
    export, copy = tmp_path / "export.json", tmp_path / "copy"
    text, changed = re.subn(old, new, json.dumps(game_dict(PLAIN)))
    assert changed
    with pytest.raises((GameError, RulesetError), match=told):
        read_game(text)
    export.write_text(text, encoding="utf-8")
    assert main(["game", "import", str(copy), str(export)]) == 2
    assert not copy.exists()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (".{20}$", "", "no exported game"),
        ("(?s)^(.*?\n).*", r"\1", "no exported game"),
        ("(?s)^(.*?\n).*", r'\1"', "no exported game"),
        ("20,yes,,,20", "20,yes,,,22", "deal 1: values"),
        (",yes,", ",,", "deal 1: net"),
        ("50,,,", "50,wall,,", "two winners"),
        ("^deal,", "number,", "columns lack deal"),
        ("rules: ", "rulez: ", "is no option"),
        ("1,E,N", "2,E,N", "has not four rows"),
        ("1,E,S,Ben", "1,E,S,Eve", "not those of the four players"),
        ("80,,,,80", "80,,,cap: no,80", "options in another row"),
        ("50,,,,50", "50,,,limit: 3,50", "options of a whole game"),
        ("1,E,S", "1,S,S", "has two rounds"),
        ("50,0,0", "50,none,0", "'none' is no whole number"),
        ("classical,", "classical; losers-settle: perhaps,", "neither yes nor no"),
        ("0,E,S,Ben", "0,E,N,Ben", "does not begin with deal 0"),
        ("0,0\n", "0,0,9\n", "every column"),
    ],
)
def test_a_damaged_csv_is_refused(old: str, new: str, told: str) -> None:
    text, changed = re.subn(old, new, game_csv(PLAIN).rstrip())
    assert changed
    with pytest.raises(GameError, match=told):
        read_game(text)


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ("seat:N", "says `seat:N`"),
        ("round:W", "says `round:W`"),
        ("rules:bmja", "the deal says rules bmja"),
    ],
)
def test_a_hand_in_an_export_says_nothing_else_than_the_sheet(facts: str, told: str) -> None:
    record = Record((HAND, 0, 0, 0), 0, "wall", Customs())
    found = game_dict(new_game(NAMES, EC).with_record(1, record))
    found["deals"][0]["hands"]["Anna"] = f"{HAND} {facts}"
    with pytest.raises(GameError, match=f"deal 1 cannot stand: .*{told}"):
        read_game(json.dumps(found))
    found["deals"][0]["hands"]["Anna"] = f"{HAND} seat:E round:E rules:{EC.rules}"
    assert read_game(json.dumps(found)).deals[0].record.hands[0] == HAND


def test_reasons_of_payments_are_words_and_not_compared() -> None:
    found = game_dict(PLAIN)
    found["deals"][0]["payments"][0]["because"] = "as another version said it"
    assert read_game(json.dumps(found)) == PLAIN


def test_customs_left_out_of_a_deal_are_the_games() -> None:
    settings = Settings(EC.rules, customs=Customs(losers_settle=False))
    game = new_game(NAMES, settings)
    for number, customs in enumerate((settings.customs, Customs()), start=1):
        game = game.with_record(number, Record((50, 80, 20, 0), 2, None, customs))
    assert read_game(game_csv(game)) == game
    found = game_dict(game)
    del found["deals"][0]["customs"]
    assert read_game(json.dumps(found)) == game


def test_names_and_paths_that_a_spreadsheet_would_take_for_more(tmp_path: Path) -> None:
    rules = tmp_path / 'our; limit: 3 "club".lp'
    rules.write_text('#include "european-classical.lp".\n', encoding="utf-8")
    names = ("=1+1", "'+x", "'Tonio", '@"a", b')
    game = new_game(names, Settings(str(rules), limit=300))
    game = game.with_record(1, Record((50, 80, 20, 0), 2, None, Customs()))
    text = game_csv(game)
    assert ",'=1+1," in text
    assert ",''+x," in text
    assert ",'Tonio," in text
    assert read_game(text) == game


# ---- The file


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("Anna,Ben,Cleo", "3 players"),
        ("Anna,Ben,Cleo,anna", "same name"),
        ("Anna,Ben,Cleo,", "1 to 30 characters"),
        ("Anna,Ben,Cleo,D\x1b[2J", "can be printed"),
        ("Anna,Ben,Cleo,Wall", "no name of a player"),
        ("Jose\u0301,Ben,Cleo,Jos\u00e9", "same name"),
        ("Anna,Ben,Cleo,Anna\u200d", "same name"),
        ("Anna,Ben,Cleo,\u200d", "1 to 30 characters"),
    ],
)
def test_players_that_cannot_be(names: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match=told):
        new_game(names.split(","), EC)
    assert main(["game", "new", str(tmp_path / "game"), "--players", names]) == 2
    assert not list(tmp_path.iterdir())


def test_names_of_joined_characters_are_names() -> None:
    family = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
    game = new_game([family, "Jose\u0301", "Cleo", "Dan"], EC)
    assert game.players[:2] == (family, "Jos\u00e9")
    assert read_game(game_csv(game)) == read_game(json.dumps(game_dict(game))) == game


def test_settings_that_cannot_be() -> None:
    with pytest.raises(RulesetError, match="no reading"):
        new_game(NAMES, Settings("bmja", readings={"boquet": "two"}))


def test_a_file_that_is_there_is_kept(sheet: Path, tmp_path: Path) -> None:
    game_store.add(sheet, PRINTED)
    other = tmp_path / "other.sqlite"
    sqlite3.connect(other).execute("CREATE TABLE mine (a)").connection.close()
    notes = tmp_path / "notes.txt"
    notes.write_text("some notes, longer than nothing\n" * 40, encoding="utf-8")
    for file in (sheet, other, notes):
        content = file.read_bytes()
        with pytest.raises(GameError, match="is there already"):
            game_store.create(file, new_game(NAMES, EC))
        assert file.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b"notes", b"SQLite format 3\0" + b"\0" * 200])
@pytest.mark.parametrize("command", [game_store.load, game_store.undo])
def test_a_file_that_is_no_game(
    content: bytes, command: Callable[[Path], object], tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(GameError, match="is no game"):
        command(file)
    assert file.read_bytes() == content


@pytest.mark.parametrize("name", ["missing", ".", "no/such/folder", "nul\0"])
def test_a_file_that_cannot_be_opened(name: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match="cannot be opened"):
        game_store.load(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_the_database_of_another_program_is_left_as_it_is(mode: str, tmp_path: Path) -> None:
    live, folder = tmp_path / "live", tmp_path / "folder"
    folder.mkdir()
    connection = sqlite3.connect(live, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.execute("CREATE TABLE game (a)")
    for file in tmp_path.glob("live*"):
        shutil.copy(file, folder)  # with its journal, as a crash leaves it
    connection.close()
    content = {file.name: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(GameError, match="is no game"):
        game_store.load(folder / "live")
    with pytest.raises(GameError, match="is there already"):
        game_store.create(folder / "live", new_game(NAMES, EC))
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == content


def test_an_empty_database_of_another_program_is_no_place_for_a_game(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "other", isolation_level=None)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(GameError, match="is there already"):
        game_store.create(tmp_path / "other", new_game(NAMES, EC))


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM sheet WHERE deal = 1",
        "DELETE FROM sheet WHERE deal = 2",
        "DELETE FROM change WHERE number = 2",
        "DELETE FROM change",
        "DELETE FROM game",
        "DROP TABLE sheet",
        "DROP TABLE game",
        "UPDATE sheet SET deal = 7 WHERE deal = 2",
        "UPDATE sheet SET played = '[]' WHERE deal = 2",
        "UPDATE sheet SET played = replace(played, '80', '82') WHERE deal = 2",
        "UPDATE change SET record = replace(record, '80', '82') WHERE number = 2",
        "UPDATE change SET deal = 3 WHERE number = 2",
        "UPDATE game SET players = '[1, 2]'",
        "UPDATE game SET settings = NULL",
        "PRAGMA user_version = 0",
    ],
)
def test_a_sheet_that_does_not_follow_from_its_log_is_told(sheet: Path, statement: str) -> None:
    for _ in range(2):
        game_store.add(sheet, PRINTED)
    with sqlite3.connect(sheet) as connection:
        connection.execute("PRAGMA ignore_check_constraints = 1")
        try:
            connection.execute(statement)
        except sqlite3.IntegrityError:
            connection.execute("UPDATE game SET settings = '[]'")
    connection.close()
    with pytest.raises(GameError, match=r"is no game|is damaged, or was copied while") as caught:
        game_store.load(sheet)
    assert caught.value.problems[0].help


def test_a_file_copied_in_the_midst_of_a_write_is_whole_or_told(
    sheet: Path, tmp_path: Path
) -> None:
    for _ in range(12):
        game_store.add(sheet, PRINTED)
    old = sheet.read_bytes()
    game_store.add(sheet, DRAWN)
    game_store.correct(sheet, 3, EAST_WINS)
    new = sheet.read_bytes()
    pages = range(0, len(new), 4096)
    assert len(pages) > 6
    told = 0
    random = Random(3)
    for _ in range(60):
        # Some pages of the file are written, and others are not yet.
        written = {page for page in pages if random.random() < 0.5}
        torn = [new[at : at + 4096] if at in written else old[at : at + 4096] for at in pages]
        (tmp_path / "copy").write_bytes(b"".join(torn))
        try:
            found = game_store.load(tmp_path / "copy")
        except GameError:
            told += 1
        else:
            assert b"".join(torn) in {old, new} or whole(tmp_path / "copy") == found
    assert told > 30


def test_a_damaged_game_is_told(sheet: Path) -> None:
    for _ in range(30):
        game_store.add(sheet, PRINTED)
    content = sheet.read_bytes()
    sheet.write_bytes(content[:4096] + b"\xff" * 4096 + content[8192:])
    with pytest.raises(GameError, match="is damaged"):
        game_store.load(sheet)
    sheet.write_bytes(content)
    with sqlite3.connect(sheet) as connection:
        connection.execute("UPDATE sheet SET played = '{}' WHERE deal = 2")
    connection.close()
    with pytest.raises(GameError, match="is damaged"):
        game_store.load(sheet)


def test_a_file_that_cannot_be_written_can_be_read(sheet: Path) -> None:
    game = game_store.add(sheet, PRINTED).after
    # SQLite does not write a file whose header asks for a newer program to write it. (A file
    # without write permission would not do: the user who runs the tests may be above that.)
    content = bytearray(sheet.read_bytes())
    content[18] = 3
    sheet.write_bytes(content)
    with pytest.raises(GameError, match="cannot be written"):
        game_store.add(sheet, PRINTED)
    assert game_store.load(sheet) == game


def test_a_full_disk_is_told_and_changes_nothing(sheet: Path) -> None:
    game = game_store.add(sheet, PRINTED).after
    script = f"""
import resource, sys
from pathlib import Path
from mjasp import GameError, game_store
resource.setrlimit(resource.RLIMIT_FSIZE, ({sheet.stat().st_size}, {sheet.stat().st_size}))
try:
    for _ in range(100):
        game_store.add(Path(sys.argv[1]), {PRINTED!r})
except GameError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(sheet)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.search("finds no room|cannot be read or written", done.stdout)
    assert game_store.load(sheet).deals[0] == game.deals[0]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_file_of_a_newer_program_is_left_alone(sheet: Path) -> None:
    with sqlite3.connect(sheet) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    content = sheet.read_bytes()
    for command in (game_store.load, game_store.undo):
        with pytest.raises(GameError, match="newer mjasp"):
            command(sheet)
    assert sheet.read_bytes() == content


def test_an_older_file_is_brought_to_the_newest_version(
    sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_store.add(sheet, PRINTED).after
    steps = (*game_store._STEPS, ("CREATE TABLE note (text TEXT)", "INSERT INTO note VALUES ('a')"))  # noqa: SLF001
    monkeypatch.setattr(game_store, "_STEPS", steps)
    for _ in range(2):
        assert game_store.load(sheet) == game
    assert game_store.add(sheet, PRINTED).after.deals[:1] == game.deals
    with sqlite3.connect(sheet) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert connection.execute("SELECT * FROM note").fetchall() == [("a",)]
    connection.close()


def test_a_step_that_fails_leaves_the_older_file(
    sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = sheet.read_bytes()
    steps = (*game_store._STEPS, ("CREATE TABLE note (text TEXT)", "no statement"))  # noqa: SLF001
    monkeypatch.setattr(game_store, "_STEPS", steps)
    with pytest.raises(GameError):
        game_store.load(sheet)
    assert sheet.read_bytes() == content


# ---- Crashes and other writers

WRITER = """
import sys
from pathlib import Path
from mjasp import game_store
file, count, text = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
for _ in range(count):
    print(len(game_store.add(file, text).after.deals), flush=True)
    print(len(game_store.correct(file, 1, text).after.deals), flush=True)
"""


def writer(sheet: Path, count: int, text: str = PRINTED) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(sheet), str(count), text],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def whole(file: Path) -> Game:
    """The game of a file, seen to be whole: every deal follows from the log and adds up."""
    game = game_store.load(file)
    counted = new_game(game.players, game.settings)
    for number, each in enumerate(game.deals, start=1):
        counted = counted.with_record(number, each.record)
    assert counted == game
    return game


def test_killed_at_any_moment_it_loses_no_deal(sheet: Path, tmp_path: Path) -> None:
    random, told, until = Random(9), 0, time.monotonic() + 8
    kills = 0
    while kills < 20 and time.monotonic() < until:
        process = writer(sheet, 10_000)
        assert process.stdout
        process.stdout.readline()
        time.sleep(random.random() * 0.15)
        process.kill()
        said = [int(line) for line in process.stdout.read().split()]
        process.wait()
        process.stdout.close()
        journal = sheet.with_name(f"{sheet.name}-journal")
        if not journal.exists():
            shutil.copy(sheet, tmp_path / "copy")
            assert len(whole(tmp_path / "copy").deals) >= max(said, default=told)
        deals = len(whole(sheet).deals)
        assert max(said, default=told) <= deals <= max(said, default=deals) + 1
        told, kills = deals, kills + 1
        if told > 40:
            sheet.unlink()
            game_store.create(sheet, new_game(NAMES, EC))
            told = 0
    assert kills >= 5


def test_killed_before_it_commits_the_file_alone_is_the_old_sheet(
    sheet: Path, tmp_path: Path
) -> None:
    game = game_store.add(sheet, PRINTED).after
    script = f"""
import os, sys
from pathlib import Path
from mjasp import game_store
write = game_store._write_sheet
game_store._write_sheet = lambda *given: (write(*given), os.kill(os.getpid(), 9))
game_store.correct(Path(sys.argv[1]), 1, {EAST_WINS!r})
"""
    done = subprocess.run([sys.executable, "-c", script, str(sheet)], cwd=ROOT, check=False)
    assert done.returncode == -9
    shutil.copy(sheet, tmp_path / "copy")
    assert whole(tmp_path / "copy") == whole(sheet) == game


def test_a_sheet_half_made_is_made_again(tmp_path: Path) -> None:
    script = """
import os, sys
from pathlib import Path
from mjasp import game_store
from mjasp.game import Settings, new_game
game_store._write_sheet = lambda *_: os.kill(os.getpid(), 9)
game_store.create(Path(sys.argv[1]), new_game("ABCD", Settings("european-classical")))
"""
    file = tmp_path / "game"
    done = subprocess.run([sys.executable, "-c", script, str(file)], cwd=ROOT, check=False)
    assert done.returncode == -9
    with pytest.raises(GameError):
        game_store.load(file)
    game_store.create(file, new_game(NAMES, EC))
    assert whole(file).players == NAMES


def test_two_writers_lose_nothing(sheet: Path) -> None:
    processes = [writer(sheet, 15, text) for text in (PRINTED, EAST_WINS)]
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    game = whole(sheet)
    assert len(game.deals) == 30
    values = {tuple(sorted(each.values)) for each in game.deals}
    assert values == {(0, 20, 50, 80), (0, 12, 20, 60)}


def test_a_writer_waits_and_then_says_so(sheet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_store, "_BUSY_SECONDS", 0.1)
    connection = sqlite3.connect(sheet, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(GameError, match="written by another program"):
        game_store.add(sheet, PRINTED)
    assert game_store.load(sheet).deals == ()
    connection.execute("ROLLBACK")
    connection.close()
    assert len(game_store.add(sheet, PRINTED).after.deals) == 1


def test_the_file_is_kept_as_the_design_asks(sheet: Path) -> None:
    with game_store._connected(sheet) as connection:  # noqa: SLF001
        told = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in
                ("journal_mode", "synchronous", "busy_timeout", "user_version")]  # fmt: skip
    assert told == ["delete", 2, 5000, 1]


# ---- What is printed


class Tags(HTMLParser):
    """Sees that every element of a page is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        assert not {"src", "href"} & {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("deals", [0, 1, 2, 12, 90])
def test_sheets_of_any_length(deals: int) -> None:
    game = new_game(("<b>&Ann", "Béa | B", "*Cleo*", "D" * 30), EC)
    for number, played in enumerate(some_game(deals, deals).deals, start=1):
        game = game.with_record(number, played.record)
    text = sheet_text(game)
    assert max(map(len, text.split("\n"))) <= 80
    page = Tags()
    page.feed(sheet_html(game))
    assert not page.open
    assert "<b>" not in sheet_html(game)
    assert sheet_html(game).count("<section>") == deals
    assert all(
        line.count(" | ") >= 3 for line in sheet_markdown(game).split("\n") if line[:1] == "|"
    )
    if deals:
        assert max(map(len, chart_text(game))) <= 80
        svg = ET.fromstring(chart_svg(game))  # noqa: S314 - our own
        lines = svg.findall(".//{http://www.w3.org/2000/svg}polyline")
        assert [len(line.attrib["points"].split()) for line in lines] == [deals + 1] * 4
        numbers = [float(n) for line in lines for n in re.split("[ ,]", line.attrib["points"])]
        assert min(numbers) >= 0
        assert max(numbers) <= 640


@pytest.mark.parametrize(
    "names",
    [("李小龍", "成龍", "Jose\u0301", "梅艷芳"), "甲乙丙丁", [letter * 30 for letter in "甲乙丙丁"],
     [f"{'A' * 29}{letter}" for letter in "ABCD"], [letter * 30 for letter in "WXYZ"]],
)  # fmt: skip
def test_text_is_80_columns_wide_whatever_the_names_and_values(names: Sequence[str]) -> None:
    game = new_game(names, Settings("bmja", cap=False))
    for number, values in enumerate(((999_999_999, 0, 999_999_998, 5), (8, 6, 4, 2)), start=1):
        record = Record(values, number, 0, Customs(discarder_pays=True))
        game = game.with_record(number, record)
    lines = sheet_text(game).split("\n")
    assert max(map(width_of, lines)) <= 80
    heads = {line for line in lines if line.startswith("  Deal")}
    assert {width_of(line) for line in heads} == {12 + 4 * 16}
    assert all(len({*line.split()[2:]}) >= 4 for line in heads)
    # No word stands alone in a column of one letter.
    assert not [
        line
        for line in lines
        if line[:1] == " " and len(line.strip()) == 1 and line.strip().isalpha()
    ]


def test_customs_and_winners_in_every_form() -> None:
    game = new_game(NAMES, EC)
    game = game.with_record(1, Record((50, 80, 20, 0), 2, 3, Customs(losers_settle=False)))
    told = "players who did not win settle nothing among themselves"
    for view in (sheet_text, sheet_markdown, sheet_html):
        assert view(game).count(told) == 1
        assert "Cleo won, on Dan" in view(game)
    assert "+80\\* | 80" in sheet_markdown(game)
    assert "80<small>+80*</small>" in sheet_html(game)


def test_markdown_takes_no_name_for_its_own() -> None:
    assert "&amp;" not in sheet_markdown(new_game(("A&amp;B", "Ben", "Cleo", "Dan"), EC)).replace(
        "\\&amp;", ""
    )


def test_a_sheet_says_what_limit_it_assumes() -> None:
    game = new_game(NAMES, Settings("european-classical-2008"))
    assert "limit 500, an assumption" in sheet_html(game)
    assert "assumption" not in sheet_html(new_game(NAMES, Settings(game.settings.rules, 500)))


def test_undo_says_what_it_takes_back(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game_store.add(sheet, PRINTED)
    game_store.add(sheet, DRAWN)
    game_store.correct(sheet, 1, PRINTED)
    for told in ("the correction of deal 1", "deal 2", "deal 1"):
        main(["game", "undo", str(sheet)])
        assert capsys.readouterr().out.startswith(f"Taken back: {told}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["-", "--players", "A,B,C,D"],
        [
            "f",
            "--players",
            "A,B,C,D",
            "--custom",
            "east-doubles=no",
            "--custom",
            "east-doubles=yes",
        ],
    ],
)
def test_usage_that_cannot_be(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["game", "new", *arguments]) == 2
    assert not list(tmp_path.iterdir())


def test_json_of_the_commands(
    sheet: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "deal").write_text(PRINTED, encoding="utf-8")
    assert main(["game", "add", str(sheet), str(tmp_path / "deal"), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == game_dict(game_store.load(sheet))
    assert found["schema"] == "mjasp/game/1"
    assert found["next"] == {
        "round": "E",
        "seats": {"E": "Ben", "S": "Cleo", "W": "Dan", "N": "Anna"},
    }
    (played,) = found["deals"]
    assert played["seats"] == {"E": "Anna", "S": "Ben", "W": "Cleo", "N": "Dan"}
    assert played["net"] == played["totals"] == {"Anna": 0, "Ben": 120, "Cleo": 80, "Dan": -200}
    assert main(["game", "show", str(sheet), "1", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == played
    assert main(["game", "show", str(sheet), "1", "--format", "html"]) == 2


@pytest.mark.parametrize(
    "command", ["new", "add", "list", "show", "correct", "undo", "export", "import"]
)
def test_help_has_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["game", command, "--help"])
    out = capsys.readouterr().out
    assert f"  mjasp game {command} " in out
    assert max(map(len, out.splitlines())) <= 80


def test_errors_are_values_of_one_hierarchy() -> None:
    assert issubclass(GameError, MjaspError)
