"""Every accent color has shades with enough contrast."""

import random

from formwright.core.colors import MIN_CONTRAST, contrast, dark_shades, is_color, light_shades


def test_text_in_any_accent_color_is_readable() -> None:
    chosen = random.Random(7)
    colors = ["#000000", "#ffffff", "#ffff00", "#808080", *(f"#{chosen.randrange(1 << 24):06x}" for _ in range(500))]
    for color in colors:
        for shades, ground in ((light_shades(color), "#f6f7f9"), (dark_shades(color), "#222733")):
            pairs = [(shades.accent, ground), (shades.accent, shades.soft), (shades.strong, shades.soft)]
            pairs += [(shades.on_accent, shades.accent), (shades.on_accent, shades.strong)]
            assert all(contrast(*pair) >= MIN_CONTRAST for pair in pairs), (color, shades)


def test_a_color_that_is_readable_stays_as_it_is() -> None:
    assert light_shades("#2355c8").accent == "#2355c8"
    assert dark_shades("#8fb1ff").accent == "#8fb1ff"
    for text in ("", "red", "#abc", "#2355C8", "#2355c8;}", "#2355c8\n"):
        assert not is_color(text), text
