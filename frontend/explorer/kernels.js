// The kernels: a list with their times, and beside it the loops and buffers of one, and the emitted code.

class KernelsView {
  constructor(app, element) {
    this.app = app;
    this.element = element;
    const { kernels, emitted, profile } = app.links.data;
    this.kernels = kernels?.all ?? [];
    this.state = kernels ? `state/${kernels.snapshot}` : null;
    this.profile = profile;
    this.chosen = 0;
    this.list = make("nav", "passes", element);
    this.list.tabIndex = 0;
    this.list.setAttribute("aria-label", "Kernels");
    this.detail = make("div", "kernel", element);
    if (emitted) {
      const section = make("section", "column", element);
      make("span", "name", make("h2", "", section)).textContent = emitted.name;
      this.code = new Listing(make("div", "", section), {
        language: emitted.name === "triton" ? "python" : "c",
        onHover: (line) => this.app.hover(line ? { key: "emitted", line } : null),
        onSelect: (line) => this.app.select({ key: "emitted", line }),
      });
      this.code.element.setAttribute("aria-label", emitted.name);
      this.code.show(app.links.texts.get("emitted"));
    }
    this._fillList();
    if (this.kernels.length) this._fillDetail();
  }

  get keys() {
    return this.state ? [this.state, ...(this.code ? ["emitted"] : [])] : [];
  }

  update() {
    this.code?.refresh();
  }

  mark(hovered, selected, place) {
    const [over, chosen] = [hovered, selected].map((lines) => new Set(lines?.get(this.state) ?? []));
    for (const row of this.detail.querySelectorAll("[data-line]")) {
      const line = Number(row.dataset.line);
      row.classList.toggle("selected", chosen.has(line));
      row.classList.toggle("hovered", over.has(line));
      row.classList.toggle("current", place?.key === this.state && place.line === line);
    }
    const current = place?.key === "emitted" ? place.line : 0;
    this.code?.mark(hovered?.get("emitted") ?? [], selected?.get("emitted") ?? [], current);
  }

  reveal(place, partners, focus) {
    const lines = place.key === this.state ? [place.line] : (partners.get(this.state) ?? []);
    const number = this.kernels.findIndex((kernel) => lines.some((line) => this._holds(kernel, line)));
    if (number >= 0 && number !== this.chosen) this.choose(number);
    const code = place.key === "emitted" ? place.line : partners.get("emitted")?.[0];
    if (code) this.code?.reveal(code);
    this.detail.querySelector(".current, .selected")?.scrollIntoView({ block: "nearest" });
    if (focus) (place.key === "emitted" ? this.code.element : this.list).focus({ preventScroll: true });
  }

  search(query) {
    this.code?.search(query);
    return query ? this.found(query).length : 0;
  }

  found(query) {
    return this.keys.flatMap((key) =>
      this.app.links.texts.get(key).flatMap((text, k) => (text.toLowerCase().includes(query) ? [{ key, line: k + 1 }] : [])),
    );
  }

  beside(place, step) {
    const key = step < 0 ? this.state : "emitted";
    if (place.key === key || !this.keys.includes(key)) return null;
    const lines = this.app.links.partners(place, [key]).get(key);
    return lines.length ? { key, line: lines[0] } : null;
  }

  step(by) {
    const next = this.chosen + by;
    if (!this.kernels[next]) return;
    this.choose(next);
    this.app.select({ key: this.state, line: this.app.links.data.snapshots[stateOf(this.state)].lines[this.kernels[next].op] });
  }

  choose(number) {
    this.chosen = number;
    this._fillDetail();
    this.app.refresh();
  }

  _holds(kernel, line) {
    const { lines } = this.app.links.data.snapshots[stateOf(this.state)];
    return lines[kernel.op] <= line && (kernel.end >= lines.length || line < lines[kernel.end]);
  }

  _fillList() {
    const slowest = Math.max(...this.kernels.map((kernel) => kernel.seconds ?? 0), 1e-12);
    this.items = this.kernels.map((kernel, number) => {
      const item = make("button", "pass", this.list);
      item.tabIndex = -1;
      if (kernel.seconds !== null) make("span", "bar", item).style.width = `${(100 * kernel.seconds) / slowest}%`;
      make("span", "name", item).textContent = `${number + 1}. ${this._sources(kernel).join(", ") || "no source line"}`;
      if (kernel.seconds !== null) make("span", "time", item).textContent = shortTime(kernel.seconds);
      item.addEventListener("click", () => {
        this.step(number - this.chosen);
        this.list.focus();
      });
      return item;
    });
    const loops = this.kernels.reduce((sum, kernel) => sum + kernel.steps.length, 0);
    const total = make("div", "total", this.list);
    total.textContent = `${this.kernels.length} kernel${this.kernels.length === 1 ? "" : "s"}, ${loops} loops and branches`;
    if (this.profile) total.textContent += `; ${shortTime(this.profile.seconds)} a call, the fastest of ${this.profile.calls}`;
    else if (this.kernels.length) total.textContent += "; not measured";
  }

  // The source lines of a kernel, as file:line.
  _sources(kernel) {
    const ops = Array.from({ length: kernel.end - kernel.op }, (_, k) => kernel.op + k);
    const frames = this.app.links.sources(stateOf(this.state), ops);
    return [...new Set(frames.map(([file, line]) => `${this.app.links.data.documents[file].name}:${line}`))];
  }

  _fillDetail() {
    this.items.forEach((item, number) => item.classList.toggle("chosen", number === this.chosen));
    this.items[this.chosen].scrollIntoView({ block: "nearest" });
    const kernel = this.kernels[this.chosen];
    this.detail.replaceChildren();
    const title = make("h3", "", this.detail);
    title.textContent = `Kernel ${this.chosen + 1}`;
    if (kernel.seconds !== null) {
      const share = this.profile.seconds ? ` (${Math.round((100 * kernel.seconds) / this.profile.seconds)} %)` : "";
      make("span", "", title).textContent = ` ${shortTime(kernel.seconds)} a call${share}`;
    }
    make("p", "from", this.detail).textContent = `from ${this._sources(kernel).join(", ") || "no source line"}`;
    this._fillLoops(make("div", "loops", this.detail), kernel);
    this._fillBuffers(make("table", "buffers", this.detail), kernel);
  }

  _fillLoops(parent, kernel) {
    const { lines } = this.app.links.data.snapshots[stateOf(this.state)];
    for (const [depth, op, kind, text, computed] of kernel.steps) {
      const row = make("div", "loop", parent);
      const place = { key: this.state, line: lines[op] };
      row.dataset.line = String(place.line);
      row.style.paddingLeft = `${8 + 14 * depth}px`;
      make("span", `kind ${kind}`, row).textContent = kind;
      make("code", "", row).textContent = text;
      if (computed) make("span", "computed", row).textContent = computed;
      row.addEventListener("click", () => this.app.select(place));
      row.addEventListener("mouseenter", () => this.app.hover(place));
      row.addEventListener("mouseleave", () => this.app.hover(null));
    }
  }

  _fillBuffers(table, kernel) {
    const head = make("tr", "", table);
    for (const name of ["buffer", "elements", "memory", "reads", "writes"]) make("th", "", head).textContent = name;
    for (const cells of kernel.buffers) {
      const row = make("tr", "", table);
      for (const cell of cells) make("td", "", row).textContent = String(cell);
    }
  }
}

function shortTime(seconds) {
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  return seconds >= 1e-3 ? `${(1e3 * seconds).toFixed(2)} ms` : `${(1e6 * seconds).toFixed(1)} µs`;
}
