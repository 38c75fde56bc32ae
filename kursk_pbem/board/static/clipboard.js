// @ts-check
// The clipboard. Some browsers allow copying only within a click: ask at once, and let the content come later.

/** The line after a failed copy. */
export const REFUSED = "The browser did not copy: mark the text, or save the file.";

/** Copy a content that may still be on its way; return whether the browser allows it.
 * @param {string} kind @param {Promise<string | Blob>} content */
export async function copy(kind, content) {
  const blob = content.then((data) => new Blob([data], { type: kind }));
  blob.catch(() => 0);
  try {
    await navigator.clipboard.write([new ClipboardItem({ [kind]: blob })]);
  } catch (error) {
    return false;
  }
  return true;
}
