// @ts-check
// The texts next to the map of a replay: sentences of the frame, battle card, report, standing, charts, luck.
import { kurskCard } from "./card.js";
import { block, get, shape } from "./dom.js";
import { branch, data } from "./parts.js";

const [WIDE_CHART, HIGH, LEFT, ABOVE, BELOW] = [400, 150, 34, 10, 44]; // below: the turns, and the names of the lines
const LINKED = /[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]/g; // what may be a hex or a unit

/**
 * Show a frame, the result and the words after the rest of the dice; return a promise of their rest.
 * @param {import("./parts.js").Frame} frame @param {boolean} rolls
 * @param {(name: string) => void} go called after a click on a hex or a unit
 * @param {() => boolean} stays false after another frame
 */
export async function tell(frame, rolls, go, stays) {
  const message = data.messages[frame.m];
  const kind = message.kind === "turn" ? "" : ` (${message.kind})`;
  get("when").textContent = `Message ${message.seq}${kind}, from ${message.from}`;
  const said = message.comments.map(([name, text]) => [block("cite", "", name), block("p", "", text)]);
  get("comments").replaceChildren(...said.map((parts) => block("blockquote", "", ...parts)));
  get("where").textContent = `Turn ${frame.turn}, ${frame.card.title}`;
  get("told").textContent = "";
  await kurskCard(get("card"), frame.card, rolls);
  if (!stays()) return;
  get("where").textContent = `Turn ${frame.turn}, ${frame.title}`;
  get("told").textContent = frame.told;
  const report = message.note ? [block("blockquote", "", message.note)] : [];
  const lines = message.headlines.map((line) => linked("li", line, go));
  if (lines.length) report.push(block("ul", "", ...lines));
  report.push(linked("pre", frame.lines.join("\n").trim(), go));
  if (!branch) report.push(block("p", "quiet", `What if from here: ${data.whatIf}${message.seq}`));
  get("report").replaceChildren(...report);
  const rows = message.standing.map((row) => block("tr", "", ...row.map((cell) => block("td", "", cell))));
  get("standing").replaceChildren(block("table", "figures", ...rows));
  const luck = message.luck.length ? message.luck : ["No die of either side has fallen yet."];
  get("luck").replaceChildren(...luck.map((line) => block("p", "", line)));
  const proof = [message.verified, "Id: " + message.id, ...data.verified];
  get("proof").replaceChildren(...proof.map((line) => block("p", "", line)));
  const then = data.past[frame.turn] ? [block("p", "", `History, turn ${frame.turn}: ${data.past[frame.turn]}`)] : [];
  get("chart").replaceChildren(...data.charts.map((each) => chart(each, frame.m, data.sides)), ...then);
  if (data.lost.title) get("lost").replaceChildren(...lost(frame.m));
}
/** Return where the game was lost: the sums, the curve, a row for each message. @param {number} message */
function lost(message) {
  const curve = data.lost.curve.map((row) => row.map((value) => value / 100));
  const drawn = chart({ name: data.lost.title || "", values: curve }, message, ["the game", "with average dice"]);
  const rows = data.lost.rows.map((row, number) => {
    const cells = row.map((cell) => block(number ? "td" : "th", "", cell));
    return block("tr", number === message + 1 ? "now" : "", ...cells);
  });
  return [drawn, ...data.lost.sums.map((line) => block("p", "", line)), block("table", "swings", ...rows)];
}
/**
 * Return words with links for the hexes and units on the map.
 * @param {string} name @param {string} text @param {(name: string) => void} go
 */
function linked(name, text, go) {
  const made = document.createElement(name);
  let from = 0;
  for (const each of text.matchAll(LINKED)) {
    if (!(each[0] in data.at) && !(each[0] in data.names)) continue;
    const link = block("button", "link", each[0]);
    link.addEventListener("click", () => go(each[0]));
    made.append(text.slice(from, each.index), link);
    from = (each.index || 0) + each[0].length;
  }
  made.append(text.slice(from));
  return made;
}
/** @param {{name: string, values: number[][]}} each @param {number} message @param {string[]} names of the lines */
function chart(each, message, names) {
  const last = Math.max(1, each.values.length - 1);
  const low = Math.min(0, ...each.values.flat());
  const high = Math.max(1, ...each.values.flat());
  const across = (/** @type {number} */ index) => LEFT + (index / last) * (WIDE_CHART - LEFT - 10);
  const up = (/** @type {number} */ value) => HIGH - BELOW - ((value - low) / (high - low)) * (HIGH - ABOVE - BELOW);
  const drawn = shape("svg", { class: "chart", viewBox: `0 0 ${WIDE_CHART} ${HIGH}`, role: "img" });
  const ends = each.values[each.values.length - 1].map((value, side) => `${names[side] || ""} ${value}`);
  drawn.append(shape("title", {}, `${each.name}: at the end ${ends.join(", ")}`));
  const many = each.values[0].length > 1;
  each.values[0].forEach((_value, side) => {
    const points = each.values.map((row, index) => `${across(index)},${up(row[side])}`).join(" ");
    const look = many ? (side ? "b" : "a") : "both"; // a line of both sides has the color of neither
    const [x, y] = [LEFT + side * 180, HIGH - 11];
    drawn.append(shape("polyline", { class: look, points }));
    if (many) drawn.append(shape("path", { class: look, d: `M${x} ${y}h26` }));
    const told = `${many ? names[side] : "at this message"}: ${each.values[message][side]}`;
    drawn.append(shape("text", { x: x + (many ? 32 : 0), y: y + 5 }, told));
  });
  const upright = { y1: ABOVE, y2: HIGH - BELOW };
  data.messages.forEach(({ turn }, at) => {
    if (at && data.messages[at - 1].turn === turn) return;
    const line = shape("line", { class: "turn", x1: across(at), x2: across(at), ...upright });
    drawn.append(line, shape("text", { x: across(at), y: HIGH - BELOW + 15 }, at ? turn : `turn ${turn}`));
  });
  drawn.append(shape("line", { class: "now", x1: across(message), x2: across(message), ...upright }));
  drawn.append(...[high, low].map((value) => shape("text", { x: 2, y: up(value) + 4 }, String(value))));
  return block("div", "", block("h3", "", each.name), drawn);
}
