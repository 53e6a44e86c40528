"""The pages of the platform, one package per area. Modules next to them are shared by several areas."""
