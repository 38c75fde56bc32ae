// @ts-check
// The form of one order. The form joins the words of its clauses; the server knows their meaning.
import { count, refused } from "./budget.js";
import { choices, chosen, offer, settle, wished } from "./clauses.js";
import { all } from "./dom.js";
import { advances, lights } from "./lights.js";
import { say } from "./page.js";
import * as ticks from "./ticks.js";
/** @typedef {HTMLElement} Clause */

const MORE = "more is said"; // a player who opened all clauses once sees all clauses again

/**
 * @param {HTMLFormElement} form @param {() => void} changed called after each change of a choice
 * @param {(places: Record<string, string>) => void} proposes called with the
 *   places to click now and their texts
 */
export function kurskForm(form, changed, proposes) {
  const clauses = all(".clause", form);
  let active = clauses[0];
  let touched = false;

  /** @param {Clause} clause */
  function activate(clause) {
    for (const other of clauses) other.classList.toggle("active", other === clause);
    active = clause;
    proposes(lights(clause));
  }
  function words() {
    const said = [form.dataset.verb, form.dataset.words];
    let filled = !clauses.length;
    for (const clause of clauses) {
      const found = chosen(clause);
      if (!found.length && !clause.dataset.had) continue; // an emptied clause is written as empty
      filled = filled || found.length > 0 || Boolean(form.dataset.words); // the player has emptied the clause again
      said.push(clause.dataset.word, ...(found.length || !clause.dataset.word ? found : ["none"]));
    }
    return filled ? said.filter(Boolean).join(" ") : "";
  }
  function shows() {
    offer(form);
    count(form);
    for (const clause of clauses) {
      const told = clause.querySelector(".counted");
      if (told) told.textContent = `${chosen(clause).length} chosen`;
    }
    all(".words", form)[0].textContent = words();
    /** @type {HTMLButtonElement} */ (all("#give", form)[0]).disabled = !words();
  }
  function told() {
    touched = true;
    shows();
    if (active) proposes(lights(active));
    changed();
  }
  /** @param {Clause} clause @param {string} place */
  function wish(clause, place) {
    const head = /** @type {HTMLInputElement | null} */ (clause.querySelector(".head:checked"));
    all(".rows", clause)[0].append(wished([head ? head.value : "", place].filter(Boolean).join(" ")));
    told();
  }
  /** @param {HTMLInputElement} input */
  function toggle(input) {
    if (refused(input)) return say([refused(input)], true);
    const hidden = ticks.reveal(input);
    input.checked = hidden || input.type === "radio" || !input.checked;
    settle(input);
    ticks.follow(input, true);
    input.scrollIntoView({ block: "nearest" });
    told();
  }
  /** @param {Clause} clause */
  function adds(clause) {
    const typed = /** @type {HTMLInputElement} */ (clause.querySelector(".wish"));
    if (typed.value.trim()) wish(clause, typed.value.trim());
    typed.value = "";
  }
  /** @param {MouseEvent} event */
  function clicked(event) {
    const at = /** @type {HTMLElement} */ (event.target);
    const clause = /** @type {Clause | null} */ (at.closest(".clause"));
    const row = at.closest("li");
    if (clause) activate(clause);
    if (clause && at.classList.contains("add")) return adds(clause);
    if (clause && at.classList.contains("proposes")) return wish(clause, at.dataset.value || "");
    if (!row) return;
    if (at.classList.contains("higher") && row.previousElementSibling) row.previousElementSibling.before(row);
    else if (at.classList.contains("drop")) row.remove();
    else return;
    told();
  }
  /** Return whether a clause can name a hex. @param {Clause} clause @param {string} place @param {boolean} taken */
  function isWish(clause, place, taken) {
    if (clause.dataset.kind !== "wishes") return false;
    const head = /** @type {HTMLInputElement | null} */ (clause.querySelector(".head:checked"));
    const proposed = /** @type {unknown[]} */ (all("datalist option", clause));
    const among = /** @type {HTMLOptionElement[]} */ (proposed).some((option) => option.value === place);
    return !taken || among || Boolean(head && head.value);
  }

  form.addEventListener("focusin", (event) => {
    const clause = /** @type {Element} */ (event.target).closest(".clause");
    if (clause) activate(/** @type {Clause} */ (clause));
  });
  form.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.matches(".head, .wish")) return;
    if (input.matches(".ticks")) ticks.ticked(input);
    else ticks.follow(input, true);
    settle(input);
    told();
  });
  form.addEventListener("click", clicked);
  const more = /** @type {HTMLDetailsElement | undefined} */ (all("#rest", form)[0]);
  if (more) more.open = Boolean(sessionStorage.getItem(MORE));
  if (more) more.addEventListener("toggle", () => sessionStorage.setItem(MORE, more.open ? "1" : ""));
  ticks.begin(form);
  if (active) activate(active);
  shows();

  return {
    words,
    /** Try a click on a counter, in the active clause first; return success. @param {string} unit */
    unit(unit) {
      for (const clause of [active, ...clauses]) {
        const input = clause && choices(clause).find((choice) => choice.value === unit);
        if (!input) continue;
        toggle(input);
        return true;
      }
      return false;
    },
    /** Add the unit that opened the form from its card. @param {string} unit */
    include(unit) {
      const inputs = choices(form).filter((input) => input.value === unit);
      if (inputs.length && !inputs.some((input) => input.checked)) toggle(inputs[0]);
      touched = false;
    },
    /** Return whether the player has made a choice. */
    touched: () => touched,
    /**
     * Take a click on a hex. No unit enters a taken hex, but a wish may name a direction to or from the hex.
     * @param {string} place @param {boolean} taken
     */
    place(place, taken) {
      for (const clause of [active, ...clauses]) {
        if (!clause) continue;
        if (isWish(clause, place, taken)) {
          wish(clause, place);
          return true;
        }
        if (advances(clause, place, clause === active)) {
          activate(clause);
          told();
          return true;
        }
        const inputs = /** @type {HTMLInputElement[]} */ (all("label > input", clause));
        const input = inputs.find((choice) => choice.value === place);
        if (!input || clause.dataset.kind !== "place") continue;
        toggle(input);
        return true;
      }
      return false;
    },
    /** Return the first choice if the form must open again for this choice. */
    opens() {
      return form.dataset.opens && clauses.length ? chosen(clauses[0])[0] || "" : "";
    },
  };
}
