// The outlined view of a state: consecutive operations of a function that come from the same source lines are one row, which a
// click unfolds. `sw.trace.outline` makes functions of the same groups.

// The rows of a state for a listing; groups whose first line is in `unfolded` show their lines.
function outlined(links, state, unfolded) {
  const texts = links.texts.get(`state/${state}`);
  const rows = [];
  for (const { from, count, source, ops } of groups(links, state, texts)) {
    if (source === null || count < 2) {
      for (let line = from; line < from + count; line++) rows.push({ line, kind: EQUAL });
      continue;
    }
    const [file, line, , , others] = source;
    const { name } = links.data.documents[file];
    const text = links.texts.get(`file/${file}`)[line - 1]?.trim() ?? "";
    const more = others ? `, and ${others} more source line${others === 1 ? "" : "s"}` : "";
    const isOpen = unfolded.has(from);
    rows.push({
      line: 0, kind: EQUAL, indent: 4, fold: from, from, count,
      label: [`${isOpen ? "▾" : "▸"} ${name}:${line}`, text || " "],
      note: `${ops} operation${ops === 1 ? "" : "s"}${more}`,
    });
    if (isOpen) for (let each = from; each < from + count; each++) rows.push({ line: each, kind: EQUAL });
  }
  return rows;
}

// Lines of a text in groups: { from, count, source, ops }, source null for lines outside of any group.
function groups(links, state, texts) {
  const { lines, names, sources } = links.data.snapshots[state];
  const found = [];
  const byLine = new Map();
  lines.forEach((line, op) => push(byLine, line, op));
  let source = null, key = null;
  texts.forEach((text, k) => {
    const depth = text.length - text.trimStart().length;
    const ops = byLine.get(k + 1) ?? [];
    const isDirect = depth === 4 && ops.length > 0;
    const isOutside = depth < 4 || (isDirect && links.data.names[names[ops[0]]] === "func.return");
    const last = found.at(-1);
    if (isOutside || depth < 4) [source, key] = [null, null];
    else if (isDirect) [source, key] = sourceOf(links, sources[ops[0]]);
    if (last && last.key === key && key !== null) {
      last.count++;
      last.ops += ops.length;
    } else found.push({ from: k + 1, count: 1, source, key, ops: ops.length });
  });
  return found;
}

// The first source line of an operation, with the number of others, and a key that is the same for the same lines.
function sourceOf(links, number) {
  const frames = links.data.sources[number].map((k) => links.data.frames[k]);
  if (!frames.length) return [null, null];
  const places = [...new Set(frames.map(([file, line, , name]) => `${file}:${line}:${name}`))];
  return [[...frames[0].slice(0, 4), places.length - 1], places.join(" ")];
}
