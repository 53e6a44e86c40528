"""An uploaded .xlsx, unpacked within the limits of a form."""

import io

from formwright.core.kernel.errors import Invalid
from formwright.core.kernel.workbook import Limits, Unpacked
from formwright.core.kernel.workbook import unpack as unpack_within
from formwright.core.kernel.workbook_part import Unusable
from formwright.domain.forms.xlsform import limits

_LIMITS = Limits(limits.MAX_FILE, limits.MAX_UNPACKED, limits.MAX_CELLS, limits.MAX_TEXT)


def unpack(content: bytes) -> Unpacked:
    """The file with nothing in it that could exhaust us; `Invalid` says why it cannot be taken."""
    try:
        return unpack_within(io.BytesIO(content), _LIMITS)
    except Unusable as error:
        raise Invalid.at("", f"xlsform.{error.code}", error.detail) from None
