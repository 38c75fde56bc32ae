// @ts-check
// The pills of battles that the player can answer: a click opens the form of the answer.
import { all } from "./dom.js";
import { middle, spot } from "./ground.js";

const [ABOVE, NEAR] = [835, 400]; // map units from the middle of the attacked counter to its pill, and the tolerance

/** Make the pills of attacked units buttons. */
export function dress() {
  for (const pill of all("#layer-battles .burst")) {
    const [x, y] = spot(pill);
    const answer = all("#orders .target[data-at]").find((button) => {
      const [across, down] = middle(button.dataset.at || "") || [Infinity, Infinity];
      return Math.hypot(across - x, down - ABOVE - y) < NEAR;
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
