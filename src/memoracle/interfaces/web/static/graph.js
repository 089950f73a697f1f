// Who and what is named together, drawn. The table beneath says the same.
{
const canvas = document.getElementById("graph");
const pen = canvas.getContext("2d");
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const hue = { person: 265, place: 150, project: 20, organisation: 205, thing: 45 };
let nodes = [], edges = [], view = { x: 0, y: 0, zoom: 1 }, chosen = null, heat = 1;

const found = JSON.parse(document.getElementById("drawn").textContent);
const by = new Map();
nodes = found.nodes.map((one, n) => {
  const angle = n * 2.39996, far = 14 * Math.sqrt(n + 1);
  const node = { ...one, x: far * Math.cos(angle), y: far * Math.sin(angle), dx: 0, dy: 0, r: 3 + Math.sqrt(one.size) * 1.6 };
  by.set(one.name, node);
  return node;
});
edges = found.edges.map((one) => ({ a: by.get(one.from), b: by.get(one.to), times: one.times })).filter((one) => one.a && one.b);

// Forces: neighbours in a grid push apart, links pull together, everything leans to the middle.
function step() {
  const size = 60, grid = new Map();
  for (const one of nodes) {
    const key = `${Math.floor(one.x / size)},${Math.floor(one.y / size)}`;
    (grid.get(key) ?? grid.set(key, []).get(key)).push(one);
  }
  for (const one of nodes) {
    const gx = Math.floor(one.x / size), gy = Math.floor(one.y / size);
    for (let x = gx - 1; x <= gx + 1; x += 1) for (let y = gy - 1; y <= gy + 1; y += 1) {
      for (const other of grid.get(`${x},${y}`) ?? []) {
        if (other === one) continue;
        const dx = one.x - other.x, dy = one.y - other.y, far = Math.max(1, dx * dx + dy * dy);
        one.dx += (dx / far) * 60; one.dy += (dy / far) * 60;
      }
    }
    one.dx -= one.x * 0.004; one.dy -= one.y * 0.004;
  }
  for (const { a, b, times } of edges) {
    const pull = 0.012 * Math.min(3, times), dx = b.x - a.x, dy = b.y - a.y;
    a.dx += dx * pull; a.dy += dy * pull; b.dx -= dx * pull; b.dy -= dy * pull;
  }
  for (const one of nodes) {
    if (one !== chosen?.held) { one.x += Math.max(-20, Math.min(20, one.dx * heat)); one.y += Math.max(-20, Math.min(20, one.dy * heat)); }
    one.dx = one.dy = 0;
  }
  heat *= 0.985;
}

function draw() {
  const ratio = devicePixelRatio || 1, box = canvas.getBoundingClientRect();
  if (canvas.width !== Math.round(box.width * ratio)) { canvas.width = Math.round(box.width * ratio); canvas.height = Math.round(box.height * ratio); }
  const style = getComputedStyle(canvas), ink = style.color;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.setTransform(ratio * view.zoom, 0, 0, ratio * view.zoom, canvas.width / 2 + view.x * ratio, canvas.height / 2 + view.y * ratio);
  pen.strokeStyle = ink;
  const near = new Set(chosen ? edges.flatMap((one) => (one.a === chosen.node ? [one.b] : one.b === chosen.node ? [one.a] : [])) : []);
  for (const { a, b, times } of edges) {
    pen.globalAlpha = chosen && a !== chosen.node && b !== chosen.node ? 0.05 : 0.18;
    pen.lineWidth = Math.min(3, 0.6 + times * 0.2);
    pen.beginPath(); pen.moveTo(a.x, a.y); pen.lineTo(b.x, b.y); pen.stroke();
  }
  for (const one of nodes) {
    pen.globalAlpha = chosen && one !== chosen.node && !near.has(one) ? 0.2 : 1;
    pen.fillStyle = `hsl(${hue[one.type] ?? 0} 45% 55%)`;
    pen.beginPath(); pen.arc(one.x, one.y, one.r, 0, 7); pen.fill();
  }
  pen.fillStyle = ink;
  pen.font = `${12 / view.zoom}px ${style.fontFamily}`;
  const some = nodes.length < 60 ? nodes : [...nodes].sort((a, b) => b.size - a.size).slice(0, 40 * view.zoom);
  for (const one of some) {
    pen.globalAlpha = chosen && one !== chosen.node && !near.has(one) ? 0.25 : 1;
    pen.fillText(one.name, one.x + one.r + 2, one.y + 4);
  }
}

let running = 0;
function run() {
  step();
  draw();
  running = heat > 0.02 ? requestAnimationFrame(run) : 0;
}
if (calm || nodes.length > 1500) { for (let n = 0; n < 120 && heat > 0.02; n += 1) step(); draw(); } else run();
const again = () => { if (!running) draw(); };

const at = (event) => {
  const box = canvas.getBoundingClientRect();
  const x = (event.clientX - box.left - box.width / 2 - view.x) / view.zoom, y = (event.clientY - box.top - box.height / 2 - view.y) / view.zoom;
  return nodes.find((one) => (one.x - x) ** 2 + (one.y - y) ** 2 < (one.r + 4) ** 2);
};
let dragged = null;
canvas.addEventListener("pointerdown", (event) => { dragged = { x: event.clientX, y: event.clientY, moved: false }; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener("pointermove", (event) => {
  if (dragged) { view.x += event.clientX - dragged.x; view.y += event.clientY - dragged.y; dragged.moved ||= Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) > 2; dragged.x = event.clientX; dragged.y = event.clientY; again(); return; }
  const node = at(event);
  if (node !== chosen?.node) { chosen = node ? { node } : null; canvas.style.cursor = node ? "pointer" : "grab"; again(); }
});
canvas.addEventListener("pointerup", (event) => {
  const node = !dragged?.moved && at(event);
  dragged = null;
  if (node) location.href = `/graph?around=${encodeURIComponent(node.name)}`;
});
canvas.addEventListener("wheel", (event) => { event.preventDefault(); view.zoom = Math.max(0.1, Math.min(8, view.zoom * (event.deltaY < 0 ? 1.1 : 0.9))); again(); }, { passive: false });
canvas.addEventListener("keydown", (event) => {
  const move = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
  if (move) { view.x += move[0]; view.y += move[1]; } else if (event.key === "+") view.zoom *= 1.1; else if (event.key === "-") view.zoom *= 0.9; else return;
  event.preventDefault(); again();
});
addEventListener("resize", again);
}
