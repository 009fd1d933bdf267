// Rules as sliders, switches and choices; policies with their parameters.

// Tabs, by mouse and by arrow keys; their names follow what their elements are called.
const tabs = (names, prefix, show) => names.forEach((name, at) => {
  const chosen = (name) => { show(name); remember("tab"); };
  $(`${prefix}-${name}`).addEventListener("click", () => chosen(name));
  $(`${prefix}-${name}`).addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = names[(at + by + names.length) % names.length];
    chosen(next);
    $(`${prefix}-${next}`).focus();
  });
});
const selectTab = (names, prefix, selected) => names.forEach((name) => {
  $(`${prefix}-${name}`).setAttribute("aria-selected", String(name === selected));
  $(`${prefix}-${name}`).tabIndex = name === selected ? 0 : -1;
});

let lastMoved = null;
const marks = {};

// Says beside a field why its number is not taken.
const refuse = (field, note, why = "") => {
  if (why) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  note.textContent = why;
};
const takes = (low, high, whole, now) => `${whole ? "Whole numbers" : "Numbers"} from ${grouped(low)} to ${grouped(high)}: it stays ${now}.`;

// From where to where a slider goes: all of a short range; of a long one what is near the usual value.
const softRange = (low, high, value, usual) => {
  if (high - low <= 100) return [low, high];
  // Of what is usually nothing, a tenth of what is allowed may be much already.
  const far = Math.max(3 * Math.abs(usual) || (high - low) / 5, 3 * Math.abs(value) / 2, 20);
  return [Math.max(low, low > 0 || usual >= 0 ? low : -far), Math.min(high, Math.ceil(far / 10) * 10)];
};

// The word of an option or parameter in texts, beside what it means.
const word = (key, label) => (key ? make("code", { class: label ? null : "alone" }, key) : null);

// What is sought along a slider: of a policy the best; of rules what is fair to the seats, where the same policy plays in all.
const seeks = ({ name, policy }) => {
  if (policy !== undefined) return "best";
  const [one, ...others] = state.policies.map((policy) => JSON.stringify(policy));
  return offer.seats > 1 && !/player|seat/.test(name) && others.every((other) => other === one) ? "fairest" : "nothing";
};
const tries = {
  best: ["Best?", "Try the values along this slider"],
  fairest: ["Fairest?", "Try with which value along this slider the seats win most equally"],
  nothing: ["Along", "Draw what happens along this slider"],
};

// A slider with a field for its number. `moved` is told of every new value, as text.
const slider = ({ id, label, key, low, high, step, value, usual, moved, along, whole }) => {
  let [from, to] = softRange(low, high, Number(value), Number(usual));
  from = Math.min(from, Number(value));
  to = Math.max(to, Number(value));
  const range = make("input", { type: "range", id, min: from, max: to, step, "aria-label": label || key });
  const field = make("input", { type: "number", min: low, max: high, step: whole ? 1 : "any", "aria-label": `${label || key}: the number`, inputmode: "decimal" });
  range.value = field.value = value;
  const best = make("div", { class: "marks", "aria-hidden": "true" });
  const said = make("p", { class: "note best-said", role: "status" });
  const refused = make("p", { class: "note refused", role: "status" });
  const set = (text, silent) => {
    const number = Number(text);
    if (text === "" || !Number.isFinite(number) || number < low || number > high || (whole && !Number.isInteger(number))) {
      refuse(field, refused, takes(low, high, whole, range.value));
      return;
    }
    refuse(field, refused);
    range.min = Math.min(Number(range.min), number);
    range.max = Math.max(Number(range.max), number);
    range.value = number;
    if (document.activeElement !== field) field.value = number;
    if (!silent) {
      lastMoved = { id, along };
      moved(String(number), id);
    }
  };
  range.addEventListener("input", () => { field.value = range.value; set(range.value); });
  field.addEventListener("input", () => set(field.value));
  field.addEventListener("blur", () => {
    if (!field.hasAttribute("aria-invalid")) return;
    field.value = range.value;
    field.removeAttribute("aria-invalid");
  });
  const button = make("button", { type: "button", class: "small", onclick: () => sweep({ id, along }, true) });
  const name = () => { [button.textContent, button.title] = tries[seeks(along)]; };
  name();
  const box = make("div", { class: "control" },
    make("label", { for: id }, capital(label), word(key, label)),
    make("div", { class: "row" }, make("div", { class: "track" }, range, best), field, button), refused, said);
  marks[id] = { range, best, said, field, set, low, high, step, whole, name };
  return box;
};

const choice = ({ id, label, key, values, meanings, value, moved }) => {
  const told = { true: "yes", false: "no" };
  const item = (one, at) => make("option", { value: one }, meanings[at] || told[one] || one.replace(/_/g, " "));
  const select = make("select", { id, onchange: () => moved(select.value) }, ...values.map(item));
  if (!values.includes(String(value))) select.prepend(make("option", { value: String(value) }, String(value)));
  select.value = String(value);
  return make("div", { class: "control" }, make("label", { for: id }, capital(label), word(key, label)), select);
};

const toggle = ({ id, label, key, value, moved }) => {
  const box = make("input", { type: "checkbox", id, onchange: () => moved(String(box.checked)) });
  box.checked = value === true || value === "true" || value === "yes";
  return make("div", { class: "control switch" }, box, make("label", { for: id }, capital(label), word(key, label)));
};

const field = ({ id, label, key, value, advice, moved }) => {
  const input = make("input", { type: "text", id, autocomplete: "off", "aria-describedby": `${id}-advice`, onchange: () => moved(input.value) });
  input.value = typeof value === "string" ? value : JSON.stringify(value);
  return make("div", { class: "control" }, make("label", { for: id }, capital(label), word(key, label)), input,
    make("p", { class: "note", id: `${id}-advice` }, capital(advice)));
};

// The words of an option that takes a few values, or nothing.
const few = (takes) => {
  if (takes.kind === "words") return takes.words;
  if (takes.kind === "yesno") return ["true", "false"];
  if (takes.kind === "whole" && takes.low === takes.high) return [String(takes.low)];
  if (takes.kind !== "either") return null;
  const each = takes.of.map(few);
  return each.every(Boolean) ? each.flat() : null;
};

const option = (one) => {
  const id = `option-${one.name.replace(/[^a-z0-9_]/gi, "-")}`;
  const usual = one.value;
  const value = one.name in state.set ? state.set[one.name] : usual;
  const moved = (text, by) => {
    const same = text === String(usual) || text === JSON.stringify(usual);
    if (same) delete state.set[one.name];
    else state.set[one.name] = text;
    changed("rules", false, by);
  };
  const label = one.meaning || one.name, key = one.name;
  const { takes } = one;
  const words = few(takes);
  if (takes.kind === "yesno") return toggle({ id, label, key, value, moved });
  if (words) return choice({ id, label, key, values: words, meanings: one.meanings, value, moved });
  if (takes.kind === "whole" && Number.isFinite(Number(value))) {
    return slider({ id, label, key, low: takes.low, high: takes.high, step: 1, value, usual, moved, along: { name: one.name }, whole: true });
  }
  if (takes.kind === "number") {
    const step = (takes.high - takes.low) / 100;
    return slider({ id, label, key, low: takes.low, high: takes.high, step, value, usual, moved, along: { name: one.name } });
  }
  return field({ id, label, key, value, advice: one.advice, moved });
};

const showRules = () => {
  const presets = offer.presets.map((preset) => make("option", { value: preset.name }, spoken(preset.name)));
  const own = files.filter((file) => file.kind === "rules" && file.game === offer.name).map((file) => make("option", { value: file.name }, file.name));
  $("rules").replaceChildren(make("optgroup", { label: "Rules that come with it" }, ...presets), ...(own.length ? [make("optgroup", { label: "Your files" }, ...own)] : []));
  $("rules").value = state.rules || offer.presets[0].name;
  const preset = offer.presets.find((one) => one.name === $("rules").value);
  $("rules-note").textContent = preset && preset.summary ? preset.summary : "";
  const groups = new Map();
  for (const one of offer.options) {
    const at = one.name.lastIndexOf(".");
    const group = at < 0 ? "" : one.name.slice(0, at);
    groups.set(group, [...(groups.get(group) || []), one]);
  }
  $("options").replaceChildren(...[...groups].map(([group, all]) =>
    make(group ? "fieldset" : "div", {}, group ? make("legend", {}, capital(group.replace(/_/g, " "))) : null, ...all.map(option))));
  showReset();
};

const showReset = () => { $("reset").hidden = !Object.keys(state.set).length; };

const policyOf = (name) => offer.policies.find((policy) => policy.name === name);

// A slider for a parameter: nobody says how far it goes, so that it goes as far again as it is.
const parameter = (at, one, chosen) => {
  const id = `param-${at}-${one.name}`;
  const value = one.name in chosen.params ? chosen.params[one.name] : one.value;
  const moved = (text, by) => {
    if (text === one.value) delete chosen.params[one.name];
    else chosen.params[one.name] = text;
    changed("players", false, by);
  };
  const label = one.meaning && one.unit ? `${one.meaning} (${one.unit})` : one.meaning;
  if (one.truth) return toggle({ id, label, key: one.name, value, moved: (text) => moved(text === "true" ? "yes" : "no") });
  const usual = Number(one.value), whole = Number.isInteger(usual);
  const high = whole ? Math.max(10, 2 * Math.abs(usual)) : Math.max(1, 2 * Math.abs(usual));
  const low = usual < 0 ? -high : 0;
  const wide = 1000 * high;
  const made = slider({ id, label, key: one.name, low: usual < 0 ? -wide : 0, high: wide, step: whole ? 1 : high / 100, value, usual, moved, along: { name: one.name, policy: at } });
  const { range } = marks[id];
  [range.min, range.max] = [Math.min(low, Number(value)), Math.max(high, Number(value))];
  range.value = value;
  return made;
};

// The names of the policies that are listed for the game: those that come with it; files of the folder, and texts that are written.
const shippedPolicies = () => offer.policies.map((policy) => policy.name).filter((name) => !name.endsWith(".toml"));
const ownPolicies = () => {
  const named = new Set(files.filter((file) => file.kind === "policy" && file.game === offer.name).map((file) => file.name));
  [...Object.keys(state.texts), ...state.policies.map((one) => one.name)].filter((name) => name.endsWith(".toml")).forEach((name) => named.add(name));
  return [...named].sort();
};

// A policy of one's own is called as its text says.
const called = (name) => (name.endsWith(".toml") && policyOf(name)?.title ? `${policyOf(name).title} (${name})` : name);

const player = (at) => {
  const chosen = state.policies[at];
  const id = `policy-${at}`;
  const own = ownPolicies();
  const item = (name) => make("option", { value: name }, called(name));
  const select = make("select", { id, onchange: () => {
    state.policies[at] = { name: select.value, params: {} };
    changed("players", true);
  } }, make("optgroup", { label: "Policies that come with it" }, ...shippedPolicies().map(item)),
  ...(own.length ? [make("optgroup", { label: "Your files" }, ...own.map(item))] : []));
  select.value = chosen.name;
  const policy = policyOf(chosen.name);
  const title = state.policies.length > 1 ? `Seat ${at + 1}` : offer.seats > 1 ? "In every seat" : "Who plays";
  return make("div", { class: "player" },
    make("div", { class: "field" }, make("label", { for: id }, title), select),
    make("p", { class: "note" }, policy ? policy.summary.replace(/`/g, "") : ""),
    ...(policy ? policy.params.map((one) => parameter(at, one, chosen)) : []),
    make("p", {}, make("button", { type: "button", class: "small", onclick: () => openText(`policy:${at}`) }, "Read or change its text")));
};

const showPlayers = () => {
  const many = offer.seats > 1;
  $("each-field").hidden = $("rotate-field").hidden = !many;
  $("each").checked = state.policies.length > 1;
  $("rotate").checked = state.rotate;
  $("players").replaceChildren(...state.policies.map((_, at) => player(at)));
};

// The line-up fits the game: one for all seats, or one for each; policies that it does not have are replaced.
const fitPlayers = () => {
  const known = (one) => one && (policyOf(one.name) || one.name.endsWith(".toml"));
  const usual = offer.policies.find((policy) => !policy.name.endsWith(".toml"));
  const best = offer.policies.filter((policy) => !policy.name.endsWith(".toml")).pop() || usual;
  state.policies = state.policies.filter(known);
  if (!state.policies.length && best) state.policies = [{ name: (offer.seats > 1 ? best : best).name, params: {} }];
  if (state.policies.length > 1 && state.policies.length !== offer.seats) {
    const last = state.policies[state.policies.length - 1];
    state.policies = Array.from({ length: offer.seats }, (_, at) => copy(state.policies[at] || last));
  }
  if (offer.seats === 1) [state.policies, state.rotate] = [state.policies.slice(0, 1), false];
};

