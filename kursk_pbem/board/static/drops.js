// @ts-check
// Files dropped on a page: mails are uploaded, a key goes into the form of a proposal. Pasted links, and links to copy.
// Also the scripts of pages without a map. ``leaving``: true if the browser is leaving the page.
import { copy, REFUSED } from "./clipboard.js";
import { all, around, field, maybe } from "./dom.js";

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
  if (types.includes("Files") && (maybe("drop") || maybe("archive"))) document.body.classList.add("dropping");
}
/** @param {DragEvent} event */
function dropped(event) {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const files = event.dataTransfer ? event.dataTransfer.files : null;
  const archive = /** @type {HTMLFormElement | null} */ (maybe("archive"));
  if (archive && files && [...files].some((file) => /\.zip$/i.test(file.name))) {
    field("archive-files").files = files;
    return archive.requestSubmit();
  }
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
  if (!text.trim() || at.closest("input, textarea, dialog")) return;
  if (/#k\d+\./.test(text) && maybe("pasted")) {
    field("pasted").value = text; // a link is shown before it is taken
    return field("pasted").form?.requestSubmit();
  }
  if (!form) return;
  event.preventDefault();
  const carried = new DataTransfer();
  carried.items.add(new File([text], "what you pasted"));
  field("mails").files = carried.files;
  form.requestSubmit();
}

/** Copy a text, and say so next to the buttons. @param {Promise<string>} text @param {() => string} told */
export async function copies(text, told = () => "Copied: paste the text.") {
  const copied = await copy("text/plain", text);
  for (const line of all(".copied")) line.textContent = copied ? told() : REFUSED;
}
/** Copy a link. @param {string} path */
function copiesLink(path) {
  let words = "Copied: paste the address into a chat or a letter.";
  copies(fetch(path).then(async (answer) => {
    const found = await answer.json();
    const made = found.address + found.fragment;
    if (made.length > found.most) words = `Copied; ${found.long}.`;
    return made;
  }), () => words);
}

/** Show the points of the game that an invitation chooses. */
function choosesGame() {
  const value = /** @type {HTMLSelectElement | null} */ (maybe("invited"))?.value || "";
  for (const line of all("[data-game]")) line.hidden = !value.startsWith(`${line.dataset.game} `);
}

choosesGame();
document.addEventListener("change", choosesGame);
for (const button of all("button[data-shares]")) button.hidden = !navigator.share;
document.addEventListener("click", (event) => {
  const { link, copies: copied, shares } = around(event, "button")?.dataset || {};
  if (link) copiesLink(link);
  if (copied) copies(Promise.resolve(field(copied).value));
  if (shares) navigator.share({ text: field(shares).value }).catch(() => 0); // the person may close the menu
});
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
