// A text on the screen: only the lines in sight are in the document, so that a text may have a hundred thousand.

const ROW = 18, SPARE = 4;

// For each language one expression; the name of the group that matches is the kind of the token.
const TOKENS = {
  ir: new RegExp(
    [
      /(?<string>"(?:[^"\\]|\\.)*")/,
      /(?<comment>\/\/.*)/,
      /(?<value>[%^][\w$.-]+)/,
      /(?<symbol>[@#!][\w$.-]+)/,
      /(?<op>\b[a-z_]\w*\.[a-z_][\w.]*)/,
      /(?<type>\b(?:tensor|memref|vector|index|[fi]\d+|bf16|x\d*[fi]\d+)\b)/,
      /(?<number>\b\d[\w.]*(?:[eE][+-]?\d+)?)/,
      /[A-Za-z_][\w-]*/,
    ]
      .map((rule) => rule.source)
      .join("|"),
    "g",
  ),
  python: new RegExp(
    [
      /(?<comment>#.*)/,
      /(?<string>[rbf]?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))/,
      /(?<symbol>@[\w.]+)/,
      /(?<op>\b(?:def|class|return|if|elif|else|for|while|in|not|and|or|is|lambda|with|as|import|from|None|True|False|yield|raise|try|except|finally|pass|break|continue|assert|global|nonlocal|async|await|del)\b)/,
      /(?<number>\b\d[\w.]*(?:[eE][+-]?\d+)?)/,
      /[A-Za-z_]\w*/,
    ]
      .map((rule) => rule.source)
      .join("|"),
    "g",
  ),
  c: new RegExp(
    [
      /(?<comment>\/\/.*|\/\*.*?(?:\*\/|$))/,
      /(?<symbol>#\s*\w+.*)/,
      /(?<string>"(?:[^"\\]|\\.)*")/,
      /(?<op>\b(?:if|else|for|while|return|break|continue|static|const|restrict|inline|struct|typedef|sizeof|void)\b)/,
      /(?<type>\b(?:float|double|char|int|long|bool|u?int\d+_t|sw_[fiub]\d+\w*|_Bool)\b)/,
      /(?<number>\b\d[\w.]*(?:[eEpP][+-]?\d+)?)/,
      /[A-Za-z_]\w*/,
    ]
      .map((rule) => rule.source)
      .join("|"),
    "g",
  ),
};

// Work that an answer to a click or a key does not wait for: it is done after the next frame is on the screen, one by one.
// What is planned again under the same name takes the place of the former.
const LATER = {
  waiting: new Map(),
  add(name, work) {
    this.waiting.delete(name);
    this.waiting.set(name, work);
    this._timer ??= requestAnimationFrame(() => setTimeout(() => this._run()));
  },
  _run() {
    const [[name, work]] = this.waiting;
    this.waiting.delete(name);
    this._timer = this.waiting.size ? setTimeout(() => this._run()) : null;
    work();
  },
};

// Draws listings frame by frame: at least one, and as many more as fit into a part of a frame, the one in use first.
const PAINTER = {
  waiting: new Set(),
  first: null,
  add(listing) {
    this.waiting.add(listing);
    this._frame ??= requestAnimationFrame(() => this._draw());
  },
  _draw() {
    this._frame = null;
    const start = performance.now();
    const order = [...this.waiting].sort((a, b) => (b === this.first) - (a === this.first));
    for (const listing of order) {
      this.waiting.delete(listing);
      listing._draw();
      if (performance.now() - start > 10) break;
    }
    if (this.waiting.size) this._frame = requestAnimationFrame(() => this._draw());
  },
};

class Listing {
  // `rows` maps rows of the screen to lines: null for one to one, else an array of { line, kind, label, mark }, line 0 for none.
  constructor(element, { language, onHover, onSelect, onFold }) {
    this.element = element;
    this.language = language;
    this.lines = [];
    this.rows = null;
    this.hovered = new Set();
    this.selected = new Set();
    this.current = 0;
    this.query = "";
    this.heat = null; // Map from line to { share, label }: how much of the time a line takes
    this._shown = new Map();
    this._colored = 0; // the number of characters of a line that have colours
    element.classList.add("listing");
    element.tabIndex = 0;
    this.gutter = make("pre", "numbers", make("div", "gutter", element));
    this.scroller = make("div", "scroller", element);
    this.canvas = make("div", "canvas", this.scroller);
    this.strip = make("canvas", "strip", element);
    this.strip.title = "Where the marked lines are";
    this.scroller.addEventListener("scroll", () => this._later(), { passive: true });
    this.scroller.addEventListener("mousemove", (event) => onHover(this._lineAt(event)));
    this.scroller.addEventListener("mouseleave", () => onHover(0));
    this.scroller.addEventListener("click", (event) => {
      const row = this._rowAt(event);
      PAINTER.first = this;
      if (this.rows && this.rows[row]?.label) onFold?.(row);
      else if (this._lineAt(event)) onSelect(this._lineAt(event));
    });
    this.strip.addEventListener("click", (event) => {
      const part = event.offsetY / this.strip.clientHeight;
      const height = Math.max(this.count * ROW, this.scroller.clientHeight);
      this.scroller.scrollTop = part * height - this.scroller.clientHeight / 2;
    });
    new ResizeObserver(() => this._drawLater()).observe(element);
  }

  get count() {
    return this.rows ? this.rows.length : this.lines.length;
  }

  show(lines, rows = null) {
    this.lines = lines;
    this.rows = rows;
    this._rowOf = null;
    this._colored = 0;
    const widest = lines.reduce((most, line) => Math.max(most, line.length), 0);
    this.digits = String(lines.length).length;
    this.canvas.style.height = `${this.count * ROW}px`;
    this.canvas.style.minWidth = `calc(${widest + 2}ch + 16px)`;
    this.gutter.parentElement.style.width = `calc(${this.digits}ch + 12px)`;
    this.refresh();
  }

  // Which lines are marked: `hovered` and `selected` are iterables of lines, `current` the line that the keys move.
  mark(hovered, selected, current) {
    this.hovered = new Set(hovered);
    this.selected = new Set(selected);
    this.current = current;
    this._shown.forEach((element, row) => this._setMarks(element, this._rowOfScreen(row)));
    this._stripLater();
  }

  search(query) {
    this.query = query.toLowerCase();
    this.refresh();
  }

  refresh() {
    this._shown.forEach((row) => row.remove());
    this._shown.clear();
    this._drawLater();
  }

  _drawLater() {
    this._later();
    this._stripLater();
  }

  // Scroll so that a line can be seen, unless it can already.
  reveal(line, always = false) {
    const row = this.rowFor(line);
    if (row < 0) return;
    const top = row * ROW, { scrollTop, clientHeight } = this.scroller;
    if (always || top < scrollTop + ROW || top > scrollTop + clientHeight - 3 * ROW) {
      this.scroller.scrollTop = top - clientHeight / 3;
    }
    if (this.rowOf(line) >= 0) this._revealStart(line);
  }

  // Scroll sideways so that the first characters of a line that is far indented can be seen.
  _revealStart(line) {
    const text = this.lines[line - 1], { clientWidth, scrollLeft } = this.scroller;
    this._charWidth ??= measured(this.canvas);
    const start = (text.length - text.trimStart().length) * this._charWidth;
    if (start < scrollLeft || start > scrollLeft + clientWidth / 3) this.scroller.scrollLeft = Math.max(0, start - clientWidth / 5);
  }

  rowOf(line) {
    if (!this.rows) return line - 1;
    this._rowOf ??= new Map(this.rows.flatMap((row, k) => (row.line ? [[row.line, k]] : [])));
    return this._rowOf.get(line) ?? -1;
  }

  // The row that shows a line, or that stands for it.
  rowFor(line) {
    const row = this.rowOf(line);
    return row >= 0 ? row : this.rows.findIndex((each) => each.label && each.from <= line && line < each.from + each.count);
  }

  _rowAt(event) {
    return Math.floor((event.clientY - this.canvas.getBoundingClientRect().top) / ROW);
  }

  _lineAt(event) {
    const row = this._rowAt(event);
    if (row < 0 || row >= this.count) return 0;
    return this.rows ? this.rows[row].line : row + 1;
  }

  _later() {
    PAINTER.add(this);
  }

  _draw() {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.scroller;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - SPARE);
    const last = Math.min(this.count, first + Math.ceil(clientHeight / ROW) + 2 * SPARE);
    this._charWidth ??= measured(this.canvas);
    // Lines of IR are long: what stands to the right of the screen gets its colours when it comes into sight.
    if ((scrollLeft + clientWidth) / this._charWidth > this._colored) {
      this._colored = Math.ceil((scrollLeft + 1.5 * clientWidth) / this._charWidth);
      this._shown.forEach((row) => row.remove());
      this._shown.clear();
    }
    for (const [row, element] of this._shown) {
      if (row < first || row >= last) {
        element.remove();
        this._shown.delete(row);
      }
    }
    for (let row = first; row < last; row++) {
      if (!this._shown.has(row)) this._shown.set(row, this.canvas.appendChild(this._row(row)));
    }
    // One text for all line numbers in sight: an element for each that sticks to the left would be a layer of its own.
    const numbers = Array.from({ length: Math.max(0, last - first) }, (_, k) => this._rowOfScreen(first + k).line || "");
    this.gutter.textContent = numbers.join("\n");
    this.gutter.style.transform = `translateY(${first * ROW - scrollTop}px)`;
  }

  _rowOfScreen(index) {
    return this.rows ? this.rows[index] : { line: index + 1, kind: EQUAL };
  }

  _row(index) {
    const row = this._rowOfScreen(index);
    const element = document.createElement("div");
    element.className = `row ${KINDS[row.kind] ?? ""}`;
    element.style.top = `${index * ROW}px`;
    if (row.label) {
      element.classList.add("fold");
      this._setMarks(element, row);
      if (row.indent) element.style.paddingLeft = `calc(${row.indent}ch + 6px)`;
      const [title, rest] = [].concat(row.label);
      make("span", rest ? "title" : "", element).textContent = title;
      if (rest) paint(make("span", "code", element), rest, row.language ?? "python", matches(rest, this.query, "found"));
      if (row.note) make("span", "note", element).textContent = row.note;
      return element;
    }
    if (!row.line) {
      element.classList.add("blank");
      return element;
    }
    this._setMarks(element, row);
    element.dataset.line = String(row.line);
    const heat = this.heat?.get(row.line);
    if (heat) {
      const bar = make("span", "heat", element);
      bar.title = heat.label;
      bar.style.setProperty("--share", heat.share);
    }
    const text = this.lines[row.line - 1];
    const code = make("span", "code", element);
    const ranges = [...matches(text, this.query, "found"), ...(row.mark ? [[...row.mark, "differs"]] : [])];
    const end = ranges.length ? text.length : Math.min(text.length, this._colored);
    paint(code, text.slice(0, end), this.language, ranges);
    if (end < text.length) code.append(text.slice(end));
    return element;
  }

  // A row that stands for several lines is marked where one of them is.
  _setMarks(element, row) {
    const has = row.label ? (lines) => anyBetween(lines, row.from, row.from + row.count) : (lines) => lines.has(row.line);
    element.classList.toggle("selected", has(this.selected));
    element.classList.toggle("hovered", has(this.hovered));
    element.classList.toggle("current", this.current > 0 && has(new Set([this.current])));
  }

  _stripLater() {
    this._stripFrame ??= requestAnimationFrame(() => {
      this._stripFrame = null;
      this._drawStrip();
    });
  }

  // The positions of all marked lines, in a strip beside the scroll bar.
  _drawStrip() {
    const { clientWidth: width, clientHeight: height } = this.strip;
    const scale = window.devicePixelRatio || 1;
    this.strip.width = width * scale;
    this.strip.height = height * scale;
    if (!width || !height || !this.count) return;
    const rows = Math.max(this.count, height / ROW);
    const style = getComputedStyle(this.element), pen = this.strip.getContext("2d");
    // Thousands of lines may be marked, on a strip of some hundred pixels: each pixel is drawn once.
    const ticks = (lines, color, inset) => {
      const tops = new Set();
      for (const line of lines) {
        const row = this.rowFor(line);
        if (row >= 0) tops.add(Math.floor((row / rows) * height));
      }
      pen.fillStyle = style.getPropertyValue(color);
      for (const top of tops) pen.fillRect(inset * scale, top * scale, (width - 2 * inset) * scale, 2 * scale);
    };
    for (const kind of [CHANGED, REMOVED, ADDED]) {
      const lines = this.rows?.flatMap((row) => (row.kind === kind && row.line ? [row.line] : []));
      if (lines?.length) ticks(lines, `--${KINDS[kind]}-tick`, 3);
    }
    if (this.query) ticks(this.lines.flatMap((text, k) => (text.toLowerCase().includes(this.query) ? [k + 1] : [])), "--found-tick", 2);
    ticks(this.selected, "--selected-tick", 0);
    ticks(this.hovered, "--hovered-tick", 1);
  }
}

function anyBetween(lines, from, to) {
  if (lines.size < to - from) {
    for (const line of lines) if (from <= line && line < to) return true;
    return false;
  }
  for (let line = from; line < to; line++) if (lines.has(line)) return true;
  return false;
}

const KINDS = ["", "changed", "removed", "added"];

function make(name, className, parent) {
  const element = document.createElement(name);
  if (className) element.className = className;
  parent?.append(element);
  return element;
}

// The width of a character in an element.
function measured(element) {
  const sample = make("span", "code", element);
  sample.textContent = "0".repeat(100);
  const width = sample.getBoundingClientRect().width / 100;
  sample.remove();
  return width;
}

// The ranges of a text that match a query in lower case.
function matches(text, query, name) {
  const found = [];
  if (!query) return found;
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(query); at >= 0; at = lower.indexOf(query, at + query.length)) found.push([at, at + query.length, name]);
  return found;
}

// Put a text into an element, in colours, with a mark around each range [start, end, class].
function paint(element, text, language, ranges) {
  for (const [start, end, kind] of tokens(text, TOKENS[language])) {
    for (const [from, to, name] of cut(start, end, ranges)) {
      const part = text.slice(from, to);
      if (!kind && !name) element.append(part);
      else make("span", [kind && `t-${kind}`, name].filter(Boolean).join(" "), element).textContent = part;
    }
  }
}

// The parts of a text with their kinds, null for plain text.
function tokens(text, rule) {
  const found = [];
  let plain = 0;
  rule.lastIndex = 0;
  // The named groups are the only ones, so that the number of the one that matches is that of its name.
  const kinds = (rule.kinds ??= Array.from(rule.source.matchAll(/\(\?<(\w+)>/g), ([, name]) => name));
  for (let match = rule.exec(text); match; match = rule.exec(text)) {
    const kind = kinds.find((_, k) => match[k + 1] !== undefined);
    if (!kind) continue;
    if (plain < match.index) found.push([plain, match.index, null]);
    plain = rule.lastIndex;
    found.push([match.index, plain, kind]);
  }
  if (plain < text.length) found.push([plain, text.length, null]);
  return found;
}

// Parts of a token, each within or outside of the ranges.
function* cut(start, end, ranges) {
  let at = start;
  while (at < end) {
    const inside = ranges.find(([from, to]) => from <= at && at < to);
    const next = inside ? inside[1] : Math.min(end, ...ranges.map(([from]) => (from > at ? from : end)));
    yield [at, Math.min(next, end), inside?.[2]];
    at = Math.min(next, end);
  }
}
