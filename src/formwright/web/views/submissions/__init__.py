"""Pages of submissions: list, detail, editing and exports."""
