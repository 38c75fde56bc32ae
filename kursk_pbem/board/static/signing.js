// @ts-check
// Signing of drafts, offers and answers. The page shows the text, asks for a confirmation and offers the mail.
// The confirmation contains the digest of the text. If the text has changed, the page shows the changes and asks again.
import { ask } from "./asking.js";
import { copy } from "./clipboard.js";
import { all, block, dialog, field, get } from "./dom.js";
import { leave } from "./leave.js";
import { say } from "./page.js";
/** @typedef {Record<string, any>} Body */

const SIGNED = "signed"; // what the next page says of the message
const PATIENCE = 3000; // milliseconds for a clipboard that neither copies nor refuses
const AGAIN = 1500; // milliseconds: a double click must not sign an unread text

/** True until the player has decided and read the result; the page does not change before. */
export let busy = false;

/** Gives the address of the signed message to the clipboard, which asks for it within the click. */
let give = (/** @type {string} */ _address) => {};
/** @type {Promise<boolean>} */
let copied = Promise.resolve(false);

/** Begin to copy the address of the message, if the next click signs and copies. */
function copies() {
  if (dialog("signing").dataset.copies) copied = copy("text/plain", new Promise((go) => (give = go)));
}
/** @param {string} path @param {Body} body @param {string} title */
export async function signed(path, body, title) {
  busy = true;
  const found = await ask(path, body);
  if (!found) busy = false;
  else if (found.html) shows(path, body, title, found);
  else told(found, "Written");
}
/** @param {string} path @param {Body} body @param {string} title @param {any} found */
function shows(path, body, title, found) {
  const box = dialog("signing");
  get("signing-title").textContent = title;
  get("understood").innerHTML = found.html;
  field("really").disabled = found.changed;
  if (found.changed) setTimeout(() => (field("really").disabled = false), AGAIN);
  box.returnValue = "no";
  box.onclose = async () => {
    if (box.returnValue !== "yes") {
      busy = false;
      return;
    }
    say([box.dataset.wait || ""]);
    const done = await ask(path, { ...body, really: "yes", shown: found.shown });
    if (done) say([]);
    if (!done) busy = false;
    else if (done.changed) shows(path, body, title, done);
    else told(done, "Signed");
  };
  box.showModal();
}
/** Return whether the clipboard has the address of the signed message. @param {string} link */
async function hands(link) {
  const { address, fragment } = await (await fetch(link)).json();
  give(address + fragment);
  return Promise.race([copied, new Promise((go) => setTimeout(go, PATIENCE, false))]);
}
/** @param {any} done @param {string} title */
async function told(done, title) {
  if (done.link && (await hands(done.link))) done.said = [`${done.said.join(" ")} Its address is copied.`];
  if (done.next) {
    for (const button of all("#bar button")) button.setAttribute("disabled", ""); // this position is past
    say(done.said);
    sessionStorage.setItem(SIGNED, done.said.join(" "));
    return leave(done.next);
  }
  get("signed-title").textContent = title;
  get("signed-mail").hidden = !done.mail;
  get("signed-text").replaceChildren(...done.said.map((/** @type {string} */ line) => block("p", "", line)));
  dialog("signed").onclose = () => leave();
  dialog("signed").showModal();
}
/** Say that the message before is signed, if this window has signed it at a board with both sides. */
export function begin() {
  get("really").addEventListener("click", copies);
  say([sessionStorage.getItem(SIGNED) || ""]);
  sessionStorage.removeItem(SIGNED);
}
