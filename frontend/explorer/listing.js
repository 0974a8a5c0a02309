// A text on the screen: only the lines in sight are in the document, so that a text may have a hundred thousand.

const ROW = 18, SPARE = 6;

const TOKENS = {
  ir: [
    [/"(?:[^"\\]|\\.)*"/y, "string"],
    [/\/\/.*/y, "comment"],
    [/[%^][\w$.-]+/y, "value"],
    [/[@#!][\w$.-]+/y, "symbol"],
    [/[a-z_]\w*\.[a-z_][\w.]*/y, "op"],
    [/\b(?:tensor|memref|vector|index|[fi]\d+|bf16|x\d*[fi]\d+)\b/y, "type"],
    [/\b\d[\w.]*(?:[eE][+-]?\d+)?/y, "number"],
    [/[A-Za-z_][\w-]*/y, null],
  ],
  python: [
    [/#.*/y, "comment"],
    [/[rbf]?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/y, "string"],
    [/@[\w.]+/y, "symbol"],
    [/\b(?:def|class|return|if|elif|else|for|while|in|not|and|or|is|lambda|with|as|import|from|None|True|False|yield|raise|try|except|finally|pass|break|continue|assert|global|nonlocal|async|await|del)\b/y, "op"],
    [/\b\d[\w.]*(?:[eE][+-]?\d+)?/y, "number"],
    [/[A-Za-z_]\w*/y, null],
  ],
  c: [
    [/\/\/.*|\/\*.*?(?:\*\/|$)/y, "comment"],
    [/#\s*\w+.*/y, "symbol"],
    [/"(?:[^"\\]|\\.)*"/y, "string"],
    [/\b(?:if|else|for|while|return|break|continue|static|const|restrict|inline|struct|typedef|sizeof|void)\b/y, "op"],
    [/\b(?:float|double|char|int|long|bool|u?int\d+_t|sw_[fiub]\d+\w*|_Bool)\b/y, "type"],
    [/\b\d[\w.]*(?:[eEpP][+-]?\d+)?/y, "number"],
    [/[A-Za-z_]\w*/y, null],
  ],
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
    this._shown = new Map();
    element.classList.add("listing");
    element.tabIndex = 0;
    this.scroller = make("div", "scroller", element);
    this.canvas = make("div", "canvas", this.scroller);
    this.strip = make("canvas", "strip", element);
    this.strip.title = "Where the marked lines are";
    this.scroller.addEventListener("scroll", () => this._later(), { passive: true });
    this.scroller.addEventListener("mousemove", (event) => onHover(this._lineAt(event)));
    this.scroller.addEventListener("mouseleave", () => onHover(0));
    this.scroller.addEventListener("click", (event) => {
      const row = this._rowAt(event);
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
    const widest = lines.reduce((most, line) => Math.max(most, line.length), 0);
    this.digits = String(lines.length).length;
    this.canvas.style.height = `${this.count * ROW}px`;
    this.canvas.style.minWidth = `calc(${widest + this.digits + 4}ch + 8px)`;
    this.refresh();
  }

  // Which lines are marked: `hovered` and `selected` are iterables of lines, `current` the line that the keys move.
  mark(hovered, selected, current) {
    this.hovered = new Set(hovered);
    this.selected = new Set(selected);
    this.current = current;
    this._shown.forEach((element, row) => this._setMarks(element, this.rows ? this.rows[row].line : row + 1));
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
    const row = this.rowOf(line);
    if (row < 0) return;
    const top = row * ROW, { scrollTop, clientHeight } = this.scroller;
    if (always || top < scrollTop + ROW || top > scrollTop + clientHeight - 3 * ROW) {
      this.scroller.scrollTop = top - clientHeight / 3;
    }
    this._revealStart(line);
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

  _rowAt(event) {
    return Math.floor((event.clientY - this.canvas.getBoundingClientRect().top) / ROW);
  }

  _lineAt(event) {
    const row = this._rowAt(event);
    if (row < 0 || row >= this.count) return 0;
    return this.rows ? this.rows[row].line : row + 1;
  }

  _later() {
    this._frame ??= requestAnimationFrame(() => {
      this._frame = null;
      this._draw();
    });
  }

  _draw() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(this.count, first + Math.ceil(this.scroller.clientHeight / ROW) + 2 * SPARE);
    for (const [row, element] of this._shown) {
      if (row < first || row >= last) {
        element.remove();
        this._shown.delete(row);
      }
    }
    for (let row = first; row < last; row++) {
      if (!this._shown.has(row)) this._shown.set(row, this.canvas.appendChild(this._row(row)));
    }
  }

  _row(index) {
    const row = this.rows ? this.rows[index] : { line: index + 1, kind: EQUAL };
    const element = document.createElement("div");
    element.className = `row ${KINDS[row.kind] ?? ""}`;
    element.style.top = `${index * ROW}px`;
    if (row.label) {
      element.classList.add("fold");
      element.textContent = row.label;
      return element;
    }
    if (!row.line) {
      element.classList.add("blank");
      return element;
    }
    this._setMarks(element, row.line);
    make("span", "number", element).textContent = String(row.line).padStart(this.digits);
    const text = this.lines[row.line - 1];
    const code = make("span", "code", element);
    paint(code, text, this.language, [...matches(text, this.query, "found"), ...(row.mark ? [[...row.mark, "differs"]] : [])]);
    return element;
  }

  _setMarks(element, line) {
    element.classList.toggle("selected", this.selected.has(line));
    element.classList.toggle("hovered", this.hovered.has(line));
    element.classList.toggle("current", line > 0 && this.current === line);
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
    const tick = (line, color, inset) => {
      const row = this.rowOf(line);
      if (row < 0) return;
      pen.fillStyle = style.getPropertyValue(color);
      pen.fillRect(inset * scale, Math.floor((row / rows) * height) * scale, (width - 2 * inset) * scale, 2 * scale);
    };
    if (this.rows) for (const row of this.rows) if (row.kind && row.line) tick(row.line, `--${KINDS[row.kind]}-tick`, 3);
    if (this.query) this.lines.forEach((text, k) => text.toLowerCase().includes(this.query) && tick(k + 1, "--found-tick", 2));
    this.selected.forEach((line) => tick(line, "--selected-tick", 0));
    this.hovered.forEach((line) => tick(line, "--hovered-tick", 1));
  }
}

const KINDS = ["", "changed", "removed", "added"];

function make(name, className, parent) {
  const element = document.createElement(name);
  element.className = className;
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

function* tokens(text, rules) {
  let plain = 0, at = 0;
  while (at < text.length) {
    let end = at + 1, kind = null;
    for (const [rule, name] of rules) {
      rule.lastIndex = at;
      const match = rule.exec(text);
      if (match && match[0]) {
        end = at + match[0].length;
        kind = name;
        break;
      }
    }
    if (kind) {
      if (plain < at) yield [plain, at, null];
      yield [at, end, kind];
      plain = end;
    }
    at = end;
  }
  if (plain < text.length) yield [plain, text.length, null];
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
