// The five figures, and the variant that is pinned as A to compare with.

// How B differs from A, and what A came to, by the number of games: beside what is shown stands that of as many.
let versusFound = null, pinnedKnown = {};
const isOfShown = (found) => Boolean(found && shown) && found.about === shown.about && found.trials === shown.trials;

const showFigures = (figures) => {
  const a = state.pinned && pinnedKnown[shown.trials], old = a ? a.figures : [];
  $("figures").replaceChildren(...figures.map((figure) => {
    const before = old.find((one) => one.key === figure.key);
    return make("div", { "data-key": figure.key }, make("dt", {}, capital(figure.title)),
      make("dd", {}, ...withUnit(figure.text)), make("dd", { class: "half" }, [figure.half ? `± ${figure.half}` : "", before ? `A ${minus(before.text)}` : ""].filter(Boolean).join(" · ") || "\u00a0"),
      before ? difference(figure, before) : null);
  }));
};

// A number large, and its unit small beside it.
const withUnit = (text) => {
  const [, number, unit] = /^([^a-z]+?)(\s*[a-z].*)?$/i.exec(text) || [text, text];
  return [minus(number), unit ? make("small", {}, unit) : null];
};
const minus = (text) => text.replace(/^-/, "−");

const difference = (figure, before) => {
  // Games are paired for the first seat. Until those that are shown are, what is known of each side is enough for an interval.
  const isPaired = isOfShown(versusFound) && state.whose === 0;
  const isAwaited = state.whose === 0 && !isPaired;
  const paired = isPaired ? versusFound.apart.find((one) => one.metric === figure.key || isSame(one, figure, before)) : null;
  let value = (figure.value - before.value) * figure.scale, text, known = true;
  if (paired && paired.interval) {
    const isShare = ["win", "share", "edge"].includes(figure.key);
    const scale = isShare ? figure.scale : 1;
    const text_ = isShare ? signed(paired.value * scale) : minus(paired.text);
    const half = isShare ? shortened((paired.interval[1] - paired.interval[0]) / 2 * scale) : paired.half;
    [value, text] = [paired.value, `${text_}${half ? ` ± ${half}` : ""}`];
    known = paired.interval[0] > 0 || paired.interval[1] < 0;
  } else {
    const of = ({ interval }) => (interval ? (interval[1] - interval[0]) / 2 * figure.scale : NaN);
    const half = Math.hypot(of(figure), of(before));
    text = signed(value) + (half && !isAwaited ? ` ± ${shortened(half)}` : "");
    known = !(half >= Math.abs(value));
  }
  const arrow = isAwaited ? "…" : Math.abs(value) < 1e-9 ? "=" : !known ? "≈" : value > 0 ? "▲" : "▼";
  const words = arrow === "…" ? "not known yet" : arrow === "≈" ? "no clear difference" : arrow === "=" ? "the same" : value > 0 ? "more than A" : "less than A";
  return make("dd", { class: "delta" }, make("span", { class: "arrow", "aria-label": words }, arrow), ` ${text}`);
};

// What going first is worth differs by as much as who wins does.
const isSame = (one, figure, before) => figure.key === "edge" && ["win", "share"].includes(one.metric)
  && Math.abs(one.value - (figure.value - before.value)) < 1e-9;

const shortened = (number) => {
  const size = Math.abs(number);
  return number.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3);
};
const signed = (number) => (number < 0 ? "−" : "+") + shortened(Math.abs(number));

// How what is shown differs from the pinned variant, on the same dice.
const compare = async (trials) => {
  const of = about();
  try {
    const found = await ask("versus", { a: setting({ ...state.pinned, metric: state.metric }), b: setting(), trials });
    if (!found) return;
    versusFound = { ...found, about: of, trials };
    sayVersus("");
  } catch (error) {
    // Where there will be none, what is known of each side has to do.
    versusFound = error.status === 422 ? { apart: [], about: of, trials } : null;
    sayVersus(error.message);
  }
  if (shown) showFigures(shown.figures);
};

const sayVersus = (message) => {
  $("versus").hidden = !state.pinned;
  if (!state.pinned) return;
  const own = versusFound && versusFound.apart && versusFound.apart.find((one) => one.metric === shownMetric()) || null;
  let text = message;
  if (!message && versusFound && versusFound.same) text = "A and B are the same. Move something.";
  else if (!message && own) {
    const share = (number) => `${(100 * number).toFixed(1)}\u00a0%`;
    const [a, equal, b] = own.shares || [];
    const seats = shown && shown.whose.length > 1 ? "Seat 1: " : "";
    const unit = (shown.metrics.find(([name]) => name === own.metric) || [])[1] || "";
    const aim = (offer.metrics.find((one) => one.name === own.metric) || {}).less ? " (less is better)" : "";
    const what = unit && unit !== own.metric ? `${own.metric}: B has ${minus(own.text)}${own.half ? ` ± ${own.half}` : ""} ${unit}` : `B has ${minus(own.text)}${own.half ? ` ± ${own.half}` : ""} ${own.metric}`;
    text = `${seats ? seats + what : capital(what)} against A${aim}, on the same dice`
      + (own.shares ? `: better in ${share(b)} of the games, equal in ${share(equal)}, worse in ${share(a)}.` : ".");
  }
  $("versus").textContent = text;
  $("versus").classList.remove("late");
};

// What is shown becomes A.
const pin = () => {
  state.pinned = copy({ ...setting() });
  if (shown && shown.about === about()) pinnedKnown = { of: JSON.stringify(askPinned()), [shown.trials]: shown };
  showPin();
  remember();
  draw();
};

const showPin = () => {
  const has = Boolean(state.pinned);
  $("unpin").hidden = $("swap").hidden = $("pinned").hidden = !has;
  $("pin").textContent = has ? "Pin this as A instead" : "Pin this as A";
  versusFound = null;
  $("versus").hidden = !has;
  if (!has) {
    if (shown) showFigures(shown.figures);
    return;
  }
  const changes = Object.entries(state.pinned.set || {}).map(([name, value]) => `${name} = ${value}`);
  const players = (state.pinned.policies || []).map((one) => [one.name, ...Object.values(one.params || {})].join(" ")).join(" / ");
  $("pinned").textContent = `A: ${[state.pinned.rules, ...changes, players].filter(Boolean).join(", ")}`;
};

const askPinned = () => ({ setting: setting({ ...state.pinned, metric: state.metric }), whose: state.whose, seconds: state.seconds });

// The figures and the shape of A, of what is shown at the moment, from so many games.
const measurePinned = async (trials) => {
  const asked = askPinned(), of = JSON.stringify(asked);
  if (pinnedKnown.of !== of) pinnedKnown = { of };
  const known = pinnedKnown;
  try {
    known[trials] ||= await ask("picture", { ...asked, trials }, { as: "pinned" });
  } catch {
    // Of what cannot be played there are no figures.
  }
};

// The last of 1, 2, 5, 10, 20, …
const roundDown = (number) => {
  const ten = 10 ** Math.floor(Math.log10(number));
  return ten * [5, 2, 1].find((by) => by * ten <= number);
};
