// A phone's photo is often larger than one bar of network bears: above a few megabytes it is drawn anew, smaller.

const HEAVY = 3 * 1024 * 1024;
const SIDE = 2560;

export async function smaller(file) {
  if (file.size <= HEAVY) return file;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
    return blob && blob.size < file.size ? blob : file;
  } catch {
    // A kind that this browser cannot draw goes as it is.
    return file;
  }
}
