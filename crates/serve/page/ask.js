// Questions to the server. Of each kind only the newest is wanted: what was asked before is let go.

const page = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const turns = {}, asking = {};

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// The answer to a question; `null` if something newer was asked meanwhile, or it was let go. What is asked `as` something else
// goes beside others of its kind.
const ask = async (name, question, { raw = false, alone = true, as = name } = {}) => {
  const turn = turns[as] = (turns[as] || 0) + 1;
  if (alone && asking[as]) asking[as].abort();
  const stop = new AbortController();
  if (alone) asking[as] = stop;
  const newest = () => !alone || turns[as] === turn;
  try {
    const who = alone ? `?page=${page}-${as}&turn=${turn}` : "";
    const answer = await fetch(`ask/${name}${who}`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question), signal: stop.signal,
    });
    const text = await answer.text();
    if (!newest()) return null;
    if (answer.ok) return raw ? text : JSON.parse(text);
    if (answer.status === 409) return null;
    let message = text;
    try { message = JSON.parse(text).error; } catch { /* The server said it in plain words. */ }
    throw new Refused(answer.status, message);
  } catch (error) {
    if (error.name === "AbortError" || !newest()) return null;
    if (error instanceof Refused) throw error;
    throw new Refused(0, "The page has lost its server. Start `stopwise serve` again, and open the address that it prints.");
  } finally {
    if (asking[as] === stop) delete asking[as];
  }
};

// Lets go of what was asked; whether there was such a thing.
const letGo = (name) => {
  turns[name] = (turns[name] || 0) + 1;
  if (!asking[name]) return false;
  asking[name].abort();
  delete asking[name];
  return true;
};

const problem = (message) => {
  $("problem").hidden = !message;
  $("problem").textContent = message || "";
};

