// @ts-check
// The films that this browser has seen. Newer dice cover their results. The script runs before the first paint: it is
// no module. The memory is for all boards of this machine, because each board has another port.
(() => {
  const [NAME, YEAR, MOST] = ["kursk-seen", 365 * 24 * 60 * 60, 80]; // MOST: remembered games
  const root = document.documentElement;

  /** Return the number of the last film of each game, the latest game at the end. @returns {Map<string, number>} */
  function kept() {
    const found = document.cookie.split("; ").find((part) => part.startsWith(NAME + "=")) || "";
    const pairs = found.slice(NAME.length + 1).split(".").map((each) => each.split(":"));
    return new Map(pairs.filter(([game]) => game).map(([game, number]) => [game, Number(number)]));
  }
  /** Cover the page, or the cards of games, with news that this browser has not seen. */
  function cover() {
    const seen = kept();
    for (const part of [root, ...document.querySelectorAll("[data-news]")]) {
      const [game, , end] = (/** @type {HTMLElement} */ (part).dataset.news || "").split(" ");
      part.classList.toggle("covered", Number(end || 0) > (seen.get(game) || 0));
      if (part === root) root.dataset.seen = String(seen.get(game) || 0);
    }
    const title = document.querySelector("#bar [data-title]")?.getAttribute("data-title");
    if (title && title !== document.title && !root.classList.contains("covered")) document.title = title;
  }
  document.addEventListener("seen", (event) => {
    const [game] = (root.dataset.news || "").split(" ");
    const seen = kept();
    const number = Math.max(/** @type {CustomEvent} */ (event).detail, seen.get(game) || 0);
    seen.delete(game);
    seen.set(game, number);
    const pairs = [...seen].slice(-MOST).map((pair) => pair.join(":"));
    if (game) document.cookie = `${NAME}=${pairs.join(".")}; path=/; max-age=${YEAR}; samesite=strict`;
    cover();
  });
  cover();
  const coming = new MutationObserver(cover); // before the parts of the page are painted
  coming.observe(root, { childList: true, subtree: true });
  window.addEventListener("DOMContentLoaded", () => coming.disconnect());
  window.addEventListener("pageshow", cover);
})();
