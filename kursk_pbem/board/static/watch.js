// @ts-check
// Ask every few seconds whether the draft or the game was changed outside.
import { ask, stamp, takeIn } from "./asking.js";
import { get } from "./dom.js";
import { leaving } from "./drops.js";
import { leave } from "./leave.js";
import { past } from "./page.js";
import { busy as signing } from "./signing.js";

const EACH = 3000; // milliseconds
const HIDDEN = 60000;
const TAKEN_IN = "The draft was changed outside this page; the page now shows the change.";
const seq = Number(get("main").dataset.seq); // the message after the page's last

function busy() {
  return leaving || signing || document.querySelector("dialog[open]") !== null;
}
async function look() {
  const found = busy() ? null : await ask("stamp");
  if (busy()) return void setTimeout(look, EACH);
  if (found && found.seq !== seq) return leave();
  if (found && found.stamp !== stamp) {
    const now = await ask("now");
    if (now && now.stamp !== stamp && !busy()) takeIn({ ...now, said: [TAKEN_IN] });
  }
  setTimeout(look, document.hidden ? HIDDEN : EACH);
}
/** Start the timer. */
export function begin() {
  if (!past) look();
}
