"""A club's rule-set file: what it may include and say, what is told of it, and what stops it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mjasp
from mjasp import facts
from mjasp.cli import main
from mjasp.errors import RulesetError
from mjasp.hand import Event, Hand, Kind, Meld, Source
from mjasp.render.check import check_text
from mjasp.ruleset_check import check
from mjasp.ruleset_files import load
from mjasp.rulesets import shipped, texts
from mjasp.solver import Program, Term, Undecided, as_it_is
from mjasp.tiles import Tile, Wind

CLUBS = Path(__file__).parent / "clubs"
BAD = sorted((CLUBS / "bad").glob("*.lp"))
GOOD = sorted((CLUBS / "good").glob("*.lp"))
HAND = "123456789b 11d EE +E discard seat:E round:E"
INCLUDE = '#include "european-classical.lp".\n'

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes files into the working directory; the path of the last one."""
    monkeypatch.chdir(tmp_path)

    def into(text: str, name: str = "club.lp") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return into


def refused(path: str) -> str:
    """The code of the first problem of a file that cannot be used."""
    with pytest.raises(RulesetError) as raised:
        mjasp.Engine(path)
    return raised.value.problems[0].code


@pytest.mark.parametrize("file", GOOD, ids=lambda file: file.stem)
def test_good(file: Path) -> None:
    assert mjasp.Engine(str(file)).ruleset.id == file.stem
    assert check_text(check(str(file))) == f"{file.stem}: nothing found"


@pytest.mark.parametrize("file", BAD, ids=lambda file: file.stem)
def test_bad(file: Path) -> None:
    """What is told of each bad file, word for word."""
    told = check_text(check(str(file))) + "\n"
    assert told == file.with_suffix(".txt").read_text(encoding="utf-8")
    assert max(map(len, told.splitlines())) <= 80


def test_a_file_that_only_includes_scores_as_what_it_includes() -> None:
    club = mjasp.score(HAND, rules=str(CLUBS / "good" / "only-includes.lp")).to_dict()
    theirs = mjasp.score(HAND, rules="majiang").to_dict()
    assert club.pop("ruleset") == "only-includes"
    assert theirs.pop("ruleset") == "majiang"
    assert club == theirs


def test_files_of_a_folder_include_each_other() -> None:
    path = str(CLUBS / "good" / "two-chows.lp")
    two = mjasp.score("[123b] [456b] [777b] 99d EE +E discard f1 f2 f3 seat:W round:E", rules=path)
    fired = {award.rule for award in two.best.fired}
    assert two.outcome == "won"
    assert "bunch" in fired
    assert mjasp.score("[123b] [456b] [789b] 99d EE +E", rules=path).outcome == "false-win"
    values = {rule.id: rule.values for rule in mjasp.ruleset(path).rules}
    assert values["pung_of_simples"] == {"exposed": 4, "concealed": 4}


def test_a_condition_of_ones_own_may_ask_for_the_waits() -> None:
    path = str(CLUBS / "good" / "two-chows.lp")
    for hand, fires in (
        ("222b 333c 777d 789b E +E wall", True),  # E alone wins
        ("222b 333c 777d 78b EE +9b wall", False),  # the 6 wins as well
    ):
        fired = {award.rule for award in mjasp.score(hand, rules=path).best.fired}
        assert ("last_of_its_kind" in fired) is fires


def test_calling_of_ones_own_may_have_to_be_declared(write: Write) -> None:
    path = write(
        f'{INCLUDE}text(our, "Ours"). calling(call, thirteen_orphans, "Calling").\n'
        'cites(call, our, "page 1"). condition(call, declared_one_tile_short(thirteen_orphans)).\n'
        'value(call, limits, "1/5").'
    )
    assert not check(path).findings
    hand = "19b 19c 19d ESWNRGWh seat:S round:W"
    assert mjasp.score(hand, rules=path).total == 0
    assert mjasp.score(f"{hand} fishing", rules=path).total == 100


def test_a_path_may_be_given_as_one() -> None:
    path = CLUBS / "good" / "only-includes.lp"
    total = mjasp.score(HAND, rules=path).total
    assert mjasp.Engine(path).score(HAND).total == total
    assert mjasp.ruleset(path).id == "only-includes"
    assert mjasp.compare(HAND, path)["only-includes"].total == total
    assert mjasp.compare(HAND, [path, "bmja"])["only-includes"].total == total


def test_no_text_names_a_file() -> None:
    with pytest.raises(mjasp.NotationError):
        mjasp.parse(f"{HAND} rules:club.lp")
    with pytest.raises(mjasp.HandError):
        Hand(rules="club.lp")


def test_what_is_said_of_chows_is_told_with_its_source(write: Write) -> None:
    most = '#include "majiang.lp".\nmost_chows(2).\n'
    cites = 'cites(most_chows, our, "page 1").\n'
    for text, code in ((most, "no-source"), (most + cites, "no-title")):
        (problem,) = check(write(text)).findings
        assert problem.code == code
    ruleset = mjasp.ruleset(write(f'{most}{cites}text(our, "Our rules").'))
    assert (ruleset.most_chows, ruleset.chows_source) == (2, "Our rules: page 1")
    (reason,) = mjasp.score("123b 456b 789b 12c 55d +3c wall", rules="club.lp").reasons
    assert reason == "every division has more than two chows"


def test_a_special_hand_needs_a_limit(write: Write) -> None:
    path = write(
        '#include "mahjiang.lp". text(our, "Our rules").\n'
        'rule(orphans, "Orphans", winner). cites(orphans, our, "page 1").\n'
        "condition(orphans, thirteen_orphans). value(orphans, limits, 1).\n"
    )
    (problem,) = check(path).findings
    assert (problem.code, problem.line) == ("no-limit", 2)
    orphans = "19b 19c 19d ESWNRGWh +E wall"
    with pytest.raises(RulesetError, match="multiple of the limit is paid for `orphans`"):
        mjasp.score(orphans, rules=path)
    assert mjasp.score(orphans, rules=path, limit=300).total == 300
    assert mjasp.score(HAND, rules=path).total == mjasp.score(HAND, rules="mahjiang").total
    assert main(["score", orphans, "--rules", path]) == 2


# ---- What a file reaches


def test_a_file_in_the_working_directory_takes_no_shipped_name(write: Write) -> None:
    write("going_out. this is no program", "european-classical.lp")
    assert mjasp.Engine("european-classical").score(HAND).total == 136
    assert refused("european-classical.lp") == "name-taken"


def test_a_name_both_shipped_and_in_the_folder_is_refused(write: Write) -> None:
    write("", "european-classical.lp")
    assert refused(write(INCLUDE)) == "ambiguous-include"


def test_includes_are_found_beside_the_file_and_not_in_the_working_directory(
    write: Write, tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    write("this is no program", "house.lp")
    write(INCLUDE + "change_limit(77).", "sub/house.lp")
    write('#include "house.lp".', "sub/club.lp")
    assert mjasp.ruleset("sub/club.lp").limit == 77


@pytest.mark.parametrize(
    "name", ["../secret.lp", "sub/secret.lp", "/etc/passwd", "link.lp", "notes.txt"]
)
def test_nothing_outside_the_folder_is_read(write: Write, tmp_path: Path, name: str) -> None:
    club = tmp_path / "club"
    (club / "sub").mkdir(parents=True)
    for secret in (tmp_path / "secret.lp", club / "sub" / "secret.lp", club / "notes.txt"):
        secret.write_text("the secret sentence", encoding="utf-8")
    (club / "link.lp").symlink_to(tmp_path / "secret.lp")
    write(f'#include "{name}".', "club/club.lp")
    with pytest.raises(RulesetError) as raised:
        mjasp.Engine("club/club.lp")
    assert raised.value.problems[0].code == "include-outside"
    assert "secret sentence" not in raised.value.render()


def test_a_symlink_to_a_file_of_its_folder_is_that_file(write: Write, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    write('#include "house.lp".', "real/theirs.lp")
    write(INCLUDE + "change_limit(77).", "real/house.lp")
    (tmp_path / "real" / "ours.lp").symlink_to(tmp_path / "real" / "theirs.lp")
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    assert mjasp.ruleset("real/ours.lp").limit == 77
    assert mjasp.ruleset("linked/ours.lp").limit == 77


@pytest.mark.parametrize("secret", ["secret.lp", "club/secret.txt", "/etc/passwd"])
def test_a_symlink_to_any_other_file_is_refused(
    write: Write, tmp_path: Path, secret: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "club").mkdir()
    if not secret.startswith("/"):
        write("the root:x sentence", secret)
    (tmp_path / "club" / "link.lp").symlink_to(tmp_path / secret)
    assert refused("club/link.lp") == "link-outside"
    for told in (["rules", "club/link.lp"], ["score", HAND, "--rules", "club/link.lp"]):
        assert main(told) == 2
    assert main(["rules", "--check", "club/link.lp"]) == 2
    assert "root:x" not in "".join(capsys.readouterr())


def test_a_path_to_a_shipped_file_is_that_rule_set() -> None:
    path = Path(load.__code__.co_filename).parents[1] / "encodings" / "rulesets" / "bmja.lp"
    assert load(str(path)) == load("bmja")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('a. #include "house.lp" .', "include"),
        ('#include\n"house.lp".', "include"),
        ('% #include "house.lp".', "nothing"),
        ('%* #include "house.lp". *%', "nothing"),
        ('doubt(a, "#include").', "bad-include"),
        ("#include <incmode>.", "bad-include"),
        ('#script (lua) %* #end. #include "house.lp". %*% *% #end.', "unfinished"),
        ('a("\\"). #include "house.lp". b("").', "bad-include"),
    ],
)
def test_an_include_is_what_it_looks_like(write: Write, text: str, code: str) -> None:
    write("", "house.lp")
    path = write(text)
    if code in {"include", "nothing"}:
        assert len(load(path).own) == (2 if code == "include" else 1)
    else:
        assert refused(path) == code


@pytest.mark.parametrize(
    "number",
    ["2147483648", "4294967396", "99999999999", "9" * 5000, "0x100000064", "0b1" + "0" * 32],
)
def test_a_number_too_high_is_told_where_it_stands(write: Write, number: str) -> None:
    path = write(f'{INCLUDE}% {number}\ntext(our, "{number}").\nchange_limit({number}).')
    ((problem,),) = (error.problems for error in check(path).errors)
    assert (problem.code, problem.line, problem.column) == ("bad-number", 4, 14)
    assert refused(path) == "bad-number"


def test_a_name_may_end_in_a_high_number(write: Write) -> None:
    path = write(f"{INCLUDE}holds(a99999999999, hand) :- won. change_limit(0x64).")
    assert mjasp.ruleset(path).limit == 100


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("no.lp", "there is no file"),
        ("nul\0.lp", "there is no file"),
        ("loop.lp", "there is no file"),
        ("folder.lp", "is no file that can be read"),
        ("pipe.lp", "is no file that can be read"),
    ],
)
def test_what_is_no_file(write: Write, tmp_path: Path, path: str, told: str) -> None:
    write("")
    (tmp_path / "folder.lp").mkdir()
    (tmp_path / "loop.lp").symlink_to(tmp_path / "loop.lp")
    os.mkfifo(tmp_path / "pipe.lp")
    assert refused(path) == "no-ruleset-file"
    with pytest.raises(RulesetError, match=told):
        load(path)


@pytest.mark.usefixtures("write")
def test_what_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "club.lp").write_bytes(b"% \xff")
    assert refused("club.lp") == "no-text"
    (tmp_path / "club.lp").write_bytes(b"% a club\n" * 40_000)
    assert refused("club.lp") == "ruleset-too-long"
    (tmp_path / "club.lp").write_bytes(b"\xef\xbb\xbf" + INCLUDE.encode().replace(b"\n", b"\r\n"))
    assert mjasp.ruleset("club.lp").limit == 500


def test_a_file_that_changes_is_read_anew(write: Write) -> None:
    for limit in (100, 200):
        path = write(f"{INCLUDE}change_limit({limit}).")
        assert mjasp.ruleset(path).limit == limit
        assert mjasp.score("(EEEE) (RRRR) GGG 99d 11d +1d wall", rules=path).total == limit


def test_a_file_is_looked_at_once(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(f"{INCLUDE}change_limit(1234).")
    engine = mjasp.Engine(path)
    monkeypatch.setattr("subprocess.run", None)
    assert mjasp.Engine(path).waits(HAND) == engine.waits(HAND)


# ---- What stops a file

SLOW = "n(1..30000). holds(mine, hand) :- n(X), n(Y), X + Y = 60001."
# Wide atoms: the memory is full well before the time is over, also on a slow machine.
WIDE = 800
HOG = f"""n(1..3000).
p(X, Y{", X" * WIDE}) :- n(X), n(Y).
holds(mine, hand) :- p(X, Y{", _" * WIDE})."""
DEEP = f"holds(mine, hand) :- tile(X), won, helper({'f(' * 4000}X{')' * 4000}). helper(1)."


@pytest.mark.parametrize(
    ("text", "why"),
    [(SLOW, "5 seconds"), (HOG, "512 MB"), (DEEP, "512 MB")],
    ids=["slow", "hog", "deep"],
)
def test_a_file_that_asks_for_too_much_is_stopped(write: Write, text: str, why: str) -> None:
    path = write(INCLUDE + text)
    before = processor_time_of_children()
    with pytest.raises(RulesetError, match=f"club.lp cannot be used: .* {why}"):
        mjasp.Engine(path)
    assert processor_time_of_children() - before < 8


def processor_time_of_children() -> float:
    used = os.times()
    return used.children_user + used.children_system


def test_a_script_is_not_run(write: Write, tmp_path: Path) -> None:
    script = '#script (python)\nimport pathlib\npathlib.Path("ran").touch()\n#end.\n'
    assert refused(write(INCLUDE + script)) == "refused"
    assert refused(write(INCLUDE + 'holds(mine, hand) :- @touch("ran") = 1.')) == "refused"
    assert not (tmp_path / "ran").exists()


def test_modules_in_the_working_directory_are_not_imported(write: Write, tmp_path: Path) -> None:
    for name in ("clingo.py", "json.py", "mjasp.py"):
        write('import pathlib; pathlib.Path("ran").touch()', name)
    mjasp.Engine(write(INCLUDE + "change_limit(4321)."))
    assert not (tmp_path / "ran").exists()


def test_shipped_rule_sets_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.run", None)
    assert mjasp.Engine("european-classical").score(HAND).total == 136


def test_a_fault_of_the_program_is_none_of_the_file(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mjasp.ruleset_guard._START", "raise SystemExit(1)")
    with pytest.raises(RuntimeError):
        mjasp.Engine(write(f"{INCLUDE}change_limit(999)."))


# ---- The command


def test_check_tells_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--check", str(CLUBS / "bad" / "twice.lp"), "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["ruleset"]) == ("mjasp/check/1", "twice")
    assert [(each["file"], each["line"]) for each in told["findings"]] == [
        ("twice.lp", 2),
        ("twice.lp", 3),
    ]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--check", str(CLUBS / "good" / "only-includes.lp")], 0),
        (["--check", str(CLUBS / "bad" / "no-such.lp")], 1),
        (["--check", "nowhere.lp"], 2),
        (["--check", "bmja"], 2),
        (["bmja", "--check", "club.lp"], 2),
    ],
)
def test_exit_status_of_check(arguments: list[str], status: int) -> None:
    assert main(["rules", *arguments]) == status


def test_what_is_not_decided_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(*_: object, **__: object) -> None:
        raise Undecided

    monkeypatch.setattr(Program, "find", give_up)
    found = check(str(CLUBS / "bad" / "never.lp"))
    assert {problem.code for problem in found.findings} == {"not-decided", "unused-condition"}


def test_all_questions_together_have_an_end(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = 'rule({0}, "{0}", winner). cites({0}, our, "1"). condition({0}, four_chows).'
    names = [f"r{number}" for number in range(60)]
    rules = "\n".join(f"{rule.format(name)} value({name}, points, 1)." for name in names)
    path = write(f'{INCLUDE}text(our, "Ours").\n{rules}')
    found = {problem.message for problem in check(path).findings}
    assert found == {f"the rules `r0` and `{name}` always fire together" for name in names[1:]}
    monkeypatch.setattr("mjasp.ruleset_check._SECONDS_IN_ALL", 0)
    (problem,) = check(path).findings
    assert problem.code == "not-decided"
    assert "`r0` and 59 more rules" in problem.message


# ---- The hand left open

_OPEN = ("held/2", "declared/3", "won_on/1", "source/1", "bonus/1", "seat/1", "round/1")
_EVENTS = ("last_tile", "first_turn", "original_call", "kong_on_kong", "fishing")
_TILES = {facts.tile_term(tile): tile for tile in Tile}
_WINDS = {"east": Wind.EAST, "south": Wind.SOUTH, "west": Wind.WEST, "north": Wind.NORTH}


@pytest.mark.parametrize("rules", shipped())
def test_every_rule_can_fire_for_some_hand_that_there_can_be(rules: str) -> None:
    shown = [f"#show {each}." for each in (*_OPEN, *(f"{event}/0" for event in _EVENTS))]
    program = Program([*texts("open", rules), *shown], as_it_is)
    for (rule,) in program.written("in_force", 1):
        model = program.find([f"pays_out({rule})"], seconds=10)
        assert model is not None, rule
        _hand(model)  # raises where there can be no such hand


def _hand(model: list[Term]) -> Hand:
    atoms = [term if isinstance(term, tuple) else (term,) for term in model]

    def of(predicate: str) -> list[tuple[Any, ...]]:
        return [tuple(atom[1:]) for atom in atoms if atom[0] == predicate]

    winning = [_tile(tile) for (tile,) in of("won_on")]
    return Hand(
        concealed=tuple(_tile(tile) for tile, _ in of("held")),
        declared=tuple(_declared(meld, making) for meld, making, _ in of("declared")),
        bonus=tuple(_tile(tile) for (tile,) in of("bonus")),
        winning=winning[0] if winning else None,
        source=Source(of("source")[0][0]) if winning else None,
        events=frozenset(Event(each.replace("_", "-")) for each in _EVENTS if of(each)),
        seat=_WINDS[of("seat")[0][0]],
        round=_WINDS[of("round")[0][0]],
    )


def _declared(term: Term, making: str) -> Meld:
    meld = _meld(term)
    return Meld(
        meld.kind,
        meld.tiles,
        exposed=making != "concealed" or meld.kind is not Kind.KONG,
        declared=True,
        claimed=making == "claimed",
    )


def _tile(term: Any) -> Tile:  # noqa: ANN401 - a term has many forms
    return _TILES[f"{term[0]}({','.join(map(str, term[1:]))})"]


def _meld(term: Any) -> Meld:  # noqa: ANN401 - as above
    kind, (name, *rest) = Kind(term[0]), term[1]
    if kind is Kind.CHOW:
        return Meld(kind, tuple(_tile((name, rest[0], rest[1] + step)) for step in range(3)))
    return Meld(kind, (_tile(term[1]),) * (4 if kind is Kind.KONG else 3))
