"""How a number that differs can have come about: as a document for people and as JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from mjasp.derivation import arguments_of, name_of
from mjasp.dispute import Dispute
from mjasp.mistakes import Account, Mistake
from mjasp.models import Award, tiles_of
from mjasp.notation import write
from mjasp.render.document import (
    Block,
    Column,
    Document,
    Fact,
    Facts,
    Items,
    Lead,
    Paragraph,
    Remark,
    Section,
    Table,
)
from mjasp.render.draw import draw_sets, share
from mjasp.render.json import award_dict, interpretation_dict
from mjasp.render.trace import amount_of, award_name, counted_as
from mjasp.render.unknown import traced
from mjasp.tiles import Tile, Wind, written
from mjasp.words import Words

__all__ = ["dispute_dict", "dispute_document"]

_NOT = "-"


def dispute_dict(dispute: Dispute, language: str = "en") -> dict[str, Any]:
    """A dispute as `mjasp/dispute/1`."""
    words = _words(dispute, language)
    return {
        "schema": "mjasp/dispute/1",
        "ruleset": dispute.ruleset.id,
        "hand": write(dispute.score.given),
        "claimed": dispute.claimed,
        "total": dispute.score.total,
        "complete": dispute.complete,
        "answer": _answer(dispute, words),
        "accounts": [
            {
                "mistakes": [
                    {
                        "kind": each.kind,
                        "text": _text(dispute, account, each, words),
                        **_about(each, words),
                    }
                    for each in account.mistakes
                ],
                "total": account.total,
                "trace": [award_dict(award, words) for award in account.fired],
                "steps": _steps(account, words),
            }
            for account in dispute.accounts
        ],
    }


def dispute_document(dispute: Dispute, language: str = "en") -> Document:
    """The answer, then each account: what was got wrong, and its trace beside the right one.

    The first account is told in full, of the others what differs.
    """
    words = _words(dispute, language)
    answer = _answer(dispute, words)
    facts = Facts(
        (
            Fact(words.say("hand"), write(dispute.score.given), "code"),
            Fact(words.say("rules"), dispute.ruleset.id),
            *traced(dispute.score, words),
        )
    )
    blocks: list[Block] = [Lead(answer), facts]
    reasons = tuple(map(words.told, dispute.score.reasons))
    blocks.append(Section(words.say("why_no_win"), (Items(reasons),)))
    blocks += (
        _section(dispute, account, number, words)
        for number, account in enumerate(dispute.accounts, start=1)
        if account.mistakes
    )
    if not dispute.complete and dispute.accounts:
        blocks.append(Remark(words.account("incomplete")))
    return Document(answer, language, tuple(blocks))


def _words(dispute: Dispute, language: str) -> Words:
    return Words(language, dispute.ruleset.rules, dispute.described)


def _answer(dispute: Dispute, words: Words) -> str:
    score, accounts = dispute.score, dispute.accounts
    if not accounts:
        key = "none" if dispute.complete else "too_long"
    elif not accounts[0].mistakes:
        key = "right"
    else:
        key = "one" if len(accounts[0].mistakes) == 1 else "several"
    if score.outcome == "false-win" and key != "too_long":
        key = f"{key}_lost"
    number = len(accounts[0].mistakes) if accounts else 0
    return words.account(key, claimed=dispute.claimed, total=score.best.total, number=number)


# ---- One account


def _section(dispute: Dispute, account: Account, number: int, words: Words) -> Section:
    kinds = words.listed(words.account(f"kind_{each.kind}") for each in account.mistakes)
    texts = [_text(dispute, account, each, words) for each in account.mistakes]
    sentences = tuple(Paragraph(f"{text[0].upper()}{text[1:]}.") for text in texts)
    told = [*_rows(dispute, account, words, every=number == 1)]  # none, if the awards are right
    sum_ = (words.account("sum"), "", str(dispute.score.best.total), str(account.total))
    columns = (
        Column(words.say("rule"), width=41),
        Column(words.say("tiles"), width=9),
        Column(words.account("counted"), right=True, width=14),
        Column(words.account("claimed"), right=True, width=14),
    )
    rows = (*(row for row, _ in told), sum_)
    table = Table(columns, rows, headed=True, drawn=tuple(drawn for _, drawn in told))
    best = dispute.score.best
    right = Account((), best, best.fired, best.total, dispute.score.limit, dispute.cap)
    sums = (
        Paragraph(
            words.account("steps", who=words.account(key), steps=words.apart(_steps(each, words)))
        )
        for key, each in (("counted", right), ("claimed", account))
        if number == 1 or each is account
    )
    return Section(f"{number}. {kinds[0].upper()}{kinds[1:]}", (*sentences, table, *sums))


def _rows(
    dispute: Dispute, account: Account, words: Words, *, every: bool
) -> Iterator[tuple[tuple[str, str, str, str], tuple[tuple[Tile, ...]]]]:
    """The awards that count, beside those that were counted; without `every` those that differ.

    Each with its tiles.
    """
    pairs: defaultdict[tuple[object, ...], tuple[list[Award], list[Award]]]
    pairs = defaultdict(lambda: ([], []))
    for side, awards in enumerate((dispute.score.best.fired, account.fired)):
        for award in awards:
            pairs[award.rule, award.tiles, award.part][side].append(award)
    for ours, theirs in pairs.values():
        for at in range(max(len(ours), len(theirs))):
            right, claimed = ours[at : at + 1], theirs[at : at + 1]
            if every or _paid(right) != _paid(claimed):
                first = (right or claimed)[0]
                same = not (right and claimed) or right[0].state == claimed[0].state
                name = award_name(first if same else _stateless(first), words)
                paid = _amount(right, words), _amount(claimed, words)
                yield (name, written(first.tiles), *paid), (first.tiles,)


def _stateless(award: Award) -> Award:
    return replace(award, name=award.name.removesuffix(f", {award.state}"), state="")


def _paid(awards: Sequence[Award]) -> list[tuple[object, ...]]:
    return [(award.points, award.doubles, award.limits) for award in awards]


def _amount(awards: Sequence[Award], words: Words) -> str:
    if not awards:
        return _NOT
    limits = awards[0].limits
    return f"{limits} x {words.say('limit').lower()}" if limits else amount_of(awards[0], words)


# ---- The sum


def _steps(account: Account, words: Words) -> list[str]:
    """The sum written out, from the awards to the total."""
    steps: list[str] = []
    terms: list[int] = []
    limits = sum((award.limits for award in account.fired), Fraction(0))
    if limits:
        terms.append(int(limits * (account.limit or 0)))
        steps.append(f"{share(limits, account.limit, words)} = {terms[-1]}")
    for part in ("hand", "bonus"):
        counted = [each for each in account.fired if each.part == part and not each.limits]
        if counted or not (terms or part == "bonus"):
            terms.append(_sum(counted, steps, words, added=account.added and part == "hand"))
    if len(terms) > 1:
        steps.append(f"{' + '.join(map(str, terms))} = {sum(terms)}")
    if account.cap is not None and sum(terms) > account.cap:
        steps.append(
            words.say("over_the_limit", uncapped=sum(terms), limit=account.cap).rstrip(".")
        )
    return steps


def _sum(awards: Sequence[Award], steps: list[str], words: Words, *, added: bool) -> int:
    """The worth of one part; what leads to it is put after the steps."""
    paying = [str(award.points) for award in awards if award.points]
    doubles = sum(award.doubles for award in awards)
    value = sum(map(int, paying))
    told = f" = {value}" if len(paying) > 1 else ""
    steps.append(f"{' + '.join(paying) or 0}{told}")
    if not doubles:
        return value
    if added:
        worth = value * 2 * doubles
        times = 2 * doubles
        steps.append(words.account("added", points=value, times=times, worth=worth))
    else:
        worth = value << doubles
        steps.append(f"{value}{' x 2' * doubles} = {worth}")
    return worth


# ---- One mistake


def _text(dispute: Dispute, account: Account, mistake: Mistake, words: Words) -> str:
    """What was got wrong, in a sentence without its full stop."""
    if mistake.awards:
        return _of_awards(mistake, words)
    if mistake.kind == "reading":
        reading, value = arguments_of(mistake.change)
        return words.account("reading", reading=reading, value=value)
    if mistake.change:
        return words.mistake(mistake.change)
    read = mistake.interpretation
    doubles = sum(award.doubles for award in account.fired if award.part == "hand")
    return words.account(
        mistake.kind,
        sets=read and draw_sets(read.sets, dispute.score.hand.winning),
        count=read and counted_as(read, words),
        ruleset=mistake.ruleset and mistake.ruleset.name,
        limit=account.limit,
        number=doubles,
        times=2 * doubles,
    )


def _of_awards(mistake: Mistake, words: Words) -> str:
    """What was got wrong with awards."""
    first, *more = mistake.awards
    if more:
        name = award_name(first, words)
        return words.account("forgotten_all", award=name, times=len(mistake.awards))
    key: str = mistake.kind
    if mistake.instead:
        key = f"paid_{mistake.instead.state}"
    elif mistake.kind == "wrongly-counted" and not mistake.because:
        key = "wrongly-counted_plainly"
    because = "".join(map(words.sentence, mistake.because[:1]))
    return words.account(key, award=_named(first, words), because=because)


def _named(award: Award, words: Words) -> str:
    name = award_name(award, words)
    return f"{name} ({written(award.tiles)})" if award.tiles else name


def _about(mistake: Mistake, words: Words) -> dict[str, Any]:
    """What a mistake is about, for programs."""
    about: dict[str, Any] = {}
    if mistake.change:
        name, arguments = name_of(mistake.change), arguments_of(mistake.change)
        about["what"] = name
        if mistake.kind == "reading":
            about |= {"reading": arguments[0], "value": arguments[1]}
        elif mistake.kind in {"seat", "round"}:
            about["value"] = str(Wind[str(arguments[0]).upper()])
        elif arguments:
            tiles = tiles_of(arguments[0])
            about |= {"tiles": list(map(str, tiles))} if tiles else {"value": arguments[0]}
    if mistake.awards:
        award = mistake.awards[0]
        about |= {"rule": award.rule, "tiles": list(map(str, award.tiles))}
    if mistake.because:
        about["because"] = list(map(words.sentence, mistake.because))
    if mistake.interpretation:
        about["interpretation"] = interpretation_dict(mistake.interpretation, words)
    if mistake.ruleset:
        about["ruleset"] = mistake.ruleset.id
    return about
