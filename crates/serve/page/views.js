// What is seen on the right: the table of the game that you play, or a view. Only what is seen is worked on.

const VIEWS = {
  games: { draw: drawGames, rest: restGames, report: () => ({ setting: setting(), trials: shown ? shown.trials : FIRST }) },
  ranking: { draw: drawRanking, rest: restRanking, report: () => ({ setting: toRank(), trials: ranked ? ranked.asked : UNRANKED, view: "ranking" }) },
  held: { draw: drawHeld, rest: restHeld, report: () => ({ ...toHold(), view: "held" }) },
};
const TABLE = { draw: drawTable, rest: restTable };
const seen = () => (state.tab === "play" ? TABLE : VIEWS[state.view]);

// What is seen is drawn, as a setting has changed, or as it was not seen before.
const draw = () => {
  if (offer.of !== state.game) {
    changed("game", true);
    return;
  }
  if (!state.policies.every((one) => one && (policyOf(one.name) || one.name.endsWith(".toml"))) || !state.policies.length) {
    fitPlayers();
    showPlayers();
  }
  delete document.documentElement.dataset.done;
  seen().draw();
};

// Nothing is worked on any more.
const rest = () => [TABLE, ...Object.values(VIEWS)].forEach((view) => view.rest());

const showView = (name) => {
  state.view = name;
  selectTab(Object.keys(VIEWS), "see", name);
  document.body.dataset.view = name;
};
