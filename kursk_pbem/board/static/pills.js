// @ts-check
// The pills of battles that the player can answer: a click opens the form of the answer.
import { all } from "./dom.js";
import { middle } from "./ground.js";

const NEAR = 400; // map units from the attacked counter to the middle of its hex, at most

/** Make the pills of attacked units buttons. */
export function dress() {
  for (const pill of all("#layer-battles .burst")) {
    const [x, y] = (pill.dataset.middle || "").split(",").map(Number);
    const answer = all("#orders .target[data-at]").find((button) => {
      const [across, down] = middle(button.dataset.at || "") || [Infinity, Infinity];
      return Math.hypot(across - x, down - y) < NEAR;
    });
    if (!answer) continue;
    pill.classList.add("answers");
    pill.dataset.verb = answer.dataset.verb;
    pill.dataset.words = answer.dataset.words;
    pill.setAttribute("role", "button");
    pill.setAttribute("tabindex", "-1");
    pill.setAttribute("aria-label", `Say what the defender of ${answer.dataset.at} does`);
  }
}
