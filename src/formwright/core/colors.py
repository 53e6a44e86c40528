"""Colors with enough contrast for text (WCAG 2.2, success criterion 1.4.3)."""

import re
from dataclasses import dataclass

MIN_CONTRAST = 4.5
"""The contrast that text of normal size needs (WCAG 2.2, 1.4.3)."""
_COLOR = re.compile(r"#[0-9a-f]{6}")
_STEPS = 50
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)
# The same colors as `--ground` of light and `--raised` of dark pages in `tokens.css`.
_LIGHT_GROUND, _DARK_GROUND = (246, 247, 249), (34, 39, 51)
_DARK_TEXT = (14, 21, 38)
_Rgb = tuple[int, int, int]


def is_color(text: str) -> bool:
    """Return whether this is a color such as `#2355c8`, in lower case."""
    return bool(_COLOR.fullmatch(text))


@dataclass(frozen=True, slots=True)
class AccentShades:
    """The shades of an accent color for one color scheme, as `#rrggbb`.

    `accent` and `strong` are readable as text on the page and on `soft`; `on_accent` is readable on both.
    """

    accent: str
    strong: str
    soft: str
    on_accent: str


def light_shades(color: str) -> AccentShades:
    """Return the shades for light pages: the color itself if it is dark enough, else the nearest darker one."""
    own = _parse(color)
    soft = _mix(own, _WHITE, 0.9)
    accent = _move(own, _BLACK, (_LIGHT_GROUND, soft))
    return AccentShades(_format(accent), _format(_mix(accent, _BLACK, 0.25)), _format(soft), _format(_WHITE))


def dark_shades(color: str) -> AccentShades:
    """Return the shades for dark pages: the color itself if it is light enough, else the nearest lighter one."""
    own = _parse(color)
    soft = _mix(own, _DARK_GROUND, 0.8)
    accent = _move(own, _WHITE, (_DARK_GROUND, soft))
    return AccentShades(_format(accent), _format(_mix(accent, _WHITE, 0.25)), _format(soft), _format(_DARK_TEXT))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colors, from 1 to 21."""
    return _contrast(_parse(one), _parse(other))


def _move(color: _Rgb, towards: _Rgb, grounds: tuple[_Rgb, ...]) -> _Rgb:
    shades = (_mix(color, towards, step / _STEPS) for step in range(_STEPS + 1))
    # There is always one: the last shade is black or white, which contrasts enough with each of these grounds.
    return next(each for each in shades if all(_contrast(each, ground) >= MIN_CONTRAST for ground in grounds))


def _parse(color: str) -> _Rgb:
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue


def _format(color: _Rgb) -> str:
    return "#" + bytes(color).hex()


def _mix(color: _Rgb, other: _Rgb, share: float) -> _Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(color, other, strict=True))
    return red, green, blue


def _contrast(one: _Rgb, other: _Rgb) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: _Rgb) -> float:
    red, green, blue = (_linear(channel / 255) for channel in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    # Relative luminance as in WCAG 2.2. Before 2021, WCAG had 0.03928, which makes no difference for 8-bit channels.
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
