// @ts-check
// The private notepad of the game: read when opened, saved on this machine after each pause.
import { field, get, maybe } from "./dom.js";
import { base } from "./page.js";

const PAUSE = 800; // milliseconds without a key
const SMALL = 20000; // letters that a closing page can still send
let stamp = "";
let saved = "";
let opened = false;
let waits = 0;
/** @type {Promise<void>} */
let turn = Promise.resolve();

/** @param {string} text @param {boolean} [bad] */
function tells(text, bad) {
  get("notes-told").textContent = text;
  get("notes-told").className = bad ? "bad" : "quiet";
}
/** Show the notes of the board. @param {{text: string, stamp: string}} found */
function shows(found) {
  [saved, stamp] = [found.text, found.stamp];
}
/** Read the notes when the notepad opens for the first time. */
async function opens() {
  if (opened) return;
  const answer = await fetch(base + "notes").catch(() => null);
  if (!answer || !answer.ok) return tells("The board does not answer, so the notes are not shown.", true);
  shows(await answer.json());
  field("notes-text").value = saved;
  field("notes-text").disabled = false;
  field("notes-text").focus();
  opened = true;
}
/** Save the notes. @param {boolean} leaving */
async function saves(leaving) {
  clearTimeout(waits);
  const text = field("notes-text").value;
  if (!opened || text === saved) return;
  const body = new URLSearchParams({ text, stamp, once: crypto.randomUUID() });
  const how = { method: "POST", body, keepalive: leaving && text.length < SMALL };
  const answer = await fetch(base + "notes", how).catch(() => null);
  const found = answer ? await answer.json().catch(() => ({})) : {};
  if (answer && answer.ok) {
    shows({ text, stamp: found.stamp });
    return tells("Saved.");
  }
  if (found.stamp === undefined) return tells(found.why || "Not saved: the board does not answer.", true);
  shows(found);
  field("notes-text").value = `${found.text}\n\n${field("notes-text").value}`;
  tells(found.why, true);
}
/** Save after the save before. @param {boolean} [leaving] */
function next(leaving) {
  if (leaving) void saves(true);
  else turn = turn.then(() => saves(false));
}
/** Open or close the notepad. */
export function toggle() {
  const pad = maybe("notepad");
  if (pad) pad.togglePopover();
}
/** Add the listeners. */
export function begin() {
  if (!maybe("notepad")) return; // a spectator has no private record
  get("notepad").addEventListener("toggle", opens);
  get("notes-text").addEventListener("input", () => {
    tells("");
    clearTimeout(waits);
    waits = window.setTimeout(next, PAUSE);
  });
  get("notes-text").addEventListener("blur", () => next());
  window.addEventListener("pagehide", () => next(true));
}
