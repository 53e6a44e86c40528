"""Write all generated modules, and remove those that are no longer generated."""

import json

from scripts.client.modules import DOCUMENT, existing_modules, generate_modules

modules = generate_modules(json.loads(DOCUMENT.read_text(encoding="utf-8")))
for path in existing_modules() - modules.keys():
    path.unlink()
for path, text in modules.items():
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
