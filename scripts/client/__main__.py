"""Write all modules, and remove those that the document no longer needs."""

import json

from scripts.client.modules import DOCUMENT, made, standing

modules = made(json.loads(DOCUMENT.read_text(encoding="utf-8")))
for place in standing() - modules.keys():
    place.unlink()
for place, text in modules.items():
    place.parent.mkdir(exist_ok=True)
    place.write_text(text, encoding="utf-8")
