// The charts and the wide tables of a report below an element, made to be read by pointer and by keyboard.
const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
const svgNs = "http://www.w3.org/2000/svg";

// The marks of a picture: how many, where, what they say, and which is next.
const grid = (picture, svg) => {
  const list = (name) => picture.dataset[name].split("\n");
  const [xs, ys, panels] = [list("x"), list("y"), list("panels")];
  const places = svg.dataset.at.split("|").map((text) => text.split(" ").map(Number));
  const size = xs.length * ys.length;
  const split = (at) => [Math.floor(at / size), Math.floor((at % size) / xs.length), at % xs.length];
  return {
    count: size * panels.length,
    place(at) {
      const [panel, row, column] = split(at);
      const [x, y, w, h] = places[panel];
      return [x + w * column, y + h * row, w, h];
    },
    words(at, said) {
      const [panel, row, column] = split(at);
      return [panels[panel], ys[row], xs[column]].filter(Boolean).join(", ") + ": " + (said[at] || "nothing");
    },
    find(x, y) {
      for (let panel = 0; panel < places.length; panel++) {
        const [left, top, w, h] = places[panel];
        const [column, row] = [Math.floor((x - left) / w), Math.floor((y - top) / h)];
        if (column >= 0 && row >= 0 && column < xs.length && row < ys.length) {
          return panel * size + row * xs.length + column;
        }
      }
      return -1;
    },
    step: (at, sign) => at + sign * xs.length,
  };
};

const spots = (svg) => {
  const rows = svg.dataset.at.split("|").map((row) => row.split(";").map((text) => text.split(" ").map(Number)));
  const flat = rows.flat();
  const row = rows.flatMap((spots, at) => spots.map(() => at));
  const middle = (at) => flat[at][0] + flat[at][2] / 2;
  const nearest = (list, far) => list.reduce((best, at) => (best < 0 || far(at) < far(best) ? at : best), -1);
  const outside = (value, from, size) => Math.max(from - value, value - from - size, 0);
  return {
    count: flat.length,
    place: (at) => flat[at],
    words: (at, said) => said[at],
    find(x, y) {
      const far = (at) => Math.hypot(outside(x, flat[at][0], flat[at][2]), outside(y, flat[at][1], flat[at][3]));
      const found = nearest([...flat.keys()], far);
      return found >= 0 && far(found) < (rows.length > 1 ? 30 : 60) ? found : -1;
    },
    // Up and down lead to the nearest mark of the next row.
    step(at, sign) {
      if (rows.length < 2) return at + sign;
      const next = [...flat.keys()].filter((other) => row[other] === row[at] + sign);
      return next.length ? nearest(next, (other) => Math.abs(middle(other) - middle(at))) : at;
    },
  };
};

const charts = (root) => {
  for (const picture of all(".picture", root)) {
    if (!picture.dataset.said) continue;
    const said = picture.dataset.said.split("\n");
    const tip = picture.parentElement.querySelector(".tip");
    let current = -1;
    let shown = null;
    const seen = () => {
      const svg = all("svg", picture).find((svg) => svg.getBoundingClientRect().width > 0);
      if (svg && (!shown || shown.svg !== svg)) {
        shown = svg.dataset.at ? { svg, marks: "x" in picture.dataset ? grid(picture, svg) : spots(svg) } : null;
      }
      return shown;
    };
    const hide = () => {
      all(".spot,.spots", picture).forEach((mark) => mark.remove());
      tip.classList.remove("on");
    };
    const show = (at) => {
      const { svg, marks } = shown;
      hide();
      const [x, y, w, h, ...points] = marks.place(at);
      const add = (name, kind, attributes) => {
        const mark = document.createElementNS(svgNs, name);
        mark.setAttribute("class", kind);
        Object.keys(attributes).forEach((key) => mark.setAttribute(key, attributes[key]));
        svg.append(mark);
      };
      add("rect", "spot", { x, y, width: Math.max(w, 0.01), height: Math.max(h, 0.01) });
      for (let i = 0; i < points.length; i += 2) add("circle", "spots", { cx: points[i], cy: points[i + 1], r: 4 });
      const words = marks.words(at, said);
      tip.textContent = words.includes("; ") ? words.replace(": ", ":\n").replace(/; /g, "\n") : words;
      tip.classList.add("on");
      // Above the mark, or below it.
      const [box, home] = [svg.getBoundingClientRect(), tip.parentElement.getBoundingClientRect()];
      const scale = box.width / svg.viewBox.baseVal.width;
      const top = points.length ? Math.min(...points.filter((_, i) => i % 2)) - 6 : y;
      const left = box.left - home.left + (x + w / 2) * scale - tip.offsetWidth / 2;
      const above = box.top - home.top + top * scale - tip.offsetHeight - 8;
      const below = box.top - home.top + (y + Math.min(h, 24)) * scale + 8;
      tip.style.left = Math.max(0, Math.min(left, home.width - tip.offsetWidth)) + "px";
      tip.style.top = (above + home.top > 0 || above >= 0 ? above : below) + "px";
      current = at;
    };

    picture.tabIndex = 0;
    picture.setAttribute("role", "application");
    picture.setAttribute("aria-roledescription", "chart");
    picture.setAttribute("aria-label", picture.getAttribute("aria-label") + " Arrow keys read the values.");
    const point = (event) => {
      if (!seen()) return;
      const box = shown.svg.getBoundingClientRect();
      const scale = shown.svg.viewBox.baseVal.width / box.width;
      const at = shown.marks.find((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
      if (at < 0) hide();
      else show(at);
    };
    picture.addEventListener("pointermove", point);
    picture.addEventListener("pointerdown", point);
    // What a finger touched stays.
    picture.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
    picture.addEventListener("blur", hide);
    picture.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !seen()) return;
      const { marks } = shown;
      const last = marks.count - 1;
      const next = {
        ArrowRight: () => current + 1,
        ArrowLeft: () => current - 1,
        ArrowDown: () => (current < 0 ? 0 : marks.step(current, 1)),
        ArrowUp: () => (current < 0 ? 0 : marks.step(current, -1)),
        Home: () => 0,
        End: () => last,
      }[event.key];
      if (event.key === "Escape") hide();
      if (!next || last < 0) return;
      event.preventDefault();
      show(Math.max(0, Math.min(last, next())));
    });
  }

  for (const figure of all("figure", root)) {
    const buttons = all(".choose button", figure);
    buttons.forEach((button, at) => button.addEventListener("click", () => {
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      all(".plot", figure).forEach((plot, index) => plot.classList.toggle("shown", index === at));
    }));
  }
};

// What scrolls can be scrolled by keyboard. A table stops where a column begins, beside the names that stay.
const scrollable = (root) => all(".scroll,pre,nav", root).forEach((box) => {
  const table = box.querySelector(".named");
  const isWide = (table ? table.offsetWidth : box.scrollWidth) > box.clientWidth;
  box.classList.toggle("stops", isWide && table !== null);
  if (!isWide) box.style.paddingRight = "";
  if (!isWide && box.scrollHeight <= box.clientHeight) return;
  box.tabIndex = 0;
  const name = box.querySelector("[aria-label]")?.getAttribute("aria-label") || box.dataset.file || box.parentElement.querySelector("summary")?.textContent;
  if (name && !box.ariaLabel) {
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", name);
  }
  if (!isWide || !table) return;
  const [names, ...columns] = table.rows[0].cells;
  const covered = names.offsetWidth;
  const end = table.offsetWidth - box.clientWidth;
  const last = columns.map((column) => column.offsetLeft - covered).find((begin) => begin >= end);
  box.style.scrollPaddingLeft = covered + "px";
  box.style.paddingRight = (last - end || 0) + "px";
});
