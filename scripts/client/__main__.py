"""Write all modules anew, and take away those that nothing in the document asks for any more."""

import json

from scripts.client.modules import DOCUMENT, made, standing

modules = made(json.loads(DOCUMENT.read_text(encoding="utf-8")))
for place in standing() - modules.keys():
    place.unlink()
for place, text in modules.items():
    place.parent.mkdir(exist_ok=True)
    place.write_text(text, encoding="utf-8")
