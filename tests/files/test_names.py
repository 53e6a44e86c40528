"""File names are safe where the file is saved."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.files.filenames import MAX_LENGTH, content_disposition, sanitize_filename


@pytest.mark.parametrize(
    ("given_name", "type_", "kept"),
    [
        ("Hafen 4 – Übersicht.JPG", "image/jpeg", "Hafen 4 – Übersicht.JPG"),
        ("../../etc/passwd", "text/plain", "passwd.txt"),
        ("C:\\Users\\me\\photo.jpg", "image/jpeg", "photo.jpg"),
        ("..", "image/png", "file.png"),
        ("", "image/png", "file.png"),
        (".png", "image/png", "png.png"),
        ("a\0b\r\nc.png", "image/png", "abc.png"),
        ("run.bat", "text/plain", "run.bat.txt"),
        ("photo\u202egnp.exe", "image/png", "photognp.exe.png"),
        ("\u2066a\u200f\u061c.\u202dpng", "image/png", "a.png"),
        ("x" * 300 + ".jpeg", "image/jpeg", "x" * 195 + ".jpeg"),
    ],
)
def test_sanitized_names(given_name: str, type_: str, kept: str) -> None:
    assert sanitize_filename(given_name, type_) == kept


@given(st.text(max_size=400), st.sampled_from(["image/png", "text/csv"]))
def test_every_name_is_a_single_name_with_a_suffix_of_its_type(text: str, type_: str) -> None:
    name = sanitize_filename(text, type_)
    assert name.lower().endswith({"image/png": ".png", "text/csv": ".csv"}[type_])
    assert 5 <= len(name) <= MAX_LENGTH
    assert not set(name) & set("/\\")
    assert all(unicodedata.category(letter) != "Cc" for letter in name)


def test_a_download_shows_its_real_suffix() -> None:
    header = content_disposition('a"b\u202egnp.exe\u2066.png')
    assert header == "attachment; filename=\"a_bgnp.exe.png\"; filename*=UTF-8''a%22bgnp.exe.png"
