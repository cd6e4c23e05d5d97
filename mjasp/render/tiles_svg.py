"""Tiles as drawings of our own: SVG that tells them apart at 32 pixels, and without colour.

A tile is 64 wide and 88 high. Each kind is drawn once on a page, as a symbol that is used wherever
such a tile lies. Characters are drawn as strokes, so that no font need know them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from mjasp.tiles import Tile, by_order

__all__ = ["symbols", "tile_svg"]

_INK, _RED, _GREEN, _BLUE = "#1d1d1f", "#b3261e", "#17692f", "#1c4a94"
_FACE = (
    '<rect x="1" y="1" width="62" height="86" rx="7" fill="#fffdf4" stroke="#6b6558"'
    ' stroke-width="2"/>'
)
_MARK = (
    '<rect x="2" y="2" width="60" height="84" rx="6" fill="none" stroke="#b3261e"'
    ' stroke-width="5"/><circle cx="57" cy="82" r="12" fill="#b3261e"/>'
    '<path d="M57 74V90M49 82H65" stroke="#fff" stroke-width="4"/>'
)

# Strokes of the characters, each a line through points of a square 100 wide.
_NUMERALS = (
    "10,50 90,50",
    "20,26 80,26|8,78 92,78",
    "16,18 84,18|24,50 76,50|8,84 92,84",
    "12,22 88,22 88,84 12,84 12,22|40,22 38,46 24,62|62,22 62,56 78,56",
    "16,14 84,14|50,14 38,84|24,48 74,48 70,84|6,84 94,84",
    "46,4 56,20|6,36 94,36|36,52 12,90|62,52 88,90",
    "8,50 92,34|44,8 44,76 52,84 84,84 88,68",
    "38,18 32,52 10,86|58,12 68,52 92,86",
    "12,34 68,34 68,76 76,86 90,86 92,70|42,8 38,52 10,88",
)
_MYRIAD = "6,14 94,14|44,14 38,56 8,92|40,46 80,46 74,84 62,92 52,86"
_HONOURS = {
    Tile.E: "8,16 92,16|50,2 50,98|20,30 80,30 80,64 20,64 20,30|20,47 80,47|46,64 8,94"
    "|54,64 92,94",
    Tile.S: "16,14 84,14|50,2 50,32|12,98 12,32 88,32 88,92 78,96|36,42 42,52|64,42 58,52"
    "|28,58 72,58|24,75 76,75|50,58 50,96",
    Tile.W: "6,10 94,10|12,34 88,34 88,94 12,94 12,34|38,10 38,54 24,72|62,10 62,62 80,66",
    Tile.N: "36,6 36,96|8,34 36,34|4,84 36,68|62,6 62,82 70,90 94,90 96,72|92,24 62,46",
    Tile.R: "12,26 88,26 88,64 12,64 12,26|50,2 50,98",
    Tile.G: "14,12 42,12 8,44|16,22 28,30|58,4 92,44|78,6 66,20|90,20 74,30"
    "|14,52 44,52 44,64 18,64 16,78 44,78 42,94 32,98|60,48 58,58 50,66|60,48 80,48 80,60 92,64"
    "|54,72 84,72 52,98|58,76 92,98",
}
_HONOUR_INK = {Tile.R: _RED, Tile.G: _GREEN}

# Where the middles of dots and of sticks lie, row by row: how many, and between them how far.
_ROWS = {
    2: (1, 1),
    3: (1, 1, 1),
    4: (2, 2),
    5: (2, 1, 2),
    6: (2, 2, 2),
    7: (1, 3, 3),
    8: (3, 2, 3),
    9: (3, 3, 3),
}


def symbols(tiles: Iterable[Tile]) -> str:
    """The drawings of these kinds of tile, to stand once on a page before they are used."""
    drawn = (
        f'<symbol id="tile-{tile}" viewBox="0 0 64 88">{_FACE}{_index(tile)}{_drawn(tile)}</symbol>'
        for tile in sorted(set(tiles), key=by_order)
    )
    return f'<svg class="symbols" width="0" height="0" aria-hidden="true">{"".join(drawn)}</svg>'


def tile_svg(tile: Tile, name: str, *, marked: bool = False) -> str:
    """A tile on a page that has its symbol; `name` is read aloud and shown on pointing.

    A `marked` one has a frame and a plus.

    >>> tile_svg(Tile.E, "east").startswith('<svg class="tile" viewBox="0 0 64 88" role="img"')
    True
    """
    told = escape(name)
    mark = f"<g>{_MARK}</g>" if marked else ""
    return (
        f'<svg class="tile" viewBox="0 0 64 88" role="img" aria-label="{told}">'
        f'<title>{told}</title><use href="#tile-{tile}"/>{mark}</svg>'
    )


def _index(tile: Tile) -> str:
    """What is written in the corner: the rank, or the letters of the notation."""
    text = str(tile.rank or tile)
    return (
        f'<text x="6" y="22" font-family="system-ui,Arial,sans-serif" font-size="20"'
        f' font-weight="700" fill="{_INK}">{text}</text>'
    )


def _drawn(tile: Tile) -> str:
    if tile.is_bonus:
        return _PICTURES[tile]()
    if tile.rank:
        return _SUITS[str(tile.suit)](tile.rank)
    if tile is Tile.WH:
        return (
            f'<path d="M12 30H52V80H12ZM18 36H46V74H18Z" fill="none" stroke="{_BLUE}"'
            ' stroke-width="3.5"/>'
        )
    return _strokes(_HONOURS[tile], (9, 28, 46, 54), _HONOUR_INK.get(tile, _INK))


def _strokes(text: str, box: tuple[int, int, int, int], ink: str) -> str:
    """Strokes, of a square 100 wide, within a box: its corner, its width and height."""
    x, y, width, height = box
    lines = []
    for line in text.split("|"):
        points = (map(float, point.split(",")) for point in line.split())
        lines.append(
            "M"
            + "L".join(f"{x + a * width / 100:.1f} {y + b * height / 100:.1f}" for a, b in points)
        )
    return (
        f'<path d="{"".join(lines)}" fill="none" stroke="{ink}" stroke-width="4"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )


# ---- Suits


def _bamboo(rank: int) -> str:
    if rank == 1:
        return _bird()
    return _rows((1, 2) if rank == 3 else _ROWS[rank], _stick, 26 if rank < 5 else 18)


def _characters(rank: int) -> str:
    numeral = _strokes(_NUMERALS[rank - 1], (25, 7, 32, 34), _INK)
    return numeral + _strokes(_MYRIAD, (14, 47, 36, 33), _RED)


def _dots(rank: int) -> str:
    return _wheel() if rank == 1 else _rows(_ROWS[rank], _dot, 21 if rank < 7 else 17)


def _rows(rows: tuple[int, ...], piece: Callable[[float, float, int], str], size: int) -> str:
    """Pieces of a size in rows, as many as each row has."""
    gap = 20 if len(rows) == 3 else 28
    step = 18 if max(rows) == 3 else 24
    top = 55 - gap * (len(rows) - 1) / 2
    drawn = []
    for row, several in enumerate(rows):
        # Three rows of one go down a slope, as on the tile of three dots.
        slope = (row - 1) * 14 if rows == (1, 1, 1) else 0
        left = 32 + slope - step * (several - 1) / 2
        drawn += [piece(left + step * each, top + gap * row, size) for each in range(several)]
    return "".join(drawn)


def _dot(x: float, y: float, size: int) -> str:
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{size / 2 - 1.75:g}" fill="none" stroke="{_BLUE}"'
        f' stroke-width="3.5"/><circle cx="{x:g}" cy="{y:g}" r="2.8" fill="{_RED}"/>'
    )


def _stick(x: float, y: float, height: int) -> str:
    return (
        f'<rect x="{x - 3.5:g}" y="{y - height / 2:g}" width="7" height="{height:g}" rx="3.5"'
        f' fill="{_GREEN}"/><path d="M{x - 5:g} {y:g}h10" stroke="#fffdf4" stroke-width="2.4"/>'
    )


def _wheel() -> str:
    return (
        f'<g fill="none" stroke-width="4"><circle cx="32" cy="56" r="22" stroke="{_BLUE}"/>'
        f'<circle cx="32" cy="56" r="13" stroke="{_INK}" stroke-dasharray="4 3"/></g>'
        f'<circle cx="32" cy="56" r="6" fill="{_RED}"/>'
    )


def _bird() -> str:
    return (
        f'<path d="M18 70C14 54 24 42 36 42C36 34 42 28 48 32L56 36L49 39C52 56 42 68 28 68L14 82Z"'
        f' fill="{_GREEN}" stroke="{_INK}" stroke-width="2" stroke-linejoin="round"/>'
        f'<path d="M22 66C30 64 36 58 37 49M34 68V80M40 64V80M30 80H45" fill="none"'
        f' stroke="{_INK}" stroke-width="2.5"/><circle cx="44.5" cy="35.5" r="1.9" fill="#fff"/>'
    )


# ---- Flowers and seasons


def _around(several: int, shape: str, x: float = 32, y: float = 56) -> str:
    """A shape that points up from the middle, as often around it."""
    turns = (round(each * 360 / several, 1) for each in range(several))
    return "".join(f'<g transform="rotate({turn:g} {x:g} {y:g})">{shape}</g>' for turn in turns)


def _group(content: str, fill: str, width: float = 2) -> str:
    return (
        f'<g fill="{fill}" stroke="{_INK}" stroke-width="{width:g}" stroke-linejoin="round"'
        f' stroke-linecap="round">{content}</g>'
    )


def _plum() -> str:
    petals = _around(5, '<circle cx="32" cy="43" r="9.5"/>')
    return _group(petals, "#f3b6c0") + _group('<circle cx="32" cy="56" r="5"/>', "#f5d76e")


def _orchid() -> str:
    leaves = (
        '<path d="M30 84C26 66 18 54 8 48C22 48 32 62 33 84ZM34 84C38 64 46 56 58 56'
        'C46 62 40 70 37 84Z"/>'
    )
    petals = _around(3, '<path d="M33 44C26 38 28 30 33 26C38 30 40 38 33 44Z"/>', 33, 44)
    return _group(leaves + '<path d="M33 84V46"/>', "#5f9e6e") + _group(petals, "#c9a8e0")


def _chrysanthemum() -> str:
    petals = _around(12, '<ellipse cx="32" cy="40" rx="4.2" ry="13"/>')
    return _group(petals, "#f5d76e", 1.6) + _group('<circle cx="32" cy="56" r="6"/>', "#c77d2e")


def _bamboo_flower() -> str:
    stalk = '<path d="M26 84V66H34V84ZM26 64V47H34V64ZM26 45V28H34V45Z"/>'
    leaves = (
        '<path d="M35 46C42 34 50 32 58 32C54 42 46 48 35 46ZM35 66C42 56 50 54 57 56'
        'C52 64 44 68 35 66ZM25 64C18 54 12 52 6 54C10 62 18 66 25 64Z"/>'
    )
    return _group(stalk + leaves, "#5f9e6e")


def _spring() -> str:
    leaves = (
        '<path d="M32 56C18 54 12 44 12 32C26 34 32 44 32 56ZM32 62C44 60 52 52 52 40'
        'C40 42 32 50 32 62Z"/>'
    )
    ground = '<path d="M32 82V56M14 82H50" fill="none" stroke-width="3.5"/>'
    return _group(leaves + ground, "#8cc98f")


def _summer() -> str:
    rays = _around(8, '<path d="M32 38V30" stroke-width="4"/>')
    return _group(f'{rays}<circle cx="32" cy="56" r="13"/>', "#f5b942", 2.5)


def _autumn() -> str:
    leaf = (
        '<path d="M32 28L38 40L50 36L46 50L56 56L42 66L44 72L32 70L20 72L22 66L8 56L18 50L14 36'
        'L26 40Z"/><path d="M32 46V84M32 62L42 54M32 62L22 54" fill="none"/>'
    )
    return _group(leaf, "#e08a4a")


def _winter() -> str:
    ray = '<path d="M32 56V30M32 38L26 32M32 38L38 32M32 46L28 42M32 46L36 42" fill="none"/>'
    return f'<g stroke="{_BLUE}" stroke-width="3" stroke-linecap="round">{_around(6, ray)}</g>'


_SUITS: dict[str, Callable[[int], str]] = {"b": _bamboo, "c": _characters, "d": _dots}
_PICTURES: dict[Tile, Callable[[], str]] = {
    Tile.F1: _plum,
    Tile.F2: _orchid,
    Tile.F3: _chrysanthemum,
    Tile.F4: _bamboo_flower,
    Tile.S1: _spring,
    Tile.S2: _summer,
    Tile.S3: _autumn,
    Tile.S4: _winter,
}
