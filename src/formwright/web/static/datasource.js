// Data sources: a file is dropped or chosen and sent with its progress; what is chosen in the preview takes effect at
// once; long work is watched. Without script the same forms do the same, a button at a time.

import { ready } from "./datasource/pages.js";

ready(document);
