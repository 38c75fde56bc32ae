// @ts-check
// Files dropped on a page: mails are uploaded, a key goes into the form of a proposal. Also the scripts of pages
// without a map. ``leaving``: true if the browser is leaving the page.
import { all, field, maybe } from "./dom.js";

export let leaving = false;

/** @param {HTMLFormElement} form @param {boolean} yes */
function able(form, yes) {
  if (form.method !== "post") return;
  for (const button of all("button", form)) /** @type {HTMLButtonElement} */ (button).disabled = !yes;
}
/** @param {DragEvent} event */
function over(event) {
  event.preventDefault();
  const types = event.dataTransfer ? event.dataTransfer.types : [];
  if (types.includes("Files") && maybe("drop")) document.body.classList.add("dropping");
}
/** @param {DragEvent} event */
function dropped(event) {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const files = event.dataTransfer ? event.dataTransfer.files : null;
  const form = /** @type {HTMLFormElement | null} */ (maybe("drop"));
  if (!form || !files || !files.length) return;
  const isKey = [...files].every((file) => file.name.endsWith(".pub")) && maybe("opponent");
  field(isKey ? "opponent" : "mails").files = files;
  if (isKey) {
    field("with-new").checked = true;
    field("opponent").focus();
  } else form.requestSubmit();
}

/** Upload a pasted mail as a file, unless the focus is in a text field. @param {ClipboardEvent} event */
function pasted(event) {
  const at = /** @type {HTMLElement} */ (event.target);
  const form = /** @type {HTMLFormElement | null} */ (maybe("drop"));
  const text = event.clipboardData ? event.clipboardData.getData("text/plain") : "";
  if (!form || !text.trim() || at.closest("input, textarea, dialog")) return;
  event.preventDefault();
  const carried = new DataTransfer();
  carried.items.add(new File([text], "what you pasted"));
  field("mails").files = carried.files;
  form.requestSubmit();
}

document.addEventListener("paste", pasted);
document.addEventListener("dragover", over);
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", dropped);
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  leaving = leaving || form.id === "drop";
  setTimeout(() => event.defaultPrevented || able(form, false)); // send the form once
});
window.addEventListener("pageshow", (event) => {
  leaving = leaving && !event.persisted;
  if (event.persisted) for (const form of document.forms) able(form, true);
});
