// What happens along a slider.

// The next of 1, 2, 5, 10, 20, …
const roundUp = (number) => {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, number)));
  return ten * [1, 2, 5, 10].find((by) => by * ten >= number);
};

// The slider that is tried as soon as there is a picture of what is set.
let wished = null;
const unwish = () => {
  if (wished && marks[wished.id]) marks[wished.id].said.replaceChildren();
  wished = null;
};

// The values along a slider, and which of them is best.
const sweep = async ({ id, along }, isWanted) => {
  const mark = marks[id];
  if (!mark || !along) return;
  // What is fairest is said to who asks.
  const isTold = isWanted || seeks(along) === "best";
  unwish();
  if (isWanted) mark.said.textContent = "Trying the values along it …";
  // The picture of what is set comes first.
  if (isWanted && drawing && shown?.pictured !== pictured()) {
    wished = { id, along };
    return;
  }
  // Alone other things are counted than in a game for several.
  const least = along.policy === undefined && offer.seats > 1 && along.name === "players" ? 2 : -Infinity;
  const [from, to] = [Math.max(least, Number(mark.range.min)), Number(mark.range.max)];
  const count = 15;
  let values;
  const isWhole = mark.whole || Number(mark.range.step) === 1;
  if (isWhole) {
    const by = roundUp((to - from) / (count - 1));
    const list = new Set([from, to, Math.max(from, Number(mark.range.value))]);
    for (let value = Math.ceil(from / by) * by; value <= to; value += by) list.add(value);
    values = [...list].sort((a, b) => a - b);
  } else {
    values = Array.from({ length: count }, (_, at) => Number((from + (to - from) * at / (count - 1)).toPrecision(4)));
  }
  const of = about();
  try {
    const found = await tried("along", { setting: setting(), ...along, values: values.join(",") }, Math.min(200000, within(40, "sharp")));
    if (!found || of !== about()) return;
    const isAlike = found.points.every((point) => point.mean === found.points[0].mean);
    const low = Number(mark.range.min);
    const at = (value) => `${(100 * (Number(value) - low)) / Math.max(1e-9, to - low)}%`;
    Object.values(marks).forEach((other) => { other.best.replaceChildren(); other.said.textContent = ""; });
    mark.best.replaceChildren(...found.points.filter((point) => isTold && !isAlike && (point.may || point.best)).map((point) => {
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
    mark.said.replaceChildren(...(!isTold ? [] : best && isAlike ? ["In these games no value along it makes a difference."] : best ? [`${capital(found.sought)} here: ${best.value}${equally}. ${by}. `,
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
