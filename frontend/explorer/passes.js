// The passes with what each changed: the texts before and after it side by side.

const CONTEXT = 3;

class PassesView {
  constructor(app, element) {
    this.app = app;
    this.element = element;
    this.pass = null;
    this.unfolded = new Set();
    this.list = make("nav", "passes", element);
    this.list.tabIndex = 0;
    this.list.setAttribute("aria-label", "Passes");
    const right = make("div", "difference", element);
    this.summary = make("div", "summary", right);
    const sides = make("div", "sides", right);
    this.before = this._side(sides, "before");
    this.after = this._side(sides, "after");
    this._together();
    this._fillList();
  }

  get keys() {
    const pass = this.app.links.data.passes[this.pass];
    return pass ? [`state/${pass.before}`, `state/${pass.after}`] : [];
  }

  update() {
    this.element.classList.toggle("all", this.app.all);
    const { passes } = this.app.links.data;
    const first = passes.findIndex((pass) => pass.effect);
    const wanted = this.app.pass ?? Math.max(first, 0);
    for (const item of this.items) item.classList.toggle("chosen", Number(item.dataset.pass) === wanted);
    this.items.find((item) => Number(item.dataset.pass) === wanted)?.scrollIntoView({ block: "nearest" });
    if (wanted === this.pass || !passes[wanted]) return;
    this.pass = wanted;
    this.unfolded.clear();
    this._fillSummary(passes[wanted], wanted);
    this._fillSides();
    this.go(1, true);
  }

  mark(hovered, selected, place) {
    const [before, after] = this.keys;
    if (!before) return;
    const current = (key) => (place?.key === key ? place.line : 0);
    this.before.mark(hovered?.get(before) ?? [], selected?.get(before) ?? [], before === after ? 0 : current(before));
    this.after.mark(hovered?.get(after) ?? [], selected?.get(after) ?? [], current(after));
  }

  reveal(place, partners, focus) {
    const [before, after] = this.keys;
    const [side, key] = place.key === before && before !== after ? [this.before, before] : [this.after, after];
    const line = place.key === key ? place.line : (partners.get(key)?.[0] ?? 0);
    if (!line) return;
    if (side.rowOf(line) < 0) {
      this._unfoldTo(side, line);
    }
    side.reveal(line);
    if (focus) side.element.focus({ preventScroll: true });
  }

  search(query) {
    this.before.search(query);
    this.after.search(query);
    return query ? this.found(query).length : 0;
  }

  found(query) {
    return [...new Set(this.keys)].flatMap((key) =>
      this.app.links.texts.get(key).flatMap((text, k) => (text.toLowerCase().includes(query) ? [{ key, line: k + 1 }] : [])),
    );
  }

  beside(place, step) {
    const [before, after] = this.keys;
    const key = step < 0 ? before : after;
    if (place.key === key) return null;
    const lines = this.app.links.partners(place, [key]).get(key);
    return lines.length ? { key, line: lines[0] } : null;
  }

  // The next (1) or previous (-1) pass that is shown in the list.
  step(by) {
    const shown = this.items.map((item) => Number(item.dataset.pass)).filter((k) => this._isShown(k));
    const at = shown.indexOf(this.pass);
    const next = shown[at < 0 ? 0 : at + by];
    if (next !== undefined) this.app.openPass(next);
  }

  // Scroll to the next (1) or previous (-1) change, or to the first.
  go(by, first = false) {
    const rows = this.after.rows ?? [];
    const starts = rows.flatMap((row, k) => (row.kind && !rows[k - 1]?.kind ? [k] : []));
    const here = Math.round(this.after.scroller.scrollTop / ROW) + CONTEXT;
    const next = first ? starts[0] : by > 0 ? starts.find((row) => row > here) : starts.findLast((row) => row < here);
    if (next !== undefined) this.after.scroller.scrollTop = this.before.scroller.scrollTop = (next - CONTEXT) * ROW;
  }

  _side(parent, name) {
    const section = make("section", "column", parent);
    const heading = make("h2", "", section);
    make("span", "name", heading).textContent = name;
    const key = () => this.keys[name === "before" ? 0 : 1];
    const listing = new Listing(make("div", "", section), {
      language: "ir",
      onHover: (line) => this.app.hover(line ? { key: key(), line } : null),
      onSelect: (line) => this.app.select({ key: key(), line }),
      onFold: (row) => this._unfold(row),
    });
    listing.element.setAttribute("aria-label", name);
    return listing;
  }

  // Both sides scroll together.
  _together() {
    const tie = (one, other) =>
      one.scroller.addEventListener("scroll", () => {
        if (other.scroller.scrollTop !== one.scroller.scrollTop) other.scroller.scrollTop = one.scroller.scrollTop;
      });
    tie(this.before, this.after);
    tie(this.after, this.before);
  }

  _isShown(number) {
    const pass = this.app.links.data.passes[number];
    return this.app.all || pass.effect || number === this.app.pass;
  }

  _fillList() {
    const { passes, columns } = this.app.links.data;
    const slowest = Math.max(...passes.map((pass) => pass.seconds), 1e-9);
    const hidden = passes.filter((pass) => !pass.effect).length;
    const label = make("label", "toggle", this.list);
    this.toggle = make("input", "", label);
    this.toggle.type = "checkbox";
    label.append(` passes without effect (${hidden})`);
    this.toggle.addEventListener("change", () => this.app.showAll(this.toggle.checked));
    this.items = passes.map((pass, number) => {
      const at = columns.findLastIndex((column) => column.passes === number);
      if (at >= 0 && columns[at + 1]) {
        make("div", "level", this.list).textContent = `${columns[at].name} → ${columns[at + 1].name}`;
      }
      return this._item(pass, number, slowest);
    });
    const total = passes.reduce((sum, pass) => sum + pass.seconds, 0);
    make("div", "total", this.list).textContent = `${passes.length} passes, ${duration(total)}`;
  }

  _item(pass, number, slowest) {
    const item = make("button", pass.effect ? "pass" : "pass idle", this.list);
    item.dataset.pass = String(number);
    item.tabIndex = -1;
    make("span", "bar", item).style.width = `${(100 * pass.seconds) / slowest}%`;
    make("span", "name", item).textContent = pass.name;
    const [removed, added] = [REMOVED, ADDED].map((kind) => linesOf(pass, [kind, CHANGED]));
    if (pass.effect) make("span", "delta", item).append(delta("removed", `−${removed}`), " ", delta("added", `+${added}`));
    make("span", "time", item).textContent = duration(pass.seconds);
    item.addEventListener("click", () => {
      this.app.openPass(number);
      this.list.focus();
    });
    return item;
  }

  _fillSummary(pass, number) {
    this.summary.replaceChildren();
    const title = make("div", "line", this.summary);
    make("strong", "", title).textContent = `${number + 1}. ${pass.name}`;
    make("span", "", title).textContent = duration(pass.seconds);
    for (const [kind, word] of [[CHANGED, "changed"], [REMOVED, "removed"], [ADDED, "added"]]) {
      const count = linesOf(pass, [kind]);
      if (count) make("span", word, title).textContent = `${count} ${word}`;
    }
    if (!pass.effect) make("span", "", title).textContent = "no effect";
    for (const [text, count] of Object.entries(pass.counters)) make("span", "counter", title).textContent = `${text}: ${count}`;
    const counts = make("div", "counts", this.summary);
    for (const [name, [old, now]] of Object.entries(pass.counts)) {
      const each = make("span", now > old ? "more" : "less", counts);
      make("span", "t-op", each).textContent = name;
      each.append(` ${old} → ${now}`);
    }
  }

  _fillSides() {
    const [before, after] = this.keys.map((key) => this.app.links.texts.get(key));
    const { runs, effect } = this.app.links.data.passes[this.pass];
    if (!effect) {
      this.before.show(before);
      this.after.show(after);
      return;
    }
    const [left, right] = aligned(runs, before, after, this.unfolded);
    this.before.show(before, left);
    this.after.show(after, right);
  }

  _unfold(row) {
    this.unfolded.add(this.after.rows[row].fold);
    this._fillSides();
    this.app.refresh();
  }

  _unfoldTo(side, line) {
    const hiding = side.rows?.find((row) => row.label && row.from <= line && line < row.from + row.count);
    if (hiding) this._unfold(side.rows.indexOf(hiding));
  }
}

function linesOf(pass, kinds) {
  return pass.runs.reduce((sum, [kind, , , count]) => sum + (kinds.includes(kind) ? count : 0), 0);
}

function delta(className, text) {
  const element = make("span", className);
  element.textContent = text;
  return element;
}

function duration(seconds) {
  return seconds >= 1 ? `${seconds.toFixed(2)} s` : `${(1000 * seconds).toFixed(seconds >= 0.01 ? 0 : 1)} ms`;
}

// The rows of both sides: equal and changed lines beside each other, long runs of equal ones folded unless they are in `unfolded`.
function aligned(runs, before, after, unfolded) {
  const left = [], right = [];
  const both = (kind, b, a, mark) => {
    left.push({ line: b, kind, mark: mark?.[0] });
    right.push({ line: a, kind, mark: mark?.[1] });
  };
  runs.forEach(([kind, b, a, count], k) => {
    if (kind === EQUAL) {
      const head = k ? CONTEXT : 0, tail = k + 1 < runs.length ? CONTEXT : 0;
      const folded = count - head - tail;
      for (let i = 0; i < count; i++) {
        if (i === head && folded > 1 && !unfolded.has(k)) {
          const fold = (from) => ({ line: 0, kind, label: `⋯ ${folded} equal lines`, fold: k, from, count: folded });
          left.push(fold(b + head));
          right.push(fold(a + head));
          i += folded - 1;
        } else both(kind, b + i, a + i);
      }
    } else if (kind === CHANGED) {
      for (let i = 0; i < count; i++) both(kind, b + i, a + i, differing(before[b + i - 1], after[a + i - 1]));
    } else {
      for (let i = 0; i < count; i++) {
        left.push({ line: kind === REMOVED ? b + i : 0, kind: kind === REMOVED ? kind : EQUAL });
        right.push({ line: kind === ADDED ? a + i : 0, kind: kind === ADDED ? kind : EQUAL });
      }
    }
  });
  return compact(left, right);
}

// Put added lines beside removed ones that come directly before or after them.
function compact(left, right) {
  const rows = [[], []];
  for (let k = 0; k < left.length; ) {
    const removed = [], added = [];
    while (k < left.length && isOneSided(left[k], right[k])) {
      if (left[k].line) removed.push(left[k]);
      else added.push(right[k]);
      k++;
    }
    const blank = { line: 0, kind: EQUAL };
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      rows[0].push(removed[i] ?? blank);
      rows[1].push(added[i] ?? blank);
    }
    if (k < left.length) {
      rows[0].push(left[k]);
      rows[1].push(right[k++]);
    }
  }
  return rows;
}

function isOneSided(left, right) {
  return !left.label && !left.line !== !right.line;
}

// The ranges in which two lines differ, between what they begin and end with alike; none where most of them differs.
function differing(before, after) {
  const shortest = Math.min(before.length, after.length);
  let head = 0, tail = 0;
  while (head < shortest && before[head] === after[head]) head++;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (head + tail < Math.max(before.length, after.length) / 3) return null;
  return [[head, before.length - tail], [head, after.length - tail]];
}
