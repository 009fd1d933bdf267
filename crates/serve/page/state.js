// What the page is set to, and the link that holds all of it.

document.documentElement.classList.add("js");
const $ = (id) => document.getElementById(id);

// An element with attributes, and what is in it.
const make = (name, attributes, ...inside) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...inside.filter((one) => one !== null && one !== undefined));
  return element;
};

const empty = () => ({
  game: "carbonite", rules: null, set: {}, policies: [], rotate: false, metric: null, whose: 0, seconds: 8, texts: {}, tab: "rules", view: "games",
  plots: {}, pinned: null, held: {}, draft: null,
});
let state = empty();

// What the game offers, as the server told it.
let offer = null;

// Only what differs from the beginning is in the link, and the game, as the page may begin with another.
const compact = () => {
  const usual = empty();
  return Object.fromEntries(Object.entries(state).filter(([key, value]) => key === "game" || JSON.stringify(value) !== JSON.stringify(usual[key])));
};

const packed = (value) => {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  let text = "";
  bytes.forEach((byte) => { text += String.fromCharCode(byte); });
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
};

const unpacked = (text) => {
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    const value = JSON.parse(new TextDecoder().decode(bytes));
    return value && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
};

// A link may have been written by anybody: what is not of the right kind is left out.
const opened = (begin) => {
  const usual = { ...empty(), ...(begin ? { game: begin } : {}) }, given = unpacked(location.hash.slice(1));
  for (const key of Object.keys(usual)) {
    const value = given[key];
    const fits = usual[key] === null ? value === null || ["string", "object"].includes(typeof value)
      : typeof value === typeof usual[key] && Array.isArray(value) === Array.isArray(usual[key]) && value !== null;
    if (key in given && fits) usual[key] = value;
  }
  usual.policies = usual.policies.filter((one) => one && typeof one.name === "string")
    .map((one) => ({ name: one.name, params: one.params && typeof one.params === "object" ? one.params : {} }));
  const isPin = (it) => it && typeof it.game === "string" && Array.isArray(it.policies) && it.set && typeof it.set === "object";
  if (!isPin(usual.pinned)) usual.pinned = null;
  const isDraft = usual.draft && ["which", "name", "text"].every((key) => typeof usual.draft[key] === "string");
  if (!isDraft) usual.draft = null;
  return usual;
};

// What is set is in the link. Every change is an entry, to which Back leads; but what goes on with the last one `by` the same,
// such as a slider that is moved, is a part of its entry.
const PAUSE = 1500;
let remembering = 0, kept = { by: null, at: 0, link: "" };
const link = () => "#" + packed(compact());
const keepLink = () => {
  clearTimeout(remembering);
  remembering = 0;
  history.replaceState(null, "", kept.link);
};
// The link is that of what is set, as it is now.
const keepNow = () => {
  kept = { by: null, at: 0, link: link() };
  keepLink();
};
const remember = (by = null) => {
  const next = link(), now = performance.now(), goesOn = by !== null && by === kept.by && now - kept.at < PAUSE;
  if (next === kept.link) return;
  if (remembering && !goesOn) keepLink();
  kept = { by, at: now, link: next };
  clearTimeout(remembering);
  if (goesOn) remembering = setTimeout(keepLink, 200);
  else history.pushState(null, "", next);
};

// The settings as the server takes them.
const setting = (of = state) => ({
  game: of.game, rules: of.rules, set: of.set, policies: of.policies, rotate: of.rotate,
  metric: offer && offer.metrics.some((one) => one.name === of.metric) ? of.metric : null, texts: of.texts,
});
const copy = (value) => JSON.parse(JSON.stringify(value));
// A policy, with its parameters if these are few.
const brief = (label) => label.replace(/:\S{25,}/g, "");
// A sentence without what one would type at a terminal.
const untyped = (text) => text.replace(/; (more )?--trials [^;.]*/g, "");
// A sentence without the names of methods, which the report has.
const unnamed = (text) => text.replace(/ \([^()]*MOVER[^()]*\)/g, "").replace(/, fixed n\b/g, "");
// A name of the program's as a person reads it.
const spoken = (name) => capital(name.replace(/[-_]/g, " ").replace(/^cant /, "can’t "));
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

