// @ts-check
// The card of a battle: both forces and the odds, the dice, and after their rest the result. Shared like the dice.
import { kurskDice } from "./die.js";
import { block } from "./dom.js";
/**
 * @typedef {{title: string, forces: [string, string, string][], odds: string, why: string, dice: string[],
 *   whose: string[], result: string, meaning: string}} Card
 */

/**
 * Show a card in a box, empty without forces and dice; return a promise of the rest of the dice.
 * @param {HTMLElement} box @param {Card} [card] @param {boolean} [rolls] @param {() => void} [heard]
 */
export async function kurskCard(box, card, rolls, heard) {
  box.replaceChildren();
  if (!card || !(card.forces.length + card.dice.length)) return;
  const made = block("div", "battle-card");
  const [attack, defence] = card.forces.map(([side, units, strength]) => {
    return block("p", "force", block("span", "quiet", side), block("b", "sum", strength), block("span", "", units));
  });
  const odds = block("div", "odds", block("b", "pill", card.odds), block("small", "quiet", card.why));
  if (attack) made.append(block("div", "forces", attack, odds, defence));
  box.append(made);
  if (!card.dice.length) return;
  const { dice, rest } = kurskDice(card.dice.join(""), Boolean(rolls), heard);
  const came = block("p", "came");
  let next = 0;
  card.dice.forEach((digits, at) => {
    if (card.whose[at]) came.append(block("span", "whose", card.whose[at]));
    came.append(...dice.slice(next, (next += digits.length)));
  });
  made.append(came);
  await rest;
  if (card.result) came.append(block("b", "", card.result), block("span", "meant", card.meaning));
}
