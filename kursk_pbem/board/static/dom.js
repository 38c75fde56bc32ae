// @ts-check
// Finding what is on the page, and making what is drawn.
const NS = "http://www.w3.org/2000/svg";

/** @param {string} id @returns {HTMLElement | null} */
export function maybe(id) {
  return document.getElementById(id);
}
/** What a page always has. @param {string} id @returns {HTMLElement} */
export function get(id) {
  const found = maybe(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}
/** @param {string} id @returns {HTMLInputElement} */
export function field(id) {
  return /** @type {HTMLInputElement} */ (get(id));
}
/** @param {string} id @returns {HTMLDialogElement} */
export function dialog(id) {
  return /** @type {HTMLDialogElement} */ (get(id));
}
/** @param {string} selector @param {ParentNode} [within] @returns {HTMLElement[]} */
export function all(selector, within) {
  return [...(within || document).querySelectorAll(selector)].map((found) => /** @type {HTMLElement} */ (found));
}
/** The element that an event meant, or the one around it that fits. @param {Event} event @param {string} selector */
export function around(event, selector) {
  return /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(selector));
}
/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
export function shape(name, attributes, text) {
  const made = document.createElementNS(NS, name);
  for (const key of Object.keys(attributes)) made.setAttribute(key, String(attributes[key]));
  if (text !== undefined) made.textContent = text;
  return made;
}
