// The beginning, and what follows on a change.

let games = [], files = [], folder = "";
// A game to begin with: its name, its text, and that of a policy.
let fresh = [];

const readFiles = async () => {
  const found = await ask("files", {}, { alone: false });
  [files, folder] = [found.files, found.folder];
  showGames();
};

const showGames = () => {
  const item = (name, label) => make("option", { value: name }, label || name);
  const own = new Set(files.filter((file) => file.kind === "game").map((file) => file.name));
  Object.keys(state.texts).filter((name) => name.endsWith(".game")).forEach((name) => own.add(name));
  if (state.game.includes(".")) own.add(state.game);
  $("game").replaceChildren(make("optgroup", { label: "Games that come with stopwise" }, ...games.map((game) => item(game.name, spoken(game.name)))),
    ...(own.size ? [make("optgroup", { label: "Your files" }, ...[...own].sort().map((name) => item(name)))] : []));
  $("game").value = state.game;
};

const TABS = ["rules", "players", "play", "write", "keep"];
const showTab = (name) => {
  if (name) state.tab = name;
  if (!TABS.includes(state.tab)) state.tab = "rules";
  const broken = Boolean(offer && offer.broken);
  if (broken) state.tab = "write";
  selectTab(TABS, "tab", state.tab);
  for (const tab of TABS) {
    $(`tab-${tab}`).disabled = broken && tab !== state.tab;
    $(`panel-${tab}`).hidden = tab !== state.tab;
  }
  document.body.dataset.tab = state.tab;
  if (offer && state.tab === "write") showTexts();
  if (offer && state.tab === "keep") showKeep();
};

// Another tab is opened: what is not seen any more is dropped, and what is seen again taken up.
const openTab = (name) => {
  const before = seen();
  showTab(name);
  if (!offer || offer.broken || seen() === before) return;
  rest();
  draw();
};

// What can be set is told anew, because it depends on what is set.
const describe = async () => {
  const asked = state.game;
  const tell = () => ask("game", { setting: { ...setting(), set: {} } });
  let found = await tell();
  // A game that comes without policies is played by one of your own, or by a first one that is written here.
  if (found && found.first && !state.policies.some((one) => one.name.endsWith(".toml"))) {
    const own = files.filter((file) => file.kind === "policy" && file.game === found.name).map((file) => file.name);
    const first = `${found.name}-first.toml`;
    if (!own.length && !(first in state.texts)) state.texts[first] = found.first;
    state.policies = [{ name: own[0] || first, params: {} }];
    found = await tell();
  }
  if (!found) return false;
  offer = { ...found, of: asked };
  offer.seating = JSON.stringify(offer.options.filter((one) => /player|seat/.test(one.name)).map((one) => String(one.value)));
  return true;
};

// Rules as paragraphs: names stand out, and what is indented is a list.
const prose = (text) => {
  const box = make("div", { class: "prose" }), within = [box];
  for (const line of text.split("\n")) {
    const depth = line.search(/\S/) / 2;
    within.length = Math.min(within.length, depth + 1);
    while (within.length <= depth) {
      const [last] = within.slice(-1), list = make("ul");
      (last === box ? box : last.lastChild || last).append(list);
      within.push(list);
    }
    const words = line.trim().split("`").map((part, at) => (at % 2 ? make("em", {}, part.replace(/_/g, " ")) : part));
    within[depth].append(make(depth ? "li" : "p", {}, ...words));
  }
  return box;
};

const showOffer = () => {
  const [title, ...rest] = (offer.title || offer.name).split(" by ");
  $("title").textContent = offer.isText || !offer.title ? spoken(offer.name) : title.replace(/,$/, "");
  $("under").textContent = rest.length ? `by ${rest.join(" by ")}` : offer.summary;
  document.title = `${$("title").textContent} – stopwise`;
  $("summary").textContent = rest.length ? offer.summary : "";
  $("summary").hidden = !rest.length;
  $("paragraphs").replaceChildren(...offer.paragraphs.map(prose),
    make("dl", {}, ...offer.words.flatMap(([word, meaning]) => [make("dt", {}, word), make("dd", {}, meaning)])));
  document.body.classList.toggle("broken", Boolean(offer.broken));
  if (!offer.broken) {
    fitPlayers();
    showRules();
    showPlayers();
  }
  showTab();
};

// Something was changed: `anew` if what can be set is another then.
const changed = async (what, anew, by) => {
  remember(by);
  showReset();
  // It would be another game.
  if (!["metric", "whose", "seconds"].includes(what)) sitting = null;
  Object.values(marks).forEach(({ name }) => name());
  all(".best-said").forEach((said) => said.replaceChildren());
  all(".marks").forEach((box) => box.replaceChildren());
  $("along").replaceChildren();
  if (anew) {
    // Nothing is drawn until the controls are those of the new settings.
    rest();
    if (!(await renewed())) return;
  }
  if (offer.broken) {
    unplayed();
    return;
  }
  if ((anew || what === "rules") && seatsMayChange()) {
    seats();
    return;
  }
  if (state.tab === "keep") showKeep();
  draw();
};

// The last settings that the game could be told of.
let good = null;
let renewing = 0;

// The controls as they are now. Until they are there, those that are shown are of other settings, and rest.
const renewed = async () => {
  const held = document.activeElement && document.activeElement.id;
  const hold = (by) => {
    renewing += by;
    ["controls", "under-shape", "pins"].forEach((id) => { $(id).inert = renewing > 0; });
  };
  hold(1);
  try {
    if (!(await describe())) return false;
    good = copy(state);
  } catch (error) {
    // What cannot be told cannot be set: it stays as it was.
    if (good) state = { ...copy(good), tab: state.tab };
    problem(error.message);
    if (!good || !(await describe().catch(() => false))) return false;
    showGames();
    showOffer();
    problem(error.message);
    keepNow();
    return false;
  } finally {
    hold(-1);
    if (held && $(held) && document.activeElement === document.body) $(held).focus({ preventScroll: true });
  }
  showGames();
  showOffer();
  if (held && $(held) && document.activeElement === document.body) $(held).focus({ preventScroll: true });
  return true;
};

// Options that change how many seats there are change who plays.
const seating = () => JSON.stringify(offer.options.filter((one) => /player|seat/.test(one.name)).map((one) => String(state.set[one.name] ?? one.value)));
const seatsMayChange = () => seating() !== offer.seating;
const seats = async () => {
  const of = seating();
  rest();
  try {
    const found = await ask("game", { setting: setting() });
    if (!found) return;
    [offer.seats, offer.metrics, offer.seating] = [found.seats, found.metrics, of];
    fitPlayers();
    showPlayers();
  } catch (error) {
    problem(error.message);
    return;
  }
  draw();
};

// A text that is no game yet is mended first.
const unplayed = () => {
  rest();
  stale();
  problem(`${state.game} has mistakes, which are marked in its text: it is played as soon as there are none.`);
};

const start = async () => {
  rest();
  const before = offer && about();
  [base, lastMoved, open] = [null, null, null];
  try {
    const found = await ask("games", {}, { alone: false });
    games = found.games;
    fresh = found.fresh;
    state = opened(found.begin);
    await readFiles();
    if (!(await describe())) return;
  } catch (error) {
    problem(error.message);
    // A link may name a game that is not here.
    if (state.game === empty().game) return;
    state = empty();
    if (!(await describe())) return;
  }
  good = copy(state);
  showGames();
  showOffer();
  // The game that you play goes on if it is the same.
  if (about() !== before) sitting = null;
  keepNow();
  showView(Object.keys(VIEWS).includes(state.view) ? state.view : "games");
  $("seconds").value = state.seconds;
  showPin();
  if (offer.broken) unplayed();
  else if (seatsMayChange()) seats();
  else draw();
};

$("game").addEventListener("change", () => {
  Object.assign(state, { game: $("game").value, rules: null, set: {}, policies: [], metric: null, whose: 0, pinned: null, rotate: false, held: {}, draft: null });
  [base, shown, lastMoved, open] = [null, null, null, null];
  showPin();
  changed("game", true);
});
$("rules").addEventListener("change", () => {
  [state.rules, state.set] = [$("rules").value, {}];
  changed("preset", true);
});
$("reset").addEventListener("click", () => {
  state.set = {};
  changed("preset", true);
});
$("each").addEventListener("change", () => {
  const [only] = state.policies;
  if (!only) return;
  state.policies = $("each").checked ? Array.from({ length: offer.seats }, () => copy(only)) : [only];
  showPlayers();
  changed("players");
});
$("rotate").addEventListener("change", () => {
  state.rotate = $("rotate").checked;
  changed("players");
});
$("metric").addEventListener("change", () => {
  state.metric = $("metric").value;
  base = null;
  changed("metric");
});
$("whose").addEventListener("change", () => {
  state.whose = Number($("whose").value);
  base = null;
  changed("whose");
});
$("seconds").addEventListener("input", () => {
  const seconds = Number($("seconds").value);
  const isGood = seconds >= 0 && seconds <= 600 && $("seconds").value !== "";
  refuse($("seconds"), $("seconds-refused"), isGood ? "" : takes(0, 600, false, state.seconds));
  if (!isGood) return;
  state.seconds = seconds;
  changed("seconds", false, "seconds");
});
$("seconds").addEventListener("change", () => {
  $("seconds").removeAttribute("aria-invalid");
  $("seconds").value = state.seconds;
});
$("pin").addEventListener("click", pin);
$("unpin").addEventListener("click", () => {
  state.pinned = null;
  showPin();
  remember();
  draw();
});
$("swap").addEventListener("click", () => {
  if (!state.pinned) return;
  Object.assign(state, copy(state.pinned));
  changed("pinned", true);
});
tabs(TABS, "tab", openTab);
tabs(Object.keys(VIEWS), "see", (name) => {
  rest();
  showView(name);
  if (state.tab === "keep") showKeep();
  draw();
});
$("text-of").addEventListener("change", () => {
  [open, state.draft] = [null, null];
  load($("text-of").value);
});
$("text").addEventListener("input", () => {
  paint([]);
  checkSoon(250);
});
$("text").addEventListener("scroll", scrollMarks);
$("text-name").addEventListener("change", () => {
  if (!open) return;
  const name = $("text-name").value.trim();
  const ending = open.kind === "game" ? ".game" : ".toml";
  const { file, kind } = open, to = name.endsWith(ending) ? name : name + ending, isTaken = to !== file && to in state.texts;
  $("text-saved").textContent = isTaken ? `${to} is another text of yours.` : "";
  $("text-name").value = open.file = isTaken ? file : to;
  if (isTaken) return;
  if (to === file || open.wrong || !(file in state.texts)) return;
  // What is played is the text by its new name.
  state.texts[to] = state.texts[file];
  if (!files.some((one) => one.name === file)) delete state.texts[file];
  if (kind === "game") state.game = to;
  else state.policies.filter((one) => one.name === file).forEach((one) => { one.name = to; });
  changed("text", true);
});
$("text-save").addEventListener("click", () => open && saveHere(open.file, $("text").value, $("text-saved")));
$("text-back").addEventListener("click", () => {
  if (!open) return;
  const { which, file, kind, at } = open;
  state.draft = null;
  delete state.texts[file];
  const stem = file.replace(/^my-/, "").replace(/\.(game|toml)$/, "");
  if (!files.some((one) => one.name === file)) {
    if (kind === "game") Object.assign(state, { game: games.some((game) => game.name === stem) ? stem : "pig", rules: null, set: {} });
    else state.policies[at] = { name: policyOf(stem) ? stem : offer.policies[0].name, params: {} };
  }
  open = null;
  changed("text", true).then(() => { $("text-of").value = which; });
});
$("text-new").addEventListener("click", () => {
  const [usual, game, policy] = fresh;
  const isTaken = (name) => [".game", ".toml"].some((ending) => name + ending in state.texts || files.some((file) => file.name === name + ending));
  let name = usual;
  for (let at = 2; isTaken(name); at++) name = `${usual}-${at}`;
  const named = (text) => text.replace(usual, name);
  Object.assign(state.texts, { [`${name}.game`]: named(game), [`${name}.toml`]: named(policy) });
  Object.assign(state, { game: `${name}.game`, rules: null, set: {}, policies: [{ name: `${name}.toml`, params: {} }], metric: null, whose: 0, pinned: null, rotate: false, held: {}, draft: null });
  [base, shown, lastMoved, open] = [null, null, null, null];
  showPin();
  changed("game", true).then(() => openText("game"));
});
// Another link was opened. What is no link is left alone.
window.addEventListener("hashchange", () => {
  // What was still to be kept is of the entry that was left.
  clearTimeout(remembering);
  remembering = 0;
  if (unpacked(location.hash.slice(1)).game) start();
});
$("skip").addEventListener("click", (event) => {
  event.preventDefault();
  $("game").focus();
});
start();
