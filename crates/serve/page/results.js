// What happens: pictures and figures, soon from few games and then from many.

const FIRST = 20000, STAGES = [FIRST, 200000, 1000000];
// A first picture is wanted within so many milliseconds of a move; one that takes longer than LATE is asked for again, of fewer
// games. Of a game of which nothing is known yet it has UNKNOWN.
const SOON = 80, LATE = 250, UNKNOWN = 500, LEAST = 20;
// How many games are played in a millisecond, of first pictures and of sharper ones, and the milliseconds that all else takes.
let speed = null;
let shown = null;
let base = null, lastMove = 0;
let drawing = false, again = false, drawn = 0;
let later = 0, late = 0, sweeping = 0, stages = 0;
const unfolded = {};

// As many games as a first picture, or a sharper one, may have if it is to take so many milliseconds.
const within = (milliseconds, is) => {
  if (!speed || speed.game !== state.game) return UNKNOWN;
  return Math.max(LEAST, Number((speed[is] * milliseconds).toPrecision(2)));
};
const first = () => Math.min(FIRST, within(Math.max(SOON / 4, SOON - (speed ? speed.rest : 0)), "first"));
// What was measured; the first of a game holds for sharper ones, too.
const measured = (isSharper, rate, rest) => {
  const known = speed && speed.game === state.game ? speed : { game: state.game, first: rate, rest };
  speed = isSharper ? { ...known, sharp: rate } : { ...known, first: rate, rest, sharp: Math.max(rate, known.sharp || 0) };
};

const about = () => JSON.stringify(setting());

// A setting has changed, and is drawn: at once, or when what is being drawn is done, unless that takes long.
const drawGames = () => {
  const now = performance.now();
  if (now - lastMove > 700) base = shown;
  lastMove = now;
  clearTimeout(later);
  clearTimeout(sweeping);
  // What was begun for other settings leaves its threads to these.
  ["versus", "along"].forEach(letGo);
  if (drawing === "first" && now - drawn < 2 * LATE) {
    again = true;
    return;
  }
  again = false;
  picture(0);
};

const ghost = () => {
  const old = state.pinned ? pinnedFound : base;
  if (!old || !old.values || !shown && !state.pinned) return null;
  if (!state.pinned && (old.about === about() || old.metric !== shownMetric() || old.whoseAt !== state.whose || old.game !== state.game)) return null;
  return { names: state.pinned ? ["A", "B, now"] : ["before", "now"], values: old.values };
};
const shownMetric = () => state.metric || (shown ? shown.metric : null);

// The first picture, or one of so many games.
const picture = async (sharper) => {
  const trials = sharper || first();
  const mine = about(), number = ++stages;
  drawing = sharper ? "later" : "first";
  drawn = performance.now();
  if (state.pinned) {
    await measurePinned(trials);
    if (number !== stages) return;
    drawn = performance.now();
  }
  clearTimeout(late);
  if (!sharper && trials > LEAST) {
    late = setTimeout(() => {
      measured(false, trials / LATE / 2, 0);
      picture(0);
    }, LATE);
  }
  try {
    const found = await ask("picture", { setting: setting(), trials, whose: state.whose, seconds: state.seconds, before: ghost() });
    if (!found) {
      // It was let go; unless for a newer one, what came meanwhile is drawn.
      if (number === stages) redraw();
      return;
    }
    clearTimeout(late);
    measured(Boolean(sharper), trials / Math.max(1, found.played), Math.max(0, performance.now() - drawn - found.played));
    problem("");
    shown = { ...found, about: mine, game: state.game, whoseAt: state.whose };
    show(found);
    document.documentElement.dataset.pictures = Number(document.documentElement.dataset.pictures || 0) + 1;
    document.documentElement.dataset.trials = found.trials;
    if (state.pinned) {
      $("versus").classList.toggle("late", !versusFound || versusFound.about !== mine);
      compare(trials);
    }
    if (!redraw()) next(Boolean(sharper), trials);
  } catch (error) {
    clearTimeout(late);
    problem(error.message);
    stale();
    redraw();
  }
};

// Nothing is being drawn; whether something is to be.
const redraw = () => {
  drawing = false;
  if (!again) return false;
  again = false;
  picture(0);
  return true;
};

// Nothing is drawn any more.
const restGames = () => {
  [later, late, sweeping].forEach(clearTimeout);
  again = false;
  ["picture", "versus", "along"].forEach(letGo);
};

// As many games as come after so many: those of the next stage, or what can be played in 20 seconds, if that is no fewer than
// twice as many. Few games take longer than their share, so that more of them say how many can be.
const more = (stages, trials, fit) => {
  const wanted = Math.min(stages.find((stage) => stage > trials) || 0, fit);
  return wanted < 2 * trials ? 0 : wanted;
};

// What comes after a picture: a sharper one; then the slider that was moved last is tried.
const next = (isSharper, trials) => {
  const sharper = more(STAGES, trials, within(20000, "sharp"));
  if (sharper) {
    later = setTimeout(() => picture(sharper), isSharper || trials === UNKNOWN ? 60 : 250);
  } else {
    document.documentElement.dataset.done = trials;
    sayGames(`${grouped(trials)} games`);
    // Every value of an option of a text is a program that stays in memory: of those only what is wanted is tried.
    if (lastMoved && !(offer.isText && lastMoved.along.policy === undefined)) sweeping = setTimeout(() => sweep(lastMoved, false), 300);
  }
};

// What is said of the pictures; they are dimmed while they are of other settings than the controls.
const say = (text, isStale = false) => {
  $("status").textContent = text;
  document.body.classList.toggle("stale", isStale);
};
const stale = () => say("The pictures are of the last settings that could be played.", true);

// So many games are shown, unless a text has mistakes.
let counted = "";
const sayGames = (text = counted) => {
  counted = text;
  if (open && open.wrong) say("The pictures are of the last text that had no mistakes.", true);
  else say(text);
};

const show = (found) => {
  sayGames(`${grouped(found.trials)} games …`);
  showFigures(found.figures);
  const metrics = found.metrics.map(([name, unit]) => make("option", { value: name }, unit && unit !== name ? `${spoken(name)} (${unit})` : spoken(name)));
  if (document.activeElement !== $("metric")) {
    $("metric").replaceChildren(...metrics);
    $("metric").value = found.metric;
  }
  $("whose-label").hidden = found.whose.length < 2;
  if (document.activeElement !== $("whose")) {
    $("whose").replaceChildren(...found.whose.map((name, at) => make("option", { value: at }, brief(name))));
    $("whose").value = Math.min(state.whose, found.whose.length - 1);
  }
  const [shape, ...others] = found.charts;
  place($("shape"), "shape", shape.html);
  $("shape").querySelector("h3").append(make("small", {}, ` ${grouped(found.trials)} games`));
  const boxes = all("[data-chart]", $("charts"));
  others.forEach(({ title, html }, at) => {
    let box = boxes.find((one) => one.dataset.chart === title);
    if (!box) box = make("div", { "data-chart": title });
    if ($("charts").children[at] !== box) $("charts").insertBefore(box, $("charts").children[at] || null);
    place(box, title, html);
  });
  boxes.filter((box) => !others.some(({ title }) => title === box.dataset.chart)).forEach((box) => box.remove());
  $("answer").replaceChildren(...found.answer.map((sentence) => make("p", {}, brief(sentence))));
  const few = found.trials < FIRST ? [] : found.warnings;
  $("warnings").replaceChildren(...(few.length ? [make("aside", { class: "warnings" }, make("p", { class: "label" }, "Before you rely on this"), ...few.map((text) => make("p", {}, text)))] : []));
  setCommand(found.command);
};

// Puts charts into their box; which plot was chosen, what was unfolded and where the keyboard was stay.
const place = (box, name, html) => {
  const had = box.contains(document.activeElement) ? document.activeElement.className : null;
  box.innerHTML = html;
  charts(box);
  const each = (selector, then) => all(selector, box).forEach((one, at) => then(one, at ? `${name}-${at}` : name));
  each(".choose", (choose, name) => {
    const buttons = all("button", choose);
    const chosen = buttons[state.plots[name]];
    if (chosen) chosen.click();
    buttons.forEach((button, at) => button.addEventListener("click", () => {
      state.plots[name] = at;
      remember();
    }));
  });
  each("details", (details, name) => {
    details.open = Boolean(unfolded[name]);
    details.addEventListener("toggle", () => { unfolded[name] = details.open; });
  });
  if (had) {
    const same = had === "picture" ? box.querySelector(".picture") : box.querySelector("summary,button");
    if (same) same.focus({ preventScroll: true });
  }
};

// Figures, and how they differ from those of the pinned variant.
let versusFound = null, pinnedFound = null;
const showFigures = (figures) => {
  const old = state.pinned && pinnedFound ? pinnedFound.figures : [];
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
  const same = versusFound && versusFound.about === shown.about && versusFound.apart && versusFound.apart.find((one) => one.metric === figure.key);
  const paired = same && (figure.key !== "win" || state.whose === 0) && state.whose === 0 ? same : null;
  let value = (figure.value - before.value) * figure.scale, text, known = true;
  if (paired && paired.interval) {
    const scale = figure.key === "win" ? figure.scale : 1;
    const text_ = figure.key === "win" ? signed(paired.value * scale) : minus(paired.text);
    const half = figure.key === "win" ? shortened((paired.interval[1] - paired.interval[0]) / 2 * scale) : paired.half;
    [value, text] = [paired.value, `${text_}${half ? ` ± ${half}` : ""}`];
    known = paired.interval[0] > 0 || paired.interval[1] < 0;
  } else {
    const of = ({ interval }) => (interval ? (interval[1] - interval[0]) / 2 * figure.scale : NaN);
    const half = Math.hypot(of(figure), of(before));
    text = signed(value) + (half ? ` ± ${shortened(half)}` : "");
    known = !(half >= Math.abs(value));
  }
  const arrow = Math.abs(value) < 1e-9 ? "=" : !known ? "≈" : value > 0 ? "▲" : "▼";
  const words = arrow === "≈" ? "no clear difference" : arrow === "=" ? "the same" : value > 0 ? "more than A" : "less than A";
  return make("dd", { class: "delta" }, make("span", { class: "arrow", "aria-label": words }, arrow), ` ${text}`);
};

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
    versusFound = { ...found, about: of };
    sayVersus("");
  } catch (error) {
    versusFound = null;
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
    const what = unit && unit !== own.metric ? `${own.metric}: B has ${minus(own.text)}${own.half ? ` ± ${own.half}` : ""} ${unit}` : `B has ${minus(own.text)}${own.half ? ` ± ${own.half}` : ""} ${own.metric}`;
    text = `${seats ? seats + what : capital(what)} against A, on the same dice`
      + (own.shares ? `: better in ${share(b)} of the games, equal in ${share(equal)}, worse in ${share(a)}.` : ".");
  }
  $("versus").textContent = text;
  $("versus").classList.remove("late");
};

// What is shown becomes A.
const pin = async () => {
  state.pinned = copy({ ...setting() });
  pinnedFound = shown && shown.about === about() ? { ...shown, of: ofPinned() } : null;
  await showPin();
  remember();
  draw();
};

const showPin = async () => {
  const has = Boolean(state.pinned);
  $("unpin").hidden = $("swap").hidden = $("pinned").hidden = !has;
  $("pin").textContent = has ? "Pin this as A instead" : "Pin this as A";
  versusFound = null;
  $("versus").hidden = !has;
  if (!has) {
    pinnedFound = null;
    if (shown) showFigures(shown.figures);
    return;
  }
  const changes = Object.entries(state.pinned.set || {}).map(([name, value]) => `${name} = ${value}`);
  const players = (state.pinned.policies || []).map((one) => [one.name, ...Object.values(one.params || {})].join(" ")).join(" / ");
  $("pinned").textContent = `A: ${[state.pinned.rules, ...changes, players].filter(Boolean).join(", ")}`;
  await measurePinned(first());
};

const askPinned = () => ({ setting: setting({ ...state.pinned, metric: state.metric }), whose: state.whose, seconds: state.seconds });
const ofPinned = () => JSON.stringify(askPinned());

// The figures and the shape of A, of what is shown at the moment, from so many games at least.
const measurePinned = async (trials) => {
  const asked = askPinned(), of = ofPinned();
  if (pinnedFound && pinnedFound.of === of && pinnedFound.trials >= trials) return;
  try {
    pinnedFound = { ...(await ask("picture", { ...asked, trials }, { alone: false })), of };
  } catch {
    pinnedFound = null;
  }
};

// The next of 1, 2, 5, 10, 20, …
const roundUp = (number) => {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, number)));
  return ten * [1, 2, 5, 10].find((by) => by * ten >= number);
};

// The answer to a question about so many games. With far more games than there is time for it is asked of a tenth.
const tried = async (name, question, trials, most = 8000) => {
  let isLate = false;
  const late = setTimeout(() => { isLate = true; letGo(name); }, most);
  const found = await ask(name, { ...question, trials }).finally(() => clearTimeout(late));
  return isLate && trials > LEAST ? tried(name, question, Math.max(LEAST, Math.round(trials / 10)), most) : found;
};

// The values along a slider, and which of them is best.
const sweep = async ({ id, along }, isWanted) => {
  const mark = marks[id];
  if (!mark || !along) return;
  const [from, to] = [Number(mark.range.min), Number(mark.range.max)];
  const count = 15;
  let values;
  const isWhole = mark.whole || Number(mark.range.step) === 1;
  if (isWhole) {
    const by = roundUp((to - from) / (count - 1));
    const list = new Set([from, to, Number(mark.range.value)]);
    for (let value = Math.ceil(from / by) * by; value <= to; value += by) list.add(value);
    values = [...list].sort((a, b) => a - b);
  } else {
    values = Array.from({ length: count }, (_, at) => Number((from + (to - from) * at / (count - 1)).toPrecision(4)));
  }
  if (isWanted) mark.said.textContent = "Trying the values along it …";
  const of = about();
  try {
    const found = await tried("along", { setting: setting(), ...along, values: values.join(",") }, Math.min(200000, within(40, "sharp")));
    if (!found || of !== about()) return;
    const at = (value) => `${(100 * (Number(value) - from)) / Math.max(1e-9, to - from)}%`;
    Object.values(marks).forEach((other) => { other.best.replaceChildren(); other.said.textContent = ""; });
    mark.best.replaceChildren(...found.points.filter((point) => point.may || point.best).map((point) => {
      const dot = make("span", { class: point.best ? "best" : "may" });
      dot.style.left = at(point.value);
      return dot;
    }));
    const best = found.points.find((point) => point.best);
    const others = found.points.filter((point) => point.may && !point.best).map((point) => point.value);
    const equally = others.length && others.length < 6 ? `; ${others.join(", ")} may be as ${found.sought === "best" ? "good" : "fair"}` : "";
    const by = best && best.wins ? `There the seats win ${best.wins.map((win) => `${(100 * win).toFixed(1)}\u00a0%`).join(", ")} of the games`
      : `By ${found.of}`;
    const take = () => { mark.field.value = best.value; mark.set(best.value); mark.range.focus(); };
    mark.said.replaceChildren(...(best ? [`${capital(found.sought)} here: ${best.value}${equally}. ${by}. `,
      make("button", { type: "button", class: "small", onclick: take }, "Take it")] : isWanted ? [`It is drawn: Along “${along.name}”.`] : []));
    if (found.chart) {
      $("along").replaceChildren(make("div", { class: "sweep" }));
      place($("along").firstChild, "along", found.chart);
      $("along").firstChild.prepend(make("h2", {}, `Along “${along.name}”`));
    }
  } catch (error) {
    // Not every value along a slider makes a game.
    if (isWanted) mark.said.textContent = error.message;
  }
};

