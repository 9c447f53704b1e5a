import { expect, test } from 'vitest';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { MemoryBudget } from '#draw/images/memory-budget.ts';
import type { exportAs } from '#draw/output/export.ts';
import { TooMuchToDraw } from '#draw/output/raster/too-much-to-draw.ts';
import { CanvasMemory } from '#draw/renderer/canvas-memory.ts';
import { LocalRenderer } from '#draw/renderer/local-renderer.ts';
import { noise } from '../images/pictures.ts';
import { jobOf, outcome, patience, suppliesOf, templateOf } from './supplies.ts';

const library = await openFontLibrary({ folders: [] });
const never = () => new Promise<never>(() => {});
const BOX = templateOf({ name: 'box', type: 'shape', width: 20, height: 20 });
const PHOTO = templateOf({ name: 'photo', type: 'image', src: 'file', width: 40, height: 30 });
/** On a machine with other work it may be late because of that. */
const TOO_LONG = expect.stringMatching(/^invalid_request: The render took too long .*and was stopped|^overloaded: /);

const rendererWith = (draw?: typeof exportAs) =>
  new LocalRenderer({ library, concurrency: 1, ...(draw ? { exportAs: draw } : {}) });

test('a template and an upload are asked for once, whether it may be used each time', async () => {
  const renderer = rendererWith();
  const picture = await noise(40, 30).png().toBuffer();
  const supplies = suppliesOf(PHOTO, { file: 'img_once' }, { img_once: picture });
  const files = [];
  for (let time = 0; time < 2; time++) files.push(await renderer.draw(jobOf(), supplies, patience()));
  expect(files[0]?.bytes.length).toBeGreaterThan(100);
  const { stages: _, ...drawn } = files[1] ?? {};
  expect(drawn).toEqual({ bytes: files[0]?.bytes, diagnostics: files[0]?.diagnostics });
  expect(supplies.asked).toEqual(['template', 'file', 'upload img_once', 'file']);
});

test("an upload that is known to be the owner's is not asked for again", async () => {
  const supplies = suppliesOf(PHOTO, {}, { img_known: await noise(40, 30).png().toBuffer() });
  await rendererWith().draw(jobOf({ uploads: { file: 'img_known' } }), supplies, patience());
  expect(supplies.asked).toEqual(['template', 'upload img_known']);
});

test('a modification that does not fit is named', async () =>
  expect(
    await outcome(
      rendererWith().draw(jobOf({ modifications: { box: { opacity: 'x' } } }), suppliesOf(BOX), patience()),
    ),
  ).toMatch(/^ValidationError: modifications\.box\.opacity: /));

test('the layer that asks for most of what is too much is named', async () => {
  const draw = async () => {
    throw new TooMuchToDraw('takes too long to draw', { op: 1 });
  };
  const shape = { type: 'shape', width: 20, height: 20 };
  const word = { name: 'word', type: 'text', text: 'Kiosk', fontSize: 9 };
  const template = templateOf(word, { name: 'soft', ...shape, blur: 9 }, { name: 'hard', ...shape });
  expect(await outcome(rendererWith(draw).draw(jobOf(), suppliesOf(template), patience()))).toBe(
    'invalid_request: Layer "soft" takes too long to draw.',
  );
  expect(await outcome(rendererWith(draw).draw(jobOf(), suppliesOf(templateOf()), patience()))).toBe(
    'invalid_request: The picture takes too long to draw.',
  );
});

test('what takes too long is left behind, wherever it hangs', async () => {
  const stuck = { ...suppliesOf(PHOTO), image: never };
  expect(await outcome(rendererWith().draw(jobOf(), stuck, AbortSignal.timeout(20)))).toEqual(TOO_LONG);
  expect(await outcome(rendererWith(never).draw(jobOf(), suppliesOf(BOX), AbortSignal.timeout(20)))).toEqual(TOO_LONG);
});

test('whoever fetches an image is told that the time is over', async () => {
  const supplies = {
    ...suppliesOf(PHOTO),
    image: (_source: string, signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('told')))),
  };
  const error = await rendererWith()
    .draw(jobOf(), supplies, AbortSignal.timeout(20))
    .catch((error: Error) => error);
  expect(error).toMatchObject({ code: expect.stringMatching(/^(invalid_request|overloaded)$/) });
});

test('what waits too long for its turn is sent away as overload', async () => {
  const renderer = rendererWith(never);
  const end = new AbortController();
  const first = outcome(renderer.draw(jobOf(), suppliesOf(BOX), end.signal));
  await expect.poll(async () => (await renderer.status()).running, { interval: 1 }).toBe(1);
  const second = outcome(renderer.draw(jobOf(), suppliesOf(BOX), AbortSignal.timeout(20)));
  expect(await second).toMatch(/^overloaded: /);
  end.abort();
  expect(await first).toEqual(TOO_LONG);
});

test('large pictures queue for memory, which small ones need not', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const draw = async () => {
    running += 1;
    most = Math.max(most, running);
    await end;
    running -= 1;
    return new Uint8Array(1);
  };
  const renderer = new LocalRenderer({ library, concurrency: 4, exportAs: draw });
  const large = { ...BOX, width: 7_000, height: 7_000 };
  const drawn = Array.from({ length: 3 }, () => renderer.draw(jobOf({}, 'webp'), suppliesOf(large), patience()));
  await expect.poll(() => running, { interval: 1 }).toBe(1);
  const small = renderer.draw(jobOf({ template: 'tpl_b@1' }), suppliesOf(BOX), patience());
  await expect.poll(() => running, { interval: 1 }).toBe(2);
  resolve();
  await Promise.all([...drawn, small]);
  expect(most).toBe(2);
});

test('a large picture that finds no memory in time is sent away as overload', async () => {
  const canvases = new CanvasMemory(400_000_000, 20);
  const renderer = new LocalRenderer({ library, concurrency: 4, exportAs: never, canvases });
  const large = { ...BOX, width: 7_000, height: 7_000 };
  const end = new AbortController();
  const first = outcome(renderer.draw(jobOf(), suppliesOf(large), end.signal));
  await expect.poll(async () => (await renderer.status()).running, { interval: 1 }).toBe(1);
  const second = renderer.draw(jobOf(), suppliesOf(large), patience());
  await expect(second).rejects.toMatchObject({ code: 'overloaded', retryAfter: 5 });
  end.abort();
  await first;
});

test('a layout is measured without being drawn', async () => {
  const { layout } = await rendererWith(never).measure(jobOf(), suppliesOf(BOX), patience());
  expect(JSON.parse(layout)).toMatchObject({ width: 60, height: 40 });
});

// Must be last: for a while after it, every timeout counts as caused by lack of memory.
test('what was not done in time while memory was waited for is sent away as overload', async () => {
  const budget = new MemoryBudget(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = budget.run(1, () => promise);
  const waiting = budget.run(1, async () => {});
  const late = rendererWith(never).draw(jobOf(), suppliesOf(BOX), AbortSignal.timeout(20));
  await expect(late).rejects.toMatchObject({ code: 'overloaded', retryAfter: 5 });
  resolve();
  await Promise.all([held, waiting]);
});
