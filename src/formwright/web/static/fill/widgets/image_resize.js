// Photos of phones are often too large for a poor network: above a few megabytes, they are scaled down.

const MAX_BYTES = 3 * 1024 * 1024;
const MAX_SIDE_PX = 2560;

export async function shrinkImage(file) {
  if (file.size <= MAX_BYTES) return file;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE_PX / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
    return blob && blob.size < file.size ? blob : file;
  } catch {
    // A format that this browser cannot decode is kept as it is.
    return file;
  }
}
