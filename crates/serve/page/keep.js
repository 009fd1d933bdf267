// What can be kept: a command, a link, files and the report.

let command = "";
const saveHere = async (name, text, note, again) => {
  const replace = Boolean(again);
  try {
    await ask("save", { name, text, replace }, { alone: false });
    note.textContent = `Saved as ${name}.`;
    await readFiles();
  } catch (error) {
    note.textContent = `${capital(error.message)}. `;
    if (error.status === 412) note.append(make("button", { type: "button", class: "small", onclick: () => saveHere(name, text, note, true) }, "Replace it"));
    note.scrollIntoView({ block: "nearest" });
  }
};

const download = (name, text) => {
  const kind = name.endsWith(".html") ? "text/html" : "text/plain";
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

const copyText = async (text, button) => {
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    const area = make("textarea", { class: "away" });
    area.value = text;
    document.body.append(area);
    area.select();
    // Where a page may not copy, the text stays selected for whoever presses the keys.
    const isCopied = document.execCommand("copy");
    button.textContent = isCopied ? "Copied" : "Press Ctrl+C";
    if (isCopied) area.remove();
    else area.addEventListener("blur", () => area.remove());
  }
  setTimeout(() => { button.textContent = words; }, 1500);
};

// The command that finds what is seen.
const setCommand = (text) => {
  command = document.documentElement.dataset.command = text;
  if ($("command")) $("command").textContent = command;
};

// A file: its name can be changed, and what is in it is asked for when it is wanted.
const fileToKeep = (id, title, meaning, name, content, ...more) => {
  const input = make("input", { type: "text", id, autocomplete: "off", spellcheck: "false" });
  input.value = name;
  const note = make("p", { class: "note", role: "status" });
  const get = async (then) => {
    note.textContent = "";
    try { await then(await content(), input.value.trim()); } catch (error) { note.textContent = error.message; }
  };
  return make("div", { class: "keep" }, make("label", { for: id }, title), make("p", { class: "note" }, meaning),
    make("div", { class: "row" }, input,
      make("button", { type: "button", onclick: () => get((text, name) => saveHere(name, text, note)) }, "Save here"),
      make("button", { type: "button", onclick: () => get((text, name) => download(name, text)) }, "Download"), ...more), note);
};

const showKeep = () => {
  $("folder").textContent = folder ? `“Save here” writes into the folder ${folder}, in which stopwise was started, and nowhere else.` : "";
  const kept = (what, more) => async () => (await ask("keep", { setting: setting(), what, ...more }, { alone: false })).text;
  const report = async () => ask("report", VIEWS[state.view].report(), { raw: true, alone: false });
  const stem = offer.name;
  const policies = state.policies.map((one, at) => fileToKeep(`keep-policy-${at}`, state.policies.length > 1 ? `The policy of seat ${at + 1}` : "The policy",
    "Its text, with the parameters as they are now.", one.name.endsWith(".toml") ? one.name : `my-${one.name}.toml`, kept("policy", { policy: at })));
  const copyOf = (get) => {
    const button = make("button", { type: "button", onclick: () => copyText(get(), button) }, "Copy");
    return button;
  };
  const openReport = make("button", { type: "button", onclick: async () => {
    const text = await report();
    open_(text);
  } }, "Open");
  $("kept").replaceChildren(
    make("div", { class: "keep" }, make("p", { class: "label" }, "The command"), make("p", { class: "note" }, "Typed in this folder, it gives the same numbers on any machine. Texts of your own have to be saved first."),
      make("div", { class: "repeat" }, make("pre", {}, make("code", { id: "command" }, command)), copyOf(() => command))),
    make("div", { class: "keep" }, make("p", { class: "label" }, "A link"), make("p", { class: "note" }, "All settings are in the address of this page. It leads here while this page is being served."),
      make("div", { class: "row" }, copyOf(() => { keepNow(); return location.href; }))),
    fileToKeep("keep-report", "The report", "All tables and pictures of what is shown, in one page: the same bytes as those of the command with --format html.", `${[stem, ...(state.view === "games" ? [] : [state.view])].join("-")}.html`, report, openReport),
    fileToKeep("keep-rules", "The rules", "All options as they are now, for --rules.", `my-${stem}-rules.toml`, kept("rules", { name: `my-${stem}-rules` })),
    ...policies,
    ...(offer.text ? [fileToKeep("keep-game", "The game", "Its text, to change or to give away.", state.game.endsWith(".game") ? state.game : `my-${stem}.game`, async () => state.texts[state.game] || offer.text)] : []));
};

const open_ = (text) => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  window.open(url, "_blank", "noopener");
  setTimeout(() => URL.revokeObjectURL(url), 60000);
};

