// The page: buttons and sliders call the program (larder_web.wasm), which does the work and paints.
const { instance } = await WebAssembly.instantiateStreaming(fetch("larder_web.wasm"));
const larder = instance.exports;
const SIDES = ["Arena", "SlotMap"];
const at = (id) => document.getElementById(id);

// How long each kind of work took on both sides: the last calls, as [objects, milliseconds].
const KEPT = 120;
const times = new Map();

function note(kind, side, objects, milliseconds) {
  if (objects === 0) return;
  if (!times.has(kind)) times.set(kind, [[], []]);
  const calls = times.get(kind)[side];
  calls.push([objects, milliseconds]);
  if (calls.length > KEPT) calls.shift();
}

// Does the work on both sides, first one, then the other, and the other way round the next time.
let turn = 0;
function both(kind, work, objects = (answer) => answer) {
  turn ^= 1;
  const answers = [];
  for (const side of [turn, turn ^ 1]) {
    const began = performance.now();
    answers[side] = work(side);
    note(kind, side, objects(answers[side]), performance.now() - began);
  }
  if (answers[0] !== answers[1]) throw new Error(`${kind}: ${SIDES.join(" and ")} differ: ${answers}`);
}

const count = () => Math.round(10 ** at("count").value);
const live = () => larder.stat(0);
const walk = () => both("walk", (side) => larder.walk(side, 1), live);

const actions = {
  fill: () => both("insert", (side) => larder.fill(side, count())),
  punch: () => both("remove", (side) => larder.punch(side, +at("percent").value)),
  clear: () => both("clear", (side) => larder.clear(side)),
  compact: () => {
    const began = performance.now();
    note("compact", 0, larder.compact(), performance.now() - began);
  },
};
for (const [id, action] of Object.entries(actions)) at(id).addEventListener("click", action);

const shown = { count: () => count().toLocaleString("en"), percent: () => `${at("percent").value} %`, pairs: () => (+at("pairs").value).toLocaleString("en") };
for (const [id, text] of Object.entries(shown)) {
  const show = () => { at(`${id}-shown`).textContent = text(); };
  at(id).addEventListener("input", show);
  show();
}

function draw(id, address, width, rows) {
  const canvas = at(id);
  if (canvas.height !== rows) canvas.height = rows;
  // The memory may have grown, so the view is made anew.
  const pixels = new Uint8ClampedArray(larder.memory.buffer, address, width * rows * 4);
  canvas.getContext("2d").putImageData(new ImageData(pixels, width, rows), 0, 0);
}

function paint() {
  const slots = larder.paint();
  draw("slots", slots, 512, larder.rows());
  draw("words", larder.words(), 8, larder.rows());
  // Few rows are tall, many are low: what there is fills the space, up to a square.
  const height = `${Math.min(Math.max(larder.rows() * 3, 60), 640)}px`;
  at("slots").style.height = at("words").style.height = height;
}

function numbers(fps) {
  const [objects, holes, slots, bytes] = [0, 1, 2, 3].map((which) => larder.stat(which));
  at("live").textContent = objects.toLocaleString("en");
  at("holes").textContent = holes.toLocaleString("en");
  at("total").textContent = slots.toLocaleString("en");
  at("beside").textContent = objects ? (bytes / objects - 16).toFixed(2) : "0";
  at("fps").textContent = fps.toFixed(0);
  at("times").tBodies[0].replaceChildren(...[...times].map(([kind, sides]) => row(kind, sides.map(perObject))));
}

function perObject(calls) {
  const sum = calls.reduce(([objects, time], call) => [objects + call[0], time + call[1]], [0, 0]);
  return sum[0] ? (sum[1] * 1e6) / sum[0] : undefined;
}

function row(kind, [arena, map]) {
  const cells = [kind, arena?.toFixed(1), map?.toFixed(1) ?? "–", arena && map ? (arena / map).toFixed(2) : "–"];
  const line = document.createElement("tr");
  line.append(...cells.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
  return line;
}

at("slots").addEventListener("pointermove", (event) => {
  const box = event.target.getBoundingClientRect();
  const column = Math.floor(((event.clientX - box.left) / box.width) * 512);
  const line = Math.floor(((event.clientY - box.top) / box.height) * larder.rows());
  const slot = line * 512 + column;
  const state = larder.slot(slot);
  const what = state === 0 ? "never used" : `${state & 1 ? "live" : "a hole"}, generation ${state >>> 1}`;
  at("hint").textContent = `Slot ${slot}, bit ${slot % 64} of word ${slot >> 6}: ${what}`;
});

let frames = 0;
let since = performance.now();
let fps = 0;
function frame(now) {
  const pairs = +at("pairs").value;
  if (pairs > 0) both("remove and insert", (side) => larder.churn(side, pairs));
  if (at("walking").checked) walk();
  paint();
  frames += 1;
  if (now - since >= 500) {
    fps = (frames * 1000) / (now - since);
    [frames, since] = [0, now];
  }
  numbers(fps);
  requestAnimationFrame(frame);
}

actions.fill();
requestAnimationFrame(frame);
