// @ts-check
// The name of a pressed key: by letter, or by place where a layout has no Latin letters. Shared by replay and board.
/** @type {Record<string, string>} */
const SIGNS = { Comma: ",", Period: ".", Slash: "/", Equal: "+", Minus: "-" };

/** Return the small letter or the sign of a key. CapsLock changes nothing. @param {KeyboardEvent} event */
export function kurskKey({ key, code }) {
  if (key.length > 1 || /[ -~]/.test(key)) return key.length > 1 ? key : key.toLowerCase();
  return SIGNS[code] || code.replace(/^(Key|Digit)/, "").toLowerCase();
}
