// Data sources: a dropped or chosen file is uploaded with a progress bar, changes in the preview apply immediately, and
// the progress of long-running work is shown. Without JavaScript, the same forms work with one button per step.

import { enableScripts } from "./datasource/page_replacement.js";

enableScripts(document);
