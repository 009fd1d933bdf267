// Texts of games and policies, with what is wrong marked while they are written.

let open = null;
let checking = 0, doubting = 0;

const textChoices = () => {
  const list = [["game", `the game ${offer.name}`]];
  state.policies.forEach((one, at) => list.push([`policy:${at}`, state.policies.length > 1 ? `seat ${at + 1}: ${called(one.name)}` : `the policy ${called(one.name)}`]));
  return list;
};

const showTexts = () => {
  const choices = textChoices();
  $("text-of").replaceChildren(...choices.map(([value, label]) => make("option", { value }, label)));
  if (!choices.length) return;
  const { draft } = state;
  const isOfThese = draft && draft.name === (draft.which === "game" ? state.game : state.policies[Number(draft.which.split(":")[1])]?.name);
  const written = [open, isOfThese ? draft : null].find((one) => one && choices.some(([value]) => value === one.which));
  const which = written ? written.which : choices[choices.length - 1][0];
  $("text-of").value = which;
  load(which);
};

// The text that is chosen, and the name of the file that it becomes when it is changed.
const load = (which) => {
  const isGame = which === "game";
  const at = isGame ? -1 : Number(which.split(":")[1]);
  if (!isGame && !state.policies[at]) return;
  const name = isGame ? state.game : state.policies[at].name;
  const policy = isGame ? null : policyOf(name);
  const draft = state.draft && state.draft.which === which && state.draft.name === name ? state.draft.text : null;
  const text = name in state.texts ? state.texts[name] : isGame ? offer.text : policy ? policy.text : "";
  const isOwn = name.includes(".");
  const file = isOwn ? name : `my-${name}.${isGame ? "game" : "toml"}`;
  // What is being written stays, and what is not yet right.
  if (open && open.which === which && open.file === file && (open.wrong || document.activeElement === $("text"))) return;
  open = { which, at, kind: isGame ? "game" : "policy", file, original: text };
  $("text").value = draft ?? text;
  $("text-name").value = file;
  $("text").disabled = !text && !isOwn;
  $("text-note").textContent = !text && !isOwn ? "This game is a part of the program and has no text to change. Choose one of the gallery to begin from."
    : isOwn ? "Every change is played as soon as it makes sense." : `What you change becomes a text of your own, ${file}. Every change is played as soon as it makes sense.`;
  $("text-saved").textContent = "";
  paint([]);
  $("problems").replaceChildren();
  if (text) checkSoon(0);
};

const openText = (which) => {
  openTab("write");
  $("text-of").value = which;
  open = null;
  load(which);
  $("text").focus();
};

const checkSoon = (wait) => {
  clearTimeout(checking);
  clearTimeout(doubting);
  letGo("warnings");
  checking = setTimeout(check, wait);
};

const check = async () => {
  if (!open) return;
  const mine = open, { kind, file, original } = open;
  const text = $("text").value;
  const asked = { ...setting(), texts: { ...state.texts, ...(text === original && !(file in state.texts) ? {} : { [file]: text }) } };
  if (kind === "game") asked.game = state.game;
  try {
    const found = await ask("check", { setting: kind === "game" ? setting() : { ...setting(), policies: [] }, name: file, text, kind });
    if (!found || open !== mine) return;
    paint(found.problems);
    showProblems(found);
    $("understood").textContent = found.understood.join("\n");
    if (kind === "game" && !found.problems.length) doubting = setTimeout(doubt, 700);
    const was = open.wrong;
    open.wrong = found.problems.length > 0;
    // What is not right yet is in the link, too, so that nothing is lost.
    state.draft = open.wrong ? { which: open.which, name: kind === "game" ? state.game : state.policies[open.at]?.name ?? file, text } : null;
    remember("text");
    const isNew = !open.wrong && text !== original && use(text);
    if (!open.wrong && text === original && offer.broken && kind === "game") problem(offer.broken);
    if ((was || open.wrong) && !isNew && !offer.broken) sayGames();
  } catch (error) {
    $("problems").replaceChildren(make("p", { class: "problem" }, error.message));
  }
};

// What of a game is hardly meant: that takes a moment, and is asked when nothing is written any more.
const doubt = async () => {
  if (!open) return;
  const mine = open, { kind, file } = open, text = $("text").value;
  try {
    const found = await ask("warnings", { setting: setting(), name: file, text, kind });
    if (!found || open !== mine || $("text").value !== text || !found.problems.length) return;
    paint(found.problems, "doubt");
    $("problems").replaceChildren(make("p", { class: "good" }, "No mistakes. What may not be meant:"), told(found.problems));
  } catch { /* The text is good all the same. */ }
};

// A text without mistakes is played; whether it is another.
const use = (text) => {
  const { at, kind, file } = open;
  // Its seat may be there no more.
  if (state.texts[file] === text || (kind !== "game" && !state.policies[at])) return false;
  state.texts[file] = text;
  if (kind === "game") {
    const isNew = state.game !== file;
    state.game = file;
    if (isNew) [state.rules, state.set] = [null, {}];
  } else {
    state.policies[at] = { name: file, params: {} };
  }
  open.original = text;
  changed("text", true, "text");
  return true;
};

// The marks lie below the text, which is the same to the pixel.
const paint = (problems, kind = null) => {
  const text = $("text").value;
  const placed = problems.filter((one) => one.placed).sort((a, b) => a.from - b.from);
  const parts = [];
  let end = 0;
  for (const { from, to } of placed) {
    if (from < end) continue;
    const upTo = Math.max(to, from + 1);
    parts.push(text.slice(end, from), make("mark", { class: kind }, text.slice(from, upTo) || " "));
    end = upTo;
  }
  $("marks").replaceChildren(...parts, text.slice(end), "\n");
  scrollMarks();
};

const scrollMarks = () => {
  $("marks").scrollTop = $("text").scrollTop;
  $("marks").scrollLeft = $("text").scrollLeft;
};

// Problems as a list; a click goes to the place.
const told = (problems) => {
  const go = ({ from, to }) => {
    $("text").focus();
    $("text").setSelectionRange(from, to);
  };
  return make("ul", {}, ...problems.map((one) => make("li", {},
    one.placed ? make("button", { type: "button", class: "link", onclick: () => go(one) }, `Line ${one.line}`) : null,
    one.placed ? ": " : "", one.message.replace(/([^.?!])$/, "$1."), one.help ? make("span", { class: "note" }, ` ${capital(one.help)}.`.replace(/([?.!])\.$/, "$1")) : null)));
};

const showProblems = ({ problems, warnings = [] }) => {
  const good = warnings.length ? make("p", { class: "label" }, "No mistakes in the text, but:") : make("p", { class: "good" }, "No mistakes.");
  $("problems").replaceChildren(problems.length ? told(problems) : good,
    ...warnings.map((text) => make("pre", { class: "note" }, text)));
};

