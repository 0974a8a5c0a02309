// Clicks on lines of the explorer, and how long each takes. Appended to the page by `python -m benchmarks.explorer`.

const frame = () => new Promise((done) => requestAnimationFrame(done));

// After the next frame is on the screen.
const painted = () =>
  frame().then(() => {
    const channel = new MessageChannel();
    return new Promise((done) => {
      channel.port1.onmessage = done;
      channel.port2.postMessage(null);
    });
  });

const settled = async () => {
  do await painted();
  while (PAINTER.waiting.size || LATER.waiting.size);
};

// Click on a line of a column. Returns the milliseconds until the next frame is painted, and until all columns are.
async function click(column, line) {
  column.listing.reveal(line, true);
  await settled();
  const { listing } = column;
  const box = listing.canvas.getBoundingClientRect();
  const [clientX, clientY] = [box.left + 20, box.top + (listing.rowOf(line) + 0.5) * ROW];
  const start = performance.now();
  listing.scroller.dispatchEvent(new MouseEvent("click", { clientX, clientY, bubbles: true }));
  await painted();
  const first = performance.now() - start;
  await settled();
  return [first, performance.now() - start];
}

async function measure({ clicks, seed }) {
  const { explorer } = window;
  await explorer.links.prepare();
  const columns = explorer.views.levels.columns.filter((column) => explorer.links.texts.get(column.key).length > 1);
  let state = seed;
  const random = (limit) => {
    state = (state * 48271) % 2147483647;
    return state % limit;
  };
  const found = [];
  // The whole of a column is the most that a click can mark: the first lines of functions come first.
  for (const column of columns) for (const line of [1, 2, 3]) found.push([column, line]);
  while (found.length < clicks) {
    const column = columns[random(columns.length)];
    found.push([column, 1 + random(explorer.links.texts.get(column.key).length)]);
  }
  const results = [];
  for (const [column, line] of found) {
    const times = await click(column, line);
    await new Promise((done) => setTimeout(done, 150));
    const start = performance.now();
    if (explorer.place) explorer.links.history(explorer.place);
    results.push({ column: column.name, line, first: times[0], all: times[1], history: performance.now() - start });
  }
  await fetch("/results", { method: "POST", body: JSON.stringify(results) });
}

const waiting = setInterval(() => {
  if (document.body.dataset.ready !== "true") return;
  clearInterval(waiting);
  measure(CLICKS);
}, 100);
