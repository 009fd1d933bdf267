// What to hold at: the table of best play, of games that are solved within a minute.

// A game that takes longer is let go.
const SOLVED = 60000;
let held = null, heldLater = 0, heldLate = 0;

// Who plays is nothing to best play.
const toHold = () => ({ setting: { ...setting(), policies: [], rotate: false, metric: null }, held: state.held });

const drawHeld = () => {
  restHeld();
  const asked = toHold(), about = JSON.stringify(asked);
  if (held && held.about === about) showHeld();
  else heldLater = setTimeout(() => hold(asked, about), 150);
};

const restHeld = () => {
  clearTimeout(heldLater);
  clearTimeout(heldLate);
  letGo("held");
};

const hold = async (asked, about) => {
  $("held").classList.add("late");
  $("held-status").textContent = "Looking for best play …";
  heldLate = setTimeout(() => {
    restHeld();
    unheld(`Best play of ${offer.name} under these rules is not found within ${SOLVED / 1000} seconds. Fewer points, dice or turns are found sooner; at a terminal, stopwise solve takes its time.`);
  }, SOLVED);
  try {
    const found = await ask("held", asked);
    if (!found) return;
    clearTimeout(heldLate);
    problem("");
    held = { ...found, about };
    showHeld();
  } catch (error) {
    clearTimeout(heldLate);
    unheld(error.message);
  }
};

// There is no table.
const unheld = (why) => {
  held = null;
  $("held").classList.remove("late");
  $("held-choices").hidden = true;
  $("held-found").replaceChildren();
  $("held-status").textContent = why;
  document.documentElement.dataset.done = 0;
};

// The cells of a picture have the words of the table below it, which is there for who unfolds it.
const folded = (html) => {
  const box = make("div");
  box.innerHTML = html;
  all("section>figure", box).forEach((figure) => {
    const below = [...figure.parentElement.children].slice([...figure.parentElement.children].indexOf(figure) + 1);
    if (below.length) figure.append(make("details", {}, make("summary", {}, "The numbers as a table"), ...below));
  });
  return box.innerHTML;
};

const showHeld = () => {
  const { kinds, features, held: chosen, greatest, answer, html, command } = held;
  const list = (id, items, value, ...more) => {
    if (document.activeElement === $(id)) return;
    $(id).replaceChildren(...more, ...items.map(({ name, meaning }) => make("option", { value: name, title: meaning }, name.replaceAll("_", " "))));
    $(id).value = value || "";
  };
  list("held-kind", kinds, chosen.kind);
  list("held-from", features.filter((one) => !one.truth), chosen.from);
  list("held-rows", features, chosen.rows);
  list("held-columns", features, chosen.columns, make("option", { value: "" }, "nothing else"));
  $("held-which").textContent = greatest ? "The greatest" : "The least";
  $("held-kind-label").hidden = kinds.length < 2;
  $("held-choices").hidden = false;
  $("held").classList.remove("late");
  $("held-status").textContent = answer.join(" ");
  place($("held-found"), "held", folded(html));
  scrollable($("held-found"));
  setCommand(command);
  document.documentElement.dataset.done = 1;
};

["kind", "from", "rows", "columns"].forEach((name) => $(`held-${name}`).addEventListener("change", () => {
  state.held = { ...held.held, [name]: $(`held-${name}`).value };
  remember();
  draw();
}));
