"""The account record."""

from dataclasses import dataclass

from formwright.core.colors import light_shades


@dataclass(frozen=True, slots=True)
class Customer:
    """An account. Times are in milliseconds.

    `accent_color` is a color such as `#2355c8`, `sender_name` the name of the sender of emails, and `logo` the name of
    the logo's file; they are empty for the default and no logo.
    """

    id: str
    name: str
    locale: str
    time_zone: str
    created: int
    updated: int
    revision: int
    accent_color: str = ""
    sender_name: str = ""
    logo: str = ""

    @property
    def logo_path(self) -> str:
        """The path of the logo, which everyone may load; empty if there is none."""
        return f"/fill/branding/{self.id}/{self.logo}" if self.logo else ""

    @property
    def print_color(self) -> str:
        """The shade of the accent color that is readable on white; empty for the default."""
        return light_shades(self.accent_color).accent if self.accent_color else ""
