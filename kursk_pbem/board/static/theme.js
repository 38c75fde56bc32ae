// @ts-check
// The theme, light or dark, for all boards of this machine. The script runs before the first paint: it is no module.
(() => {
  const NAME = "kursk-theme";
  const YEAR = 365 * 24 * 60 * 60;

  function kept() {
    const found = document.cookie.split("; ").find((part) => part.startsWith(NAME + "="));
    const theme = found ? found.slice(NAME.length + 1) : "";
    return ["light", "dark"].includes(theme) ? theme : "";
  }
  /** @param {string} theme */
  function set(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  }
  set(kept());
  document.addEventListener("DOMContentLoaded", () => {
    const chosen = /** @type {HTMLSelectElement | null} */ (document.getElementById("theme"));
    if (!chosen) return;
    chosen.value = kept();
    chosen.addEventListener("change", () => {
      document.cookie = `${NAME}=${chosen.value}; path=/; max-age=${YEAR}; samesite=strict`;
      set(chosen.value);
    });
  });
})();
