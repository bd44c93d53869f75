// Uses every control of the built page in headless Chromium, and looks at what is shown: node test.mjs FOLDER
// [SCREENSHOT]. Exits with 1 where something is not as it must be, or the console has an error.
import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [folder, picture = join(process.argv[2], "screenshot.png")] = process.argv.slice(2);
const TYPES = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };

// A static host, as small as can be.
const server = createServer(async (request, response) => {
  const name = request.url === "/" ? "index.html" : request.url.slice(1).replaceAll("..", "");
  try {
    const content = await readFile(join(folder, name));
    response.writeHead(200, { "content-type": TYPES[name.split(".").pop()] }).end(content);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");
await new Promise((ready) => server.once("listening", ready));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));

const number = async (id) => Number((await page.textContent(`#${id}`)).replaceAll(",", ""));
const settled = (id, wanted) =>
  page.waitForFunction(([id, wanted]) => document.getElementById(id).textContent.replaceAll(",", "") === String(wanted), [id, wanted]);
const set = (id, value) =>
  page.locator(`#${id}`).evaluate((input, value) => { input.value = value; input.dispatchEvent(new Event("input")); }, value);
const timed = (kind) =>
  page.waitForFunction((kind) => [...document.querySelectorAll("#times tbody tr")].some((row) => row.cells[0].textContent === kind), kind);

async function holds(what, check) {
  await check();
  console.log(`ok: ${what}`);
}

try {
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await holds("a hundred thousand objects are there at the start", () => settled("live", 100_000));

  await holds("objects slider and Fill: as many as it says", async () => {
    await page.click("#clear");
    await settled("live", 0);
    await set("count", 4);
    assert.equal(await page.textContent("#count-shown"), "10,000");
    await page.click("#fill");
    await settled("live", 10_000);
  });

  await holds("share slider and Punch holes: half of the objects leave holes", async () => {
    await set("percent", 50);
    await page.click("#punch");
    await settled("live", 5_000);
    assert.equal((await number("holes")) + (await number("live")), await number("total"));
    assert.ok((await number("holes")) >= 5_000);
  });

  await holds("Compact: no hole is left", async () => {
    await page.click("#compact");
    await settled("holes", 0);
    assert.equal(await number("total"), 5_000);
    await timed("compact");
  });

  await holds("both containers are timed at everything that both can do", async () => {
    await set("pairs", 2_000);
    await page.check("#walking");
    for (const kind of ["insert", "remove", "clear", "remove and insert", "walk"]) await timed(kind);
    assert.equal(await number("live"), 5_000);
  });

  await holds("a slot is told where the pointer is", async () => {
    await page.hover("#slots", { position: { x: 3, y: 3 } });
    const hint = await page.textContent("#hint");
    assert.match(hint, /^Slot \d+, bit \d+ of word \d+: (live|a hole), generation [1-9]\d*$/);
  });

  let fps;
  await holds("a hundred thousand objects, churned and walked", async () => {
    await set("count", 5);
    await page.click("#fill");
    await settled("live", 100_000);
    await page.waitForTimeout(2_500);
    fps = await number("fps");
    // How many they are is the machine's: without a graphics card, beside other work, 10 were seen.
    assert.ok(fps >= 1, `${fps} frames a second`);
  });
  const costs = await page.evaluate(async () => {
    const { instance } = await WebAssembly.instantiateStreaming(fetch("larder_web.wasm"));
    const program = instance.exports;
    program.fill(0, 100_000);
    return Array.from({ length: 50 }, () => {
      const began = performance.now();
      [program.churn(0, 2_000), program.walk(0, 1), program.paint()];
      return performance.now() - began;
    });
  });
  // The quickest frame is hardly disturbed.
  const cost = Math.min(...costs);
  assert.ok(cost < 1_000 / 60, `${cost} ms of work a frame: too much for 60 frames a second`);
  console.log(`   ${fps} frames a second; the arena's work and its picture: ${cost.toFixed(2)} ms of a frame's 16.7`);

  await holds("the screenshot shows live slots, holes, and words, in their colours", async () => {
    await set("pairs", 0);
    await page.uncheck("#walking");
    await page.click("#punch");
    await settled("live", 50_000);
    await page.waitForTimeout(500);
    const shot = await page.screenshot({ path: picture });
    const seen = await page.evaluate(count, `data:image/png;base64,${shot.toString("base64")}`);
    const slots = await page.locator("#slots").boundingBox();
    const share = (amount) => amount / (slots.width * slots.height);
    console.log(`   of the picture, ${(share(seen.live) * 100).toFixed(0)} % live, ${(share(seen.hole) * 100).toFixed(0)} % holes`);
    assert.ok(share(seen.live) > 0.3 && share(seen.live) < 0.7, "half of the slots are live");
    assert.ok(share(seen.hole) > 0.3 && share(seen.hole) < 0.7, "half of them are holes");
    assert.ok(seen.words > 500, "the words are painted");
  });

  assert.deepEqual(errors, [], "errors on the console");
  console.log(`ok: no error on the console; ${picture}`);
} finally {
  await browser.close();
  server.close();
}

// Runs in the page: how many pixels of a screenshot have which colours.
async function count(address) {
  const image = await createImageBitmap(await (await fetch(address)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const box = document.getElementById("pictures").getBoundingClientRect();
  const { data } = context.getImageData(box.left, box.top, box.width, box.height);
  const seen = { live: 0, hole: 0, words: 0 };
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue] = data.slice(at, at + 3);
    if (blue > 100 && green > 60) seen.live += 1;
    else if (red > 50 && green < 60 && blue < 60) seen.hole += 1;
    else if (green > 100 && red < 110 && blue < 160) seen.words += 1;
  }
  return seen;
}
