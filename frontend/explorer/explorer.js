// The page: its state, the address that leads back to it, the keys, and the details of the selection.

class Explorer {
  constructor(data) {
    this.links = new Links(data);
    this.view = "levels";
    this.pass = null; // its number, null for the first with an effect
    this.place = null; // the selected line
    this.hidden = new Set(); // columns
    this.all = false; // whether passes without effect are listed
    this.outline = false; // whether levels show one row for the operations of a source line
    this.query = "";
    this._hovered = null;
    const main = byId("main");
    main.replaceChildren();
    this.views = {
      levels: new LevelsView(this, make("div", "levels", main)),
      passes: new PassesView(this, make("div", "pass-view", main)),
      kernels: new KernelsView(this, make("div", "pass-view kernel-view", main)),
    };
    this._fillHeader(data);
    this._listen();
    this._readAddress();
  }

  get shown() {
    return this.views[this.view];
  }

  select(place, { focus = false, keep = false } = {}) {
    this.place = place;
    this.refresh();
    if (place && !keep) this.shown.reveal(place, this._selected, focus);
    this._writeAddress();
  }

  hover(place) {
    if (place?.key === this._hovered?.key && place?.line === this._hovered?.line) return;
    this._hovered = place;
    this._hoverFrame ??= requestAnimationFrame(() => {
      this._hoverFrame = null;
      this._mark();
    });
  }

  openPass(number) {
    this.pass = number;
    this.open("passes");
  }

  open(view) {
    this.view = view;
    this._hovered = null;
    this._update();
    if (this.place) this.shown.reveal(this.place, this._selected);
    this._writeAddress();
  }

  showAll(all) {
    this.all = all;
    this._update();
  }

  showOutline(outline) {
    this.outline = outline;
    this._update();
    if (this.place) this.shown.reveal(this.place, this._selected);
    this._writeAddress();
  }

  // Mark the selection again, as after a change of what is shown.
  refresh() {
    this._selected = this.place && this.links.partners(this.place, this._keys(this.place));
    this._mark();
    this._showDetails();
  }

  _keys(place) {
    return new Set([...this.shown.keys, place.key]);
  }

  _mark() {
    const hovered = this._hovered && this.links.partners(this._hovered, this._keys(this._hovered));
    this.shown.mark(hovered, this._selected, this.place);
  }

  _update() {
    for (const [name, view] of Object.entries(this.views)) {
      view.element.hidden = name !== this.view;
      byId(`view-${name}`).setAttribute("aria-selected", String(name === this.view));
    }
    byId("columns").hidden = byId("outline").hidden = this.view !== "levels";
    byId("outline").setAttribute("aria-pressed", String(this.outline));
    this.shown.update();
    this._search(this.query);
    this.refresh();
  }

  _fillHeader({ title, target }) {
    byId("title").textContent = title;
    if (target) make("span", "target", byId("title")).textContent = target;
    for (const { name } of this.views.levels.columns) {
      const chip = make("button", "", byId("columns"));
      chip.textContent = name;
      chip.dataset.column = name;
      chip.addEventListener("click", () => this._toggle(name));
    }
    for (const name of Object.keys(this.views)) byId(`view-${name}`).addEventListener("click", () => this.open(name));
    byId("view-kernels").hidden = !this.views.kernels.kernels.length;
    byId("outline").addEventListener("click", () => this.showOutline(!this.outline));
    byId("help").addEventListener("click", () => byId("keys").showModal());
    byId("search").addEventListener("input", (event) => this._search(event.target.value));
  }

  _toggle(name) {
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this._showColumns();
    this._update();
    this._writeAddress();
  }

  _showColumns() {
    for (const chip of byId("columns").children) {
      chip.setAttribute("aria-pressed", String(!this.hidden.has(chip.dataset.column)));
    }
  }

  _search(text) {
    this.query = text;
    const count = this.shown.search(text.toLowerCase());
    byId("found").textContent = text ? `${count} line${count === 1 ? "" : "s"}` : "";
  }

  // Select the next (1) or previous (-1) line that the search finds, after the selected one.
  _next(by) {
    const found = this.shown.found(this.query.toLowerCase());
    if (!found.length) return;
    const keys = this.shown.keys;
    const order = (place) => keys.indexOf(place.key) * 1e9 + place.line;
    const here = this.place ? order(this.place) : -1;
    const next = by > 0 ? found.find((place) => order(place) > here) : found.findLast((place) => order(place) < here);
    this.select(next ?? (by > 0 ? found[0] : found.at(-1)));
  }

  // The address: #view=passes&pass=12&at=state/3:45&search=exp&hide=uop,loop&outline=1

  _writeAddress() {
    const parts = { view: this.view };
    if (this.view === "passes") parts.pass = this.shown.pass;
    if (this.place) parts.at = `${this.place.key}:${this.place.line}`;
    if (this.query) parts.search = encodeURIComponent(this.query);
    if (this.outline) parts.outline = 1;
    if (this.hidden.size) parts.hide = [...this.hidden].map(encodeURIComponent).join(",");
    const hash = `#${Object.entries(parts).map((each) => each.join("=")).join("&")}`;
    LATER.add("address", () => {
      if (hash === location.hash) return;
      // Another selection is a step that the browser's Back takes back; what is searched or hidden is none.
      const step = selected(hash) !== selected(location.hash);
      history[step ? "pushState" : "replaceState"](null, "", hash);
    });
  }

  _readAddress() {
    const parts = new Map(location.hash.slice(1).split("&").map((part) => part.split(/=(.*)/s, 2)));
    const [, key, line] = /^(.*):(\d+)$/.exec(parts.get("at") ?? "") ?? [];
    const lines = this.links.texts.get(key)?.length ?? 0;
    this.view = parts.get("view") in this.views ? parts.get("view") : "levels";
    this.outline = parts.get("outline") === "1";
    this.pass = parts.has("pass") ? Number(parts.get("pass")) : null;
    this.place = 1 <= Number(line) && Number(line) <= lines ? { key, line: Number(line) } : null;
    this.query = byId("search").value = decoded(parts.get("search"));
    this.hidden = new Set((parts.get("hide") ?? "").split(",").filter(Boolean).map(decoded));
    this._showColumns();
    this._update();
    if (this.place) this.shown.reveal(this.place, this._selected, true);
  }

  // Keys.

  _listen() {
    addEventListener("hashchange", () => this._readAddress());
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
      if (event.target === byId("search")) this._searchKey(event);
      else if (!(event.target instanceof HTMLSelectElement) && this._key(event)) event.preventDefault();
    });
  }

  _searchKey(event) {
    if (event.key === "Enter") {
      this._next(event.shiftKey ? -1 : 1);
      this._writeAddress();
      event.preventDefault();
    } else if (event.key === "Escape") {
      byId("search").value = "";
      this._search("");
      byId("search").blur();
      this._writeAddress();
    }
  }

  // Whether a key had a meaning.
  _key({ key, target, shiftKey }) {
    const passes = this.views.passes;
    const inList = this.shown.list?.contains(target);
    const isButton = target instanceof HTMLButtonElement && !inList;
    const actions = {
      "/": () => byId("search").focus(),
      "?": () => byId("keys").showModal(),
      v: () => this._nextView(),
      o: () => this.view === "levels" && this.showOutline(!this.outline),
      "[": () => passes.step(-1),
      "]": () => passes.step(1),
      n: () => (this.view === "passes" ? passes.go(1) : this._next(1)),
      p: () => (this.view === "passes" ? passes.go(-1) : this._next(-1)),
      Escape: () => this.select(null),
      ArrowUp: () => (inList ? this.shown.step(-1) : this._move(-1)),
      ArrowDown: () => (inList ? this.shown.step(1) : this._move(1)),
      PageUp: () => this._move(-30),
      PageDown: () => this._move(30),
      Home: () => this._move(-Infinity),
      End: () => this._move(Infinity),
      ArrowLeft: () => this._moveBeside(-1),
      ArrowRight: () => this._moveBeside(1),
      Enter: () => this.query && this._next(shiftKey ? -1 : 1),
    };
    if (!actions[key] || (isButton && key === "Enter")) return false;
    actions[key]();
    return true;
  }

  _nextView() {
    const names = Object.keys(this.views).filter((name) => !byId(`view-${name}`).hidden);
    this.open(names[(names.indexOf(this.view) + 1) % names.length]);
  }

  _move(by) {
    const key = this.place && this.shown.keys.includes(this.place.key) ? this.place.key : this.shown.keys.at(0);
    if (!key) return;
    const lines = this.links.texts.get(key).length;
    const line = this.place?.key === key ? this.place.line + by : 1;
    this.select({ key, line: Math.max(1, Math.min(lines, line)) }, { focus: true });
  }

  _moveBeside(step) {
    const next = this.place && this.shown.beside(this.place, step);
    if (next) this.select(next, { focus: true });
  }

  // The selection's sources, and the passes that changed it.

  _showDetails() {
    const details = byId("details");
    details.replaceChildren();
    if (!this.place) {
      make("span", "title", details).textContent = "Select a line to mark its partners on all levels ( ? for the keys )";
      return;
    }
    const { key, line } = this.place;
    const place = make("div", "line", details);
    make("strong", "", place).textContent = `${this._nameOf(key)}:${line}`;
    make("code", "", place).textContent = (this.links.texts.get(key)[line - 1] ?? "").trim();
    const state = key === "emitted" ? this.links.lastState : stateOf(key);
    if (state === null) {
      const time = this.views.levels.heatOf(fileOf(key))?.get(line);
      if (time) make("div", "line title", details).textContent = time.label;
      return;
    }
    this._showSources(make("div", "line", details), this.links.sources(state, this.links.opsAt(this.place)));
    const row = make("div", "line", details);
    make("span", "title", row).textContent = "changed by ...";
    // Looking through all passes takes longer than marking the partners, which comes first.
    clearTimeout(this._historyTimer);
    this._historyTimer = setTimeout(() => this._showHistory(row), 60);
  }

  _showSources(row, frames) {
    make("span", "title", row).textContent = frames.length ? "from" : "from no source line";
    for (const [file, line, , name] of frames.slice(0, 24)) {
      const { documents } = this.links.data;
      const text = this.links.texts.get(`file/${file}`)[line - 1]?.trim();
      const button = make("button", "link", row);
      button.textContent = `${documents[file].name}:${line}${name ? ` in ${name}` : ""}`;
      button.title = text ?? documents[file].path;
      button.addEventListener("click", () => {
        this.view = "levels";
        this._update();
        this.select({ key: `file/${file}`, line });
      });
    }
    if (frames.length > 24) row.append(` and ${frames.length - 24} more`);
  }

  _showHistory(row) {
    if (!row.isConnected) return;
    const passes = this.links.history(this.place);
    row.replaceChildren();
    make("span", "title", row).textContent = passes.length ? "changed by" : "changed by no pass";
    for (const number of passes) {
      const button = make("button", "link", row);
      button.textContent = this.links.data.passes[number].name;
      button.addEventListener("click", () => this.openPass(number));
    }
  }

  _nameOf(key) {
    const { data } = this.links;
    if (key === "emitted") return data.emitted.name;
    const file = fileOf(key), state = stateOf(key);
    if (file !== null) return data.documents[file].name;
    const column = data.columns.find((each) => each.snapshot === state);
    return column ? column.name : `after ${data.passes.find((pass) => pass.after === state)?.name}`;
  }
}

function byId(id) {
  return document.getElementById(id);
}

// The part of an address that says what is looked at.
function selected(hash) {
  return hash.replace(/&(?:search|outline|hide)=[^&]*/g, "");
}

function decoded(text) {
  try {
    return decodeURIComponent(text ?? "");
  } catch {
    return "";
  }
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

unpack(byId("data").textContent).then(
  (data) => {
    window.explorer = new Explorer(data);
    document.body.dataset.ready = "true";
    window.explorer.links.prepare();
  },
  (error) => {
    byId("main").textContent = `This page can't be read: ${error.message}`;
  },
);
