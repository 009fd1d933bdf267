// All policies that are listed for the game, in order under the rules as they are: soon from few games, then from more.

const RANKED = [2000, 20000, 200000];
// A first ranking is wanted within so many milliseconds, and has UNRANKED games where nothing is known of the game.
const RANKED_SOON = 200, UNRANKED = 100;
let ranked = null, rankSpeed = null, rankLater = 0;

// Who is ranked: all that are listed, as they are written, and those that play as their sliders stand.
const whoIsRanked = () => {
  const listed = [...ownPolicies(), ...shippedPolicies()].map((name) => ({ name, params: {} }));
  const words = new Set(listed.map((one) => JSON.stringify(one)));
  return [...listed, ...state.policies.filter((one) => words.size < words.add(JSON.stringify(one)).size)].map(copy);
};

// Who plays, and what is shown of it, is nothing to a ranking.
const toRank = () => ({ ...setting(), policies: whoIsRanked(), rotate: false, metric: null });

const drawRanking = () => {
  restRanking();
  const asked = toRank(), about = JSON.stringify(asked);
  if (ranked && ranked.about === about) {
    showRanking();
    if (ranked.done) document.documentElement.dataset.done = ranked.asked;
    else rankMore(asked);
    return;
  }
  const known = rankSpeed && rankSpeed.game === state.game ? rankSpeed.rate * RANKED_SOON : UNRANKED;
  rank(asked, Math.max(LEAST, Math.min(RANKED[0], Number(known.toPrecision(1)))));
};

const restRanking = () => {
  clearTimeout(rankLater);
  letGo("ranking");
};

const rank = async (asked, trials) => {
  const begun = performance.now();
  $("ranking").classList.toggle("late", !ranked || ranked.about !== JSON.stringify(asked));
  try {
    const found = await tried("ranking", { setting: asked }, trials);
    if (!found) return;
    problem("");
    rankSpeed = { game: asked.game, rate: found.trials / Math.max(1, performance.now() - begun) };
    ranked = { ...found, asked: trials, about: JSON.stringify(asked), setting: asked };
    rankMore(asked);
    showRanking();
  } catch (error) {
    ranked = null;
    ["ranking-answer", "ranking-found", "ranking-left-out"].forEach((id) => $(id).replaceChildren());
    $("ranking").classList.remove("late");
    $("ranking-status").textContent = capital(error.message);
  }
};

// More games, unless all is known.
const rankMore = (asked) => {
  const trials = ranked.settled ? 0 : more(RANKED, ranked.asked, Number((rankSpeed.rate * 20000).toPrecision(2)));
  ranked.done = !trials;
  if (ranked.done) document.documentElement.dataset.done = ranked.asked;
  else rankLater = setTimeout(() => rank(asked, trials), 250);
};

const showRanking = () => {
  const { trials, done, answer, html, left_out: leftOut } = ranked;
  const held = $("ranking-found").contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  $("ranking").classList.remove("late");
  $("ranking-status").textContent = `${grouped(trials)} games ${offer.seats > 1 ? "at every table" : "of a policy at most"}${done ? "" : " …"}`;
  $("ranking-answer").replaceChildren(...answer.map((sentence) => make("p", {}, unnamed(untyped(brief(sentence))))));
  place($("ranking-found"), "ranking", html);
  seatable($("ranking-found").querySelector("section>.scroll tbody"));
  scrollable($("ranking-found"));
  $("ranking-left-out").replaceChildren(...leftOut.map(([name, why]) => make("p", { class: "note" }, `Left out: ${name}: ${why}`)));
  if (held) all("button", $("ranking-found")).find((button) => button.getAttribute("aria-label") === held)?.focus({ preventScroll: true });
  setCommand(ranked.command);
  document.documentElement.dataset.rankings = Number(document.documentElement.dataset.rankings || 0) + 1;
};

// The policies of the rows, as buttons that seat them.
const seatable = (body) => all("tr", body).forEach((row, at) => {
  const chosen = ranked.order[at], name = row.firstElementChild;
  if (!chosen) return;
  const plays = (seat) => JSON.stringify(state.policies[seat]) === JSON.stringify(chosen);
  const label = name.textContent, isOne = state.policies.length === 1;
  const button = (seat, said, ...inside) => make("button", {
    type: "button", class: isOne ? "link" : "small", "aria-pressed": String(plays(seat)), "aria-label": said, title: said,
    onclick: (event) => { event.stopPropagation(); takeSeat(chosen, seat); },
  }, ...inside);
  if (isOne) {
    name.replaceChildren(button(0, `${label}: let it play`, ...name.childNodes));
    row.addEventListener("click", () => takeSeat(chosen, 0));
    return;
  }
  name.append(make("span", { class: "seats" }, ...state.policies.map((_, seat) => button(seat, `${label}: in seat ${seat + 1}`, String(seat + 1)))));
});

const takeSeat = (chosen, seat) => {
  state.policies[seat] = copy(chosen);
  changed("players", true);
};
