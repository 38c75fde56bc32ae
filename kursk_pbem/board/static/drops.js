"use strict";
// Files that are dropped on a page: mails are taken, a key is put where a proposal asks for one. Also what a page
// without a map does. Gives a function that says whether the page is about to be left.
function kurskDrops() {
  const get = (id) => document.getElementById(id);
  return kurskDrops.leaving || begin();

  function begin() {
    let gone = false;
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      if ([...event.dataTransfer.types].includes("Files") && get("drop")) document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const files = event.dataTransfer.files;
      if (!get("drop") || !files.length) return;
      const key = [...files].every((each) => each.name.endsWith(".pub")) ? get("opponent") : null;
      (key || get("mails")).files = files;
      if (key) key.focus();
      else get("drop").requestSubmit();
    });
    document.addEventListener("submit", (event) => {
      gone = gone || event.target.id === "drop";
      setTimeout(() => event.defaultPrevented || able(event.target, false)); // it is sent once
    });
    window.addEventListener("pageshow", (event) => {
      gone = gone && !event.persisted;
      if (event.persisted) for (const each of document.forms) able(each, true);
    });
    kurskDrops.leaving = () => gone;
    options();
    return kurskDrops.leaving;
  }
  function able(form, yes) {
    if (form.method === "post") for (const each of form.querySelectorAll("button")) each.disabled = !yes;
  }
  // Of the options those of the system that is chosen.
  function options() {
    if (!get("scenario")) return;
    const show = () => {
      const chosen = get("scenario").value.split("/")[0];
      for (const each of document.querySelectorAll("[data-ruleset]")) each.hidden = each.dataset.ruleset !== chosen;
    };
    get("scenario").addEventListener("change", show);
    show();
  }
}
kurskDrops();
