// Which line comes from which: the texts of the page, and the way from a line of one to its partners in any other.
//
// A text has a key: "file/0" is a source file, "state/3" a state of the module, "emitted" the C or Triton source.
// A place is a line of a text, { key, line }, counted from 1.

const CLOSING = /^\s*[}^]/;

class Links {
  constructor(data) {
    this.data = data;
    this.lastState = data.snapshots.length - 1;
    this.texts = new Map();
    data.documents.forEach((file, k) => this.texts.set(`file/${k}`, (file.text ?? "").split("\n")));
    data.snapshots.forEach((state, k) => this.texts.set(`state/${k}`, split(state.text)));
    if (data.emitted) this.texts.set("emitted", split(data.emitted.text));
    // The pass that made each state, and its origins: one state for each pass that changed something.
    this.origins = [null];
    for (const pass of data.passes) if (pass.origins) this.origins[pass.after] = pass.origins;
    this._results = [];
    this._byLine = new Map();
    this._bySource = [];
  }

  // Build the indexes that the first look at a place would wait for, one after another while nothing else happens.
  async prepare() {
    for (let state = this.lastState; state >= 0; state--) {
      await new Promise((done) => setTimeout(done, 0));
      if (state < this.lastState) this._resultsOf(state);
      this._lines(state);
    }
  }

  // The lines of each text in `keys` that belong with a place: Map from key to sorted lines.
  partners(place, keys) {
    const found = new Map();
    const states = [...keys].map(stateOf).filter((state) => state !== null);
    const file = fileOf(place.key);
    const start = place.key === "emitted" ? this.lastState : stateOf(place.key);
    const ops = file === null ? this.opsAt(place) : null;
    const reached = ops && this._reach(start, ops, [...states, this.lastState]);
    for (const key of keys) {
      const state = key === "emitted" ? this.lastState : stateOf(key);
      if (key === place.key) found.set(key, [place.line]);
      else if (state === null) found.set(key, ops ? this._sourceLines(start, ops, fileOf(key)) : []);
      else {
        const here = reached ? reached.get(state) : this.opsFrom(state, file, place.line);
        found.set(key, key === "emitted" ? this._emittedLines(here) : this._linesOf(state, here));
      }
    }
    return found;
  }

  // The operations at a place: those that start on its line, or the one that a closing brace or a block label belongs to.
  opsAt({ key, line }) {
    if (key === "emitted") return this._emitted().byLine.get(line) ?? [];
    const state = stateOf(key);
    return state === null ? [] : (this._lines(state).get(line) ?? []);
  }

  // The source positions of operations of a state, as [file, line, column, function], without duplicates.
  sources(state, ops) {
    const { sources, frames, snapshots } = this.data;
    const numbers = new Set();
    for (const op of ops) for (const frame of sources[snapshots[state].sources[op]]) numbers.add(frame);
    return [...numbers].map((number) => frames[number]);
  }

  // The operations of a state that come from a line of a source file.
  opsFrom(state, file, line) {
    this._bySource[state] ??= this._indexSources(state);
    return this._bySource[state].get(`${file}:${line}`) ?? [];
  }

  // The passes that changed an operation at a place or one that it comes from or that comes from it: their numbers.
  history(place) {
    const start = place.key === "emitted" ? this.lastState : stateOf(place.key);
    if (start === null) return [];
    const all = Array.from({ length: this.lastState + 1 }, (_, state) => state);
    const reached = this._reach(start, this.opsAt(place), all);
    const touches = (state, changed) => {
      const { lines } = this.data.snapshots[state];
      return reached.get(state).some((op) => changed[lines[op]]);
    };
    return this.data.passes.flatMap((pass, number) => {
      if (!pass.origins) return [];
      const { before, after } = this._changed(number);
      return touches(pass.before, before) || touches(pass.after, after) ? [number] : [];
    });
  }

  // Whether a pass changed each line before it, and made each line after it.
  _changed(number) {
    this._changedLines ??= [];
    if (!this._changedLines[number]) {
      const { before: old, after: made, runs } = this.data.passes[number];
      const [before, after] = [old, made].map((state) => new Uint8Array(this.texts.get(`state/${state}`).length + 1));
      for (const [kind, first, second, count] of runs) {
        if (kind !== EQUAL && first) before.fill(1, first, first + count);
        if (kind !== EQUAL && second) after.fill(1, second, second + count);
      }
      this._changedLines[number] = { before, after };
    }
    return this._changedLines[number];
  }

  // From operations of one state to those of others that they come from or that come from them.
  _reach(start, ops, states) {
    const wanted = new Set(states);
    const found = new Map([[start, [...ops]]]);
    const least = Math.min(start, ...states), most = Math.max(start, ...states);
    let here = new Set(ops);
    for (let state = start; state > least; state--) {
      here = follow(here, this.origins[state]);
      if (wanted.has(state - 1)) found.set(state - 1, [...here]);
    }
    here = new Set(ops);
    for (let state = start; state < most; state++) {
      here = this._resultsOf(state).follow(here);
      if (wanted.has(state + 1)) found.set(state + 1, [...here]);
    }
    return found;
  }

  // For each operation of a state, those of the next one that come from it.
  _resultsOf(state) {
    this._results[state] ??= new Inverse(this.origins[state + 1], this.data.snapshots[state].lines.length);
    return this._results[state];
  }

  _linesOf(state, ops) {
    const { lines } = this.data.snapshots[state];
    return ascending(ops.map((op) => lines[op]).filter((line) => line));
  }

  _emittedLines(ops) {
    const { byOp } = this._emitted();
    return ascending(ops.flatMap((op) => byOp.get(op) ?? []));
  }

  _sourceLines(state, ops, file) {
    return ascending(this.sources(state, ops).filter((frame) => frame[0] === file).map((frame) => frame[1]));
  }

  // The operations on each line of a state.
  _lines(state) {
    if (!this._byLine.has(state)) {
      const found = new Map();
      this.data.snapshots[state].lines.forEach((line, op) => {
        if (line && this.data.snapshots[state].names[op] !== this._module()) push(found, line, op);
      });
      // A closing brace and a block label stand as far in as the line that opens their operation.
      const opened = [];
      this.texts.get(`state/${state}`).forEach((text, k) => {
        const depth = text.length - text.trimStart().length;
        if (found.has(k + 1)) opened[depth] = k + 1;
        else if (CLOSING.test(text) && opened[depth]) found.set(k + 1, found.get(opened[depth]));
      });
      this._byLine.set(state, found);
    }
    return this._byLine.get(state);
  }

  _module() {
    return this.data.names.indexOf("builtin.module");
  }

  _emitted() {
    if (!this._emittedLinks) {
      const byLine = new Map(), byOp = new Map();
      for (const [line, op] of this.data.emitted.ops) {
        push(byLine, line, op);
        push(byOp, op, line);
      }
      this._emittedLinks = { byLine, byOp };
    }
    return this._emittedLinks;
  }

  _indexSources(state) {
    const found = new Map();
    const { sources, names } = this.data.snapshots[state];
    const places = this.data.sources.map((frames) => new Set(frames.map((k) => this.data.frames[k].slice(0, 2).join(":"))));
    sources.forEach((source, op) => {
      if (names[op] !== this._module()) for (const place of places[source]) push(found, place, op);
    });
    return found;
  }
}

// The inverse of origins, in two flat arrays: the results of operation k are items[starts[k]] up to items[starts[k + 1]].
class Inverse {
  constructor(origins, count) {
    this.starts = new Int32Array(count + 2);
    let size = 0;
    const each = (visit) => {
      for (let op = 0; op < origins.length; op++) {
        const found = origins[op];
        if (typeof found === "number") visit(found, op);
        else for (const origin of found) visit(origin, op);
      }
    };
    each((origin) => {
      this.starts[origin + 2]++;
      size++;
    });
    for (let k = 2; k < count + 2; k++) this.starts[k] += this.starts[k - 1];
    this.items = new Int32Array(size);
    each((origin, op) => (this.items[this.starts[origin + 1]++] = op));
  }

  follow(ops) {
    const found = new Set();
    for (const op of ops) for (let k = this.starts[op]; k < this.starts[op + 1]; k++) found.add(this.items[k]);
    return found;
  }
}

const EQUAL = 0, CHANGED = 1, REMOVED = 2, ADDED = 3;

function split(text) {
  const lines = text.split("\n");
  while (lines.length && lines.at(-1) === "") lines.pop();
  return lines;
}

function stateOf(key) {
  return key.startsWith("state/") ? Number(key.slice(6)) : null;
}

function fileOf(key) {
  return key.startsWith("file/") ? Number(key.slice(5)) : null;
}

function listed(value) {
  return typeof value === "number" ? [value] : value;
}

function follow(ops, links) {
  const found = new Set();
  for (const op of ops) for (const next of listed(links[op])) found.add(next);
  return found;
}

function push(map, key, value) {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function ascending(lines) {
  return [...new Set(lines)].sort((a, b) => a - b);
}
