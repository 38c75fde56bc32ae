// The elements of a chain of steps, by role and name, text, label or selector: the sense of Playwright's locators.
const squeeze = (text) => text.replace(/\s+/g, " ").trim();
const fits = (text, { words, exact, pattern, flags }) => {
  if (pattern !== undefined) return new RegExp(pattern, flags).test(squeeze(text));
  return exact ? squeeze(text) === squeeze(words) : squeeze(text).toLowerCase().includes(squeeze(words).toLowerCase());
};
const ROLES = {
  alert: "[role=alert]", article: "article", button: "button, input[type=submit], input[type=button]",
  checkbox: "input[type=checkbox]", combobox: "select", dialog: "dialog[open]", group: "fieldset, details",
  heading: "h1, h2, h3, h4, h5, h6", img: "img", link: "a[href]", list: "ul, ol", listitem: "li", main: "main",
  radio: "input[type=radio]", region: "section", status: "output", textbox: "input:not([type]), input[type=text], textarea",
};
function read(each) {
  if (each.nodeType === 3) return each.data;
  if (each.nodeType !== 1 || each.matches("[aria-hidden=true], select, input, textarea") || !each.checkVisibility()) return "";
  const text = each.getAttribute("alt") || [...each.childNodes].map(read).join("");
  return getComputedStyle(each).display === "inline" ? text : ` ${text} `;
}
function naming(each) {
  const by = each.getAttribute("aria-labelledby");
  if (by) return by.split(" ").map((id) => document.getElementById(id)).filter(Boolean).map(read).join(" ");
  const label = each.getAttribute("aria-label") || [...(each.labels || [])].map(read).join(" ");
  if (label) return label;
  if (each.matches("fieldset")) return read(each.querySelector("legend") || new Text());
  if (each.matches("input")) return each.value || each.placeholder;
  return read(each) || each.title || "";
}
const visible = (each) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length > 0;
const FIND = {
  css: (scope, { css }) => scope.querySelectorAll(css),
  role(scope, { role, name }) {
    const all = scope.querySelectorAll(`[role=${role}], :is(${ROLES[role] || "none"}):not([role])`);
    return [...all].filter((each) => visible(each) && !each.closest("[aria-hidden=true]") && (!name || fits(naming(each), name)));
  },
  text(scope, { text }) {
    const has = (each) => !each.matches("script, style, noscript, head, title") && fits(each.textContent, text);
    return [...(scope.matches ? [scope] : []), ...scope.querySelectorAll("*")].filter((each) => has(each) && ![...each.children].some(has));
  },
  label: (scope, { label }) => [...scope.querySelectorAll("[aria-label], [aria-labelledby], input, select, textarea")].filter(
    (each) => (each.labels?.length || each.ariaLabel || each.getAttribute("aria-labelledby")) && fits(naming(each), label)),
};
FIND.either = (_scope, { both }) => both.flatMap(find);
function find(steps) {
  let found = [document];
  for (const step of steps) {
    if (step.kind === "nth") found = found.slice(step.at, step.at + 1 || undefined);
    else if (step.kind === "with") found = found.filter((each) => fits(each.textContent, step.text));
    else found = [...new Set(found.flatMap((scope) => [...FIND[step.kind](scope, step)]))];
  }
  return found;
}
