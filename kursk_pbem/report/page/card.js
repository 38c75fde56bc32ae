// @ts-check
// The card of a battle: both forces and the odds, the dice, and after their rest the result. Shared like the dice.
import { kurskDice } from "./die.js";
/**
 * @typedef {{title: string, forces: [string, string, string][], odds: string, why: string, dice: string[],
 *   whose: string[], result: string, meaning: string}} Card
 */

/**
 * Show a card in a box, empty without forces and dice; return a promise of the rest of the dice.
 * @param {HTMLElement} box @param {Card} [card] @param {boolean} [rolls] @param {() => void} [heard]
 */
export async function kurskCard(box, card, rolls, heard) {
  /** @param {string} name @param {string} kind @param {...(string | Node)} inside */
  function part(name, kind, ...inside) {
    const made = document.createElement(name);
    made.className = kind;
    made.append(...inside);
    return made;
  }
  box.replaceChildren();
  if (!card || !(card.forces.length + card.dice.length)) return;
  const made = part("div", "battle-card");
  const [attack, defence] = card.forces.map(([side, units, strength]) => {
    return part("p", "force", part("span", "quiet", side), part("b", "sum", strength), part("span", "", units));
  });
  const odds = part("div", "odds", part("b", "pill", card.odds), part("small", "quiet", card.why));
  if (attack) made.append(part("div", "forces", attack, odds, defence));
  box.append(made);
  if (!card.dice.length) return;
  const { dice, rest } = kurskDice(card.dice.join(""), Boolean(rolls), heard);
  const came = part("p", "came");
  let next = 0;
  card.dice.forEach((digits, at) => {
    if (card.whose[at]) came.append(part("span", "whose", card.whose[at]));
    came.append(...dice.slice(next, (next += digits.length)));
  });
  made.append(came);
  await rest;
  if (card.result) came.append(part("b", "", card.result), part("span", "meant", card.meaning));
}
