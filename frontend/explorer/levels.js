// The levels side by side, from the source files to the emitted code.

class LevelsView {
  constructor(app, element) {
    this.app = app;
    this.element = element;
    this.columns = [];
    const { documents, columns, emitted } = app.links.data;
    if (documents.length) this._add("source", "file/0", documents.some((file) => file.path.endsWith(".py")) ? "python" : "ir");
    for (const { name, snapshot } of columns) this._add(name, `state/${snapshot}`, "ir");
    if (emitted) this._add(emitted.name, "emitted", emitted.name === "triton" ? "python" : "c");
    if (documents.length > 1) this._chooseFile(documents);
  }

  get keys() {
    return this._visible().map((column) => column.key);
  }

  // Show the view again after the app's state has changed.
  update() {
    for (const column of this.columns) column.element.hidden = this.app.hidden.has(column.name);
    const isOutlined = this._isOutlined !== this.app.outline;
    this._isOutlined = this.app.outline;
    if (isOutlined) for (const column of this.columns) this._show(column);
    else for (const column of this._visible()) column.listing.refresh();
  }

  mark(hovered, selected, place) {
    for (const { key, listing, badge } of this._visible()) {
      listing.mark(hovered?.get(key) ?? [], selected?.get(key) ?? [], place?.key === key ? place.line : 0);
      const lines = selected?.get(key);
      badge.textContent = lines ? String(lines.length) : "";
    }
  }

  // Scroll the column of a place to it, and all others, a moment later, to its partners.
  reveal(place, partners, focus) {
    this._openFile(place, partners);
    for (const { name, key, listing } of this._visible()) {
      const lines = key === place.key ? [] : (partners.get(key) ?? []);
      LATER.add(`reveal ${name}`, () => lines.length && listing.reveal(lines[0]));
      if (key !== place.key) continue;
      listing.reveal(place.line);
      if (focus) listing.element.focus({ preventScroll: true });
    }
  }

  search(query) {
    let count = 0;
    for (const { key, listing } of this._visible()) {
      listing.search(query);
      if (query) count += this.app.links.texts.get(key).filter((line) => line.toLowerCase().includes(query)).length;
    }
    return count;
  }

  // The places that match a query, column by column.
  found(query) {
    return this._visible().flatMap(({ key }) =>
      this.app.links.texts.get(key).flatMap((text, k) => (text.toLowerCase().includes(query) ? [{ key, line: k + 1 }] : [])),
    );
  }

  // The partner of a place in the next visible column to the left (-1) or right (1).
  beside(place, step) {
    const columns = this._visible();
    const at = columns.findIndex((column) => column.key === place.key);
    for (let k = at + step; k >= 0 && k < columns.length; k += step) {
      const lines = this.app.links.partners(place, [columns[k].key]).get(columns[k].key);
      if (lines.length) return { key: columns[k].key, line: lines[0] };
    }
    return null;
  }

  _visible() {
    return this.columns.filter((column) => !this.app.hidden.has(column.name));
  }

  _add(name, key, language) {
    const element = make("section", "column", this.element);
    const heading = make("h2", "", element);
    make("span", "name", heading).textContent = name;
    const badge = make("span", "badge", heading);
    const size = make("span", "size", heading);
    const column = { name, key, element, heading, badge, size, unfolded: new Set() };
    column.listing = new Listing(make("div", "", element), {
      language,
      onHover: (line) => this.app.hover(line ? { key: column.key, line } : null),
      onSelect: (line) => this.app.select({ key: column.key, line }),
      onFold: (row) => this._unfold(column, row),
    });
    column.listing.element.setAttribute("aria-label", name);
    this.columns.push(column);
    this._fill(column);
  }

  _fill(column) {
    const lines = this.app.links.texts.get(column.key);
    const state = stateOf(column.key);
    const ops = state === null ? null : this.app.links.data.snapshots[state].lines.length;
    column.size.textContent = ops === null ? `${lines.length} lines` : `${ops} operations`;
    column.listing.heat = this.heatOf(fileOf(column.key));
    this._show(column);
    if (column.name === "source") column.listing.reveal(this._firstLine(fileOf(column.key)), true);
  }

  _show(column) {
    const state = stateOf(column.key);
    const rows = this.app.outline && state !== null ? outlined(this.app.links, state, column.unfolded) : null;
    column.listing.show(this.app.links.texts.get(column.key), rows);
  }

  // Show or hide the lines of a row of the outline, and select its operations.
  _unfold(column, row) {
    const { fold } = column.listing.rows[row];
    if (!column.unfolded.delete(fold)) column.unfolded.add(fold);
    this._show(column);
    this.app.select({ key: column.key, line: fold }, { keep: true });
  }

  // The share of the measured time that each line of a source file takes, null for a program that was not measured.
  heatOf(file) {
    const { profile } = this.app.links.data;
    if (!profile || file === null) return null;
    const of = ([, line, seconds]) => {
      const share = profile.seconds ? seconds / profile.seconds : 0;
      return [line, { share, label: `${shortTime(seconds)} a call, ${(100 * share).toFixed(1)} %` }];
    };
    return new Map(profile.lines.filter(([owner]) => owner === file).map(of));
  }

  // The first line of a source file that an operation comes from.
  _firstLine(file) {
    const lines = this.app.links.data.frames.filter((frame) => frame[0] === file).map((frame) => frame[1]);
    return lines.length ? Math.min(...lines) : 1;
  }

  _chooseFile(documents) {
    const [column] = this.columns;
    const choice = make("select", "", column.heading);
    choice.setAttribute("aria-label", "Source file");
    documents.forEach((file, k) => choice.append(new Option(file.name, String(k))));
    choice.addEventListener("change", () => this._open(Number(choice.value)));
    column.choice = choice;
  }

  _open(file) {
    const [column] = this.columns;
    column.key = `file/${file}`;
    if (column.choice) column.choice.value = String(file);
    this._fill(column);
    this.app.refresh();
  }

  // Open the source file of a place, or one that has partners of it.
  _openFile(place, partners) {
    const files = this.app.links.data.documents.length;
    if (files < 2) return;
    const own = fileOf(place.key);
    if (own !== null) {
      if (this.columns[0].key !== place.key) this._open(own);
      return;
    }
    if (partners.get(this.columns[0].key)?.length) return;
    const keys = Array.from({ length: files }, (_, k) => `file/${k}`);
    const found = this.app.links.partners(place, keys);
    const other = keys.find((key) => found.get(key).length);
    if (other) this._open(fileOf(other));
  }
}
