"""The folders with the fonts of reports."""

import sysconfig
from pathlib import Path

FONT_FOLDERS = [Path(__file__).parent / "fonts", Path(sysconfig.get_path("purelib"), "cvttf_NotoSansCJK_Regular")]
