// Data sources: a dropped or chosen file is uploaded with a progress bar, changes in the preview apply immediately, and
// long-running work is watched. Without JavaScript, the same forms work with one button per step.

import { ready } from "./datasource/page_replacement.js";

ready(document);
