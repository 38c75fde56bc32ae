// @ts-check
// Find elements of the page and make elements. Shared by the replay and the board.
const NS = "http://www.w3.org/2000/svg";

/** @param {string} id @returns {HTMLElement | null} */
export function maybe(id) {
  return document.getElementById(id);
}
/** Return an element that every page has. @param {string} id @returns {HTMLElement} */
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
/** Return the element around an event by a selector. @param {Event} event @param {string} selector */
export function around(event, selector) {
  return /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(selector));
}
/** Return an element with children. @param {string} name @param {string} kind @param {...(string | Node)} inside */
export function block(name, kind, ...inside) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  made.append(...inside);
  return made;
}
/** Show the panel of a tab. @param {HTMLElement} chosen */
export function showTab(chosen) {
  for (const tab of all("[role=tab]")) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    get(tab.getAttribute("aria-controls") || "").hidden = tab !== chosen;
  }
}
/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
export function shape(name, attributes, text) {
  const made = document.createElementNS(NS, name);
  for (const key of Object.keys(attributes)) made.setAttribute(key, String(attributes[key]));
  if (text !== undefined) made.textContent = text;
  return made;
}
