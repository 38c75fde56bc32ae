// @ts-check
// A choice of half hours is shown as a clock, because a click on a direction is quicker than a list of 24.
import { all, block } from "./dom.js";

const HOUR = /^(1[0-2]|[1-9])(:30)?$/;

/** @param {HTMLElement} form */
export function dials(form) {
  for (const clause of all(".clause", form)) {
    const labels = all("label", clause).filter((label) => HOUR.test(value(label)));
    if (labels.length < 12) continue;
    const face = block("div", "dial");
    labels[0].before(face);
    face.append(...labels);
    for (const label of labels) {
      const [hour, half] = value(label).split(":");
      const angle = ((Number(hour) + (half ? 0.5 : 0)) * Math.PI) / 6;
      label.classList.toggle("half", Boolean(half));
      label.style.left = `${50 + 43 * Math.sin(angle)}%`;
      label.style.top = `${50 - 43 * Math.cos(angle)}%`;
    }
  }
}
/** @param {HTMLElement} label */
function value(label) {
  const input = label.querySelector("input[type=radio]");
  return input ? /** @type {HTMLInputElement} */ (input).value : "";
}
