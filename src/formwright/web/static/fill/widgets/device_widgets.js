// The widgets that use the camera, the microphone, the position or the screen of the device, loaded by forms with such fields.

import { renderBarcode } from "./barcode.js";
import { renderFileUpload } from "./file_upload.js";
import { renderLocation } from "./location.js";
import { renderPointList } from "./point_list.js";
import { renderSignature } from "./signature.js";

export { setBasemap } from "./map_picker.js";

export const DEVICE_WIDGETS = {
  photo: renderFileUpload,
  audio: renderFileUpload,
  video: renderFileUpload,
  file: renderFileUpload,
  signature: renderSignature,
  location: renderLocation,
  line: renderPointList,
  area: renderPointList,
  barcode: renderBarcode,
};
