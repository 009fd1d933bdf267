// What happens: pictures and figures, soon from few games and then from many.

const FIRST = 20000, STAGES = [FIRST, 200000, 1000000];
// A first picture is wanted within so many milliseconds of a move; one that takes longer than LATE is asked for again, of fewer
// games. Of a game of which nothing is known yet it has UNKNOWN.
const SOON = 80, LATE = 150, UNKNOWN = 200, LEAST = 20;
// How many games are played in a millisecond, of first pictures and of sharper ones, and the milliseconds that all else takes.
let speed = null;
let shown = null;
let base = null, lastMove = 0;
let drawing = false, again = false, drawn = 0;
// Pictures of other settings than the controls are dimmed if the next takes longer than this.
const DIMMED = 500;
let later = 0, late = 0, sweeping = 0, dimming = 0, stages = 0;
const unfolded = {};

// As many games as a first picture, or a sharper one, may have if it is to take so many milliseconds.
const within = (milliseconds, is) => {
  if (!speed || speed.game !== state.game) return UNKNOWN;
  return Math.max(LEAST, Number((speed[is] * milliseconds).toPrecision(2)));
};
const first = () => {
  const most = Math.min(FIRST, within(Math.max(SOON / 4, SOON - (speed ? speed.rest : 0)), "first"));
  // A is played as many games as what is shown, and so of few numbers of them.
  return state.pinned ? roundDown(most) : most;
};
// What was measured; the first of a game holds for sharper ones, too.
const measured = (isSharper, rate, rest) => {
  const known = speed && speed.game === state.game ? speed : { game: state.game, first: rate, rest };
  speed = isSharper ? { ...known, sharp: rate } : { ...known, first: rate, rest, sharp: Math.max(rate, known.sharp || 0) };
};

const about = () => JSON.stringify(setting());
// All that a picture is of.
const pictured = () => JSON.stringify([setting(), state.whose, state.seconds, state.pinned]);

// What is set is drawn: at once, or when what is being drawn is done, unless that takes long. What is shown already goes on.
const drawGames = () => {
  clearTimeout(later);
  clearTimeout(sweeping);
  if (!drawing && shown && shown.pictured === pictured()) {
    goOn();
    return;
  }
  dim();
  unwish();
  const now = performance.now();
  if (now - lastMove > 700) base = shown;
  lastMove = now;
  // What was begun for other settings leaves its threads to these.
  ["versus", "along"].forEach(letGo);
  if (drawing === "first" && now - drawn < 2 * LATE) {
    again = true;
    return;
  }
  again = false;
  picture(0);
};

const dim = () => {
  clearTimeout(dimming);
  dimming = setTimeout(() => say("Playing …", true), DIMMED);
};

// What stands behind a picture of so many games.
const ghost = (trials) => {
  const old = state.pinned ? pinnedKnown[trials] : base;
  if (!old || !old.values || !shown && !state.pinned) return null;
  if (!state.pinned && (old.about === about() || old.metric !== shownMetric() || old.whoseAt !== state.whose || old.game !== state.game)) return null;
  return { names: state.pinned ? ["A", "B, now"] : ["before", "now"], values: old.values };
};
const shownMetric = () => state.metric || (shown ? shown.metric : null);

// The first picture, or one of so many games.
const picture = async (sharper) => {
  const trials = sharper || first();
  const mine = about(), of = pictured(), number = ++stages;
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
    const found = await ask("picture", { setting: setting(), trials, whose: state.whose, seconds: state.seconds, before: ghost(trials) });
    if (!found) {
      // It was let go; unless for a newer one, what came meanwhile is drawn.
      if (number === stages) redraw();
      return;
    }
    [late, dimming].forEach(clearTimeout);
    measured(Boolean(sharper), trials / Math.max(1, found.played), Math.max(0, performance.now() - drawn - found.played));
    problem("");
    shown = { ...found, about: mine, pictured: of, game: state.game, whoseAt: state.whose };
    show(found);
    document.documentElement.dataset.pictures = Number(document.documentElement.dataset.pictures || 0) + 1;
    document.documentElement.dataset.trials = found.trials;
    if (state.pinned) {
      $("versus").classList.toggle("late", !isOfShown(versusFound));
      compare(trials);
    }
    if (!redraw()) {
      next(Boolean(sharper), trials);
      const wanted = wished;
      wished = null;
      if (wanted) sweep(wanted, true);
    }
  } catch (error) {
    [late, dimming].forEach(clearTimeout);
    unwish();
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
  dim();
  picture(0);
  return true;
};

// Nothing is drawn any more.
const restGames = () => {
  [later, late, sweeping, dimming].forEach(clearTimeout);
  again = drawing = false;
  unwish();
  stages++;
  ["picture", "pinned", "versus", "along"].forEach(letGo);
};

// What is shown is of these settings: what comes after it is taken up.
const goOn = () => {
  problem("");
  sayGames();
  setCommand(shown.command);
  if (state.pinned && !isOfShown(versusFound)) compare(shown.trials);
  next(true, shown.trials);
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
    if (lastMoved && !$("along").firstChild && !(offer.isText && lastMoved.along.policy === undefined)) sweeping = setTimeout(() => sweep(lastMoved, false), 300);
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
      remember("plots");
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

// The answer to a question about so many games. With far more games than there is time for it is asked of a tenth.
const tried = async (name, question, trials, most = 8000) => {
  let isLate = false;
  const late = setTimeout(() => { isLate = true; letGo(name); }, most);
  const found = await ask(name, { ...question, trials }).finally(() => clearTimeout(late));
  return isLate && trials > LEAST ? tried(name, question, Math.max(LEAST, Math.round(trials / 10)), most) : found;
};
