// A game that you play: the server tells it anew after every answer, because the dice of a trial are known by its number.

// Whether something was let go when the table was left.
let sitting = null, asked = null, isLeft = false;

const another = () => Math.floor(Math.random() * 1000000);

const sit = (trial) => {
  sitting = { seat: Math.min(sitting ? sitting.seat : 0, offer.seats - 1), trial, answers: [], own: [] };
  $("review").replaceChildren();
  tell();
};

const about_ = () => ({ setting: setting(), seat: sitting.seat, trial: sitting.trial, answers: sitting.answers });

// What has happened, and what is asked.
const tell = async () => {
  if (!sitting) return;
  [asked, isLeft] = [null, false];
  $("worths").replaceChildren();
  ["worth", "review"].forEach(letGo);
  try {
    const found = await ask("table", about_());
    // Settings may have changed meanwhile.
    if (!found || !sitting) return;
    problem("");
    // What had no alternative has been answered.
    sitting.answers = found.answers;
    showTable(found);
    document.documentElement.dataset.done = 1;
  } catch (error) {
    problem(error.message);
    document.documentElement.dataset.done = 0;
  }
};

// What policies see when they decide is left out of the telling.
const plain = (text) => text.replace(/ {2,}\[(?!nothing else is possible\])[^\]\n]*\]$/gm, "");

const showTable = (found) => {
  const log = $("log");
  const text = plain(found.text).trim();
  log.textContent = text || "Nothing has happened yet.";
  log.scrollTop = log.scrollHeight;
  $("trial").value = sitting.trial;
  $("seat-field").hidden = found.seats < 2;
  $("seat").replaceChildren(...Array.from({ length: found.seats }, (_, at) => make("option", { value: at }, String(at + 1))));
  $("seat").value = sitting.seat;
  $("against").textContent = found.against.length ? `Against ${found.against.map(brief).join(" and ")}.` : "You are alone.";
  $("play-command").textContent = found.command;
  $("take-back").disabled = !sitting.own.length;
  asked = found.asked || null;
  $("worth").hidden = !asked;
  const { grids, places, long, notes } = asked ? asked.scene : { grids: [], places: [], long: [], notes: [] };
  const both = ([place, what]) => [make("dt", {}, place), make("dd", {}, what)];
  const list = (places) => places.flatMap(both);
  $("boards").replaceChildren(...grids.map(board));
  $("places").replaceChildren(...list(places));
  $("notes").replaceChildren(...notes.map((note) => make("div", {}, ...both(note))));
  $("more-places").replaceChildren(...list(long));
  $("more-of-it").hidden = !long.length;
  $("question").textContent = asked ? `Your decision: ${asked.meaning}` : "";
  const held = $("table").contains(document.activeElement);
  $("choose-one").replaceChildren(...(asked ? asked.choices : []).map((choice, at) =>
    make("button", { type: "button", onclick: () => answer(choice.action) }, at < 9 ? make("kbd", {}, String(at + 1)) : null, ` ${choice.name}`, choice.worth ? make("small", {}, choice.worth) : null)));
  if (held && asked) $("choose-one").firstChild.focus({ preventScroll: true });
  if (!asked && found.over) over(found.over);
  else $("review").replaceChildren();
};

// Rows of small cells; the row of the player who decides stands out.
const board = ({ columns, rows }) => make("div", { class: "scroll" }, make("table", { class: "board", "aria-label": "The board" },
  make("thead", {}, make("tr", {}, make("td", {}), ...columns.map((text) => make("th", { scope: "col" }, text)))),
  make("tbody", {}, ...rows.map(({ name, play, cells }) => make("tr", { class: play ? "play" : null },
    make("th", { scope: "row" }, name), ...cells.map((text) => make("td", {}, text || "·")))))));

const answer = (action) => {
  if (!asked || !sitting) return;
  sitting.own.push(sitting.answers.length);
  sitting.answers.push(action);
  tell();
};

const takeBack = () => {
  if (!sitting || !sitting.own.length) return;
  sitting.answers.length = sitting.own.pop();
  tell();
};

// The end: how it came out, and what could have been better.
const over = async (found) => {
  $("question").textContent = `${found.said}.`;
  $("review").replaceChildren(tabled(found.table), make("p", { class: "note" }, `The game is over: ${found.ending}.`),
    make("p", { class: "note", id: "reviewing" }, "Looking at your decisions …"));
  try {
    const told = await ask("review", about_());
    if (told && $("reviewing")) $("reviewing").replaceWith(make("pre", { class: "told" }, told.review.trim()));
  } catch (error) {
    if ($("reviewing")) $("reviewing").textContent = error.message;
  }
};

// A table. Of a list of many policies the first are enough.
const tabled = ({ columns, rows, notes }) => {
  const short = (text) => (text.length > 60 ? `${text.slice(0, text.lastIndexOf(",", 60))}, …` : text);
  const cell = (name, column, text) => make(name, { class: column.number ? "n" : null, title: text.length > 60 ? text : null }, short(text));
  return make("div", { class: "scroll" }, make("table", { "aria-label": "What each choice is worth" },
    make("thead", {}, make("tr", {}, ...columns.map((column) => cell("th", column, column.text)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((text, at) => cell(at ? "td" : "th", columns[at], text)))))),
  ...notes.map((note) => make("p", { class: "note" }, note)));
};

const worth = async () => {
  if (!asked || !sitting) return;
  $("worths").replaceChildren(make("p", { class: "note" }, "Working it out; the first time that takes some seconds …"));
  const { position } = asked;
  try {
    const found = await ask("worth", about_());
    if (!found || !asked || asked.position !== position) return;
    $("worths").replaceChildren(...found.answer.map((text) => make("p", {}, untyped(text))), ...found.tables.map(tabled), ...found.notes.map((text) => make("p", { class: "note" }, untyped(text))));
  } catch (error) {
    $("worths").replaceChildren(make("p", { class: "problem" }, error.message));
  }
};

const drawTable = () => {
  if (!sitting) sit(another());
  else if (isLeft) tell();
  else document.documentElement.dataset.done = 1;
};

const restTable = () => {
  isLeft = ["table", "worth", "review"].map(letGo).some(Boolean) || isLeft;
};

$("new-game").addEventListener("click", () => sit(another()));
$("again").addEventListener("click", () => sit(sitting ? sitting.trial : another()));
$("seat").addEventListener("change", () => {
  if (!sitting) return;
  sitting.seat = Number($("seat").value);
  sit(sitting.trial);
});
$("trial").addEventListener("change", () => {
  const number = Number($("trial").value);
  const isGood = $("trial").value !== "" && Number.isSafeInteger(number) && number >= 0 && number <= $("trial").max;
  $("trial-refused").textContent = isGood ? "" : takes(0, $("trial").max, true, sitting ? sitting.trial : "as it was");
  if (isGood) sit(number);
  else $("trial").value = sitting ? sitting.trial : "";
  // So that keys choose again.
  $("trial").blur();
});
$("worth").addEventListener("click", worth);
$("take-back").addEventListener("click", takeBack);
$("to-players").addEventListener("click", () => { openTab("players"); $("tab-players").focus(); });
document.addEventListener("keydown", (event) => {
  if (state.tab !== "play" || event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  if (/^[1-9]$/.test(event.key) && asked && asked.choices[event.key - 1]) answer(asked.choices[event.key - 1].action);
  else if (event.key === "?") worth();
  else if (event.key === "Backspace") takeBack();
  else return;
  event.preventDefault();
});

