// @ts-check
// Share the newest turn as PNG: the browser draws the SVG, and the system's menu or a file takes the picture.
const SHARP = 2; // pixels of the picture for a pixel of the SVG

/** Return an SVG as PNG. @param {string} text @returns {Promise<Blob>} */
export async function toPng(text) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  await image.decode();
  const [width, height] = [image.naturalWidth * SHARP, image.naturalHeight * SHARP];
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const pen = canvas.getContext("2d");
  if (pen) pen.drawImage(image, 0, 0, width, height);
  return new Promise((give, fail) => canvas.toBlob((blob) => (blob ? give(blob) : fail(new Error("no picture")))));
}
/** Share a picture, or save the picture as a file. @param {string} text an SVG @param {string} name of the file */
export async function share(text, name) {
  const png = await toPng(text);
  const files = [new File([png], name, { type: "image/png" })];
  if (navigator.canShare && navigator.canShare({ files })) {
    try {
      return await navigator.share({ files });
    } catch (fault) {
      if (fault instanceof DOMException && fault.name === "AbortError") return;
    }
  }
  save(png, name);
}
/** Save a picture as a file. @param {Blob} png @param {string} name */
export function save(png, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(png), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const kept = /** @type {HTMLTemplateElement | null} */ (document.querySelector("#newest-turn"));
const button = /** @type {HTMLElement | null} */ (document.querySelector("#share"));
if (kept && button) {
  button.hidden = false;
  button.addEventListener("click", () => share(new XMLSerializer().serializeToString(kept.content), "turn.png"));
}
