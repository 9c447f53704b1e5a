import { afterAll, expect, test } from 'vitest';
import { endsWithin } from '#base/concurrency/deadline.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { LocalRenderer } from '#draw/renderer/local-renderer.ts';
import { ThreadedRenderer } from '#draw/renderer/threaded-renderer.ts';
import { noise } from '../images/pictures.ts';
import { jobOf, outcome, patience, suppliesOf, templateOf } from './supplies.ts';

const renderer = new ThreadedRenderer({ fontFolders: [], concurrency: 2, keptMemory: 2 ** 24 });
afterAll(() => renderer[Symbol.asyncDispose]());

const picture = await noise(40, 30).png().toBuffer();
const CARD = templateOf(
  { name: 'photo', type: 'image', src: 'file', width: 30, height: 20 },
  { name: 'word', type: 'text', text: 'Kiosk', fontFamily: 'Inter', fontSize: 14, y: 20, width: 60 },
);
/** Many seconds of layout, also on a fast machine: the thread is looked at once a second. */
const ENDLESS = templateOf(
  ...Array.from({ length: 40 }, (_, i) => ({
    ...{ name: `text ${i}`, type: 'text', text: 'word '.repeat(20_000), fontFamily: 'Inter', fontSize: 9 + i / 8 },
  })),
);
const supplies = () => suppliesOf(CARD, { file: 'img_thread' }, { img_thread: picture });

test('it draws what a local renderer draws, byte for byte', async () => {
  const local = new LocalRenderer({ library: await openFontLibrary({ folders: [] }), concurrency: 1 });
  for (const output of ['png', 'jpeg', 'webp', 'pdf'] as const) {
    // Otherwise a PDF contains its creation time.
    const options = { ...DEFAULT_EXPORT, pdf: { reproducible: true } };
    const job = jobOf({ modifications: { word: output }, options }, output);
    const [there, here] = [
      await renderer.draw(job, supplies(), patience()),
      await local.draw(job, supplies(), patience()),
    ];
    expect(here.bytes.length).toBeGreaterThan(100);
    expect(Buffer.compare(there.bytes, here.bytes)).toBe(0);
    expect(there.diagnostics).toEqual(here.diagnostics);
  }
});

test('it asks for what it does not have, and keeps it', async () => {
  const [first, second] = [supplies(), supplies()];
  const job = jobOf({ template: 'tpl_b@1' });
  await renderer.draw(job, first, patience());
  await renderer.draw(job, second, patience());
  expect([first.asked[0], second.asked]).toEqual(['template', ['file']]);
});

test('it measures', async () => {
  const local = new LocalRenderer({ library: await openFontLibrary({ folders: [] }), concurrency: 1 });
  expect(await renderer.measure(jobOf(), supplies(), patience())).toEqual(
    await local.measure(jobOf(), supplies(), patience()),
  );
});

test('errors arrive as they were thrown', async () => {
  const job = jobOf({ modifications: { word: { fontSize: -1 } } });
  expect(await outcome(renderer.draw(job, supplies(), patience()))).toMatch(/^ValidationError: modifications\.word\./);
  const broken = suppliesOf(CARD, { file: Buffer.from('no picture') });
  expect(await outcome(renderer.draw(jobOf(), broken, patience()))).toMatch(/^invalid_request: Image of layer "photo"/);
});

test('a job that is told to stop stops', async () => {
  const stuck = { ...supplies(), image: () => new Promise<never>(() => {}) };
  expect(await outcome(renderer.draw(jobOf(), stuck, AbortSignal.timeout(50)))).toMatch(
    /^invalid_request: The render took too long to load its pictures and fonts, and was stopped\. Make it|^overloaded: /,
  );
});

test('it says what it keeps', async () => {
  const { keptBytes, templates, running, waiting } = await renderer.status();
  expect(new Map(keptBytes).get('uploaded files')).toBeGreaterThan(picture.length);
  expect(templates).toBeGreaterThan(0);
  expect([running, waiting]).toEqual([0, 0]);
});

test('a job that does not stop ends with its thread, and what was drawn beside it is drawn again', async () => {
  const warnings: string[] = [];
  const options = { fontFolders: [], concurrency: 1, keptMemory: 2 ** 24, grace: 50 };
  await using other = new ThreadedRenderer(options, (message) => warnings.push(message));
  // With its font, so that laying out is what takes long.
  await other.draw(jobOf(), supplies(), patience());
  const job = jobOf({ template: 'tpl_c@1' });
  const patienceEnds = new AbortController();
  const stuck = outcome(other.draw(job, suppliesOf(ENDLESS), patienceEnds.signal));
  const beside = outcome(other.draw(jobOf(), supplies(), patience()));
  // Aborted once the thread takes no messages: before that, it would end the job itself.
  while (await endsWithin(300, other.status()));
  patienceEnds.abort();
  // On a machine with other work it may be late because of that.
  expect(await stuck).toMatch(/^invalid_request: The render took too long .*and was stopped|^overloaded: /);
  expect(await beside).toBe('done');
  expect(warnings).toEqual(['the drawing thread has ended and is replaced']);
});

test('a file that keeps the thread busy ends with it, long before the deadline, and others go on', async () => {
  const warnings: string[] = [];
  const options = { fontFolders: [], concurrency: 1, keptMemory: 2 ** 24, mostTurn: 100 };
  await using other = new ThreadedRenderer(options, (message) => warnings.push(message));
  await other.draw(jobOf(), supplies(), patience());
  const stuck = outcome(
    other.draw(jobOf({ template: 'tpl_e@1', heaviest: 'text 0' }), suppliesOf(ENDLESS), patience()),
  );
  const beside = outcome(other.inspect(picture));
  expect(await stuck).toMatch(
    /^invalid_request: The render took too long to (?:lay out|draw), and was stopped; layer "text 0" weighs most/,
  );
  expect(await beside).toBe('done');
  expect(warnings.length).toBe(2);
});

test('nothing of it is left when it is disposed of', async () => {
  const other = new ThreadedRenderer({ fontFolders: [], concurrency: 1, keptMemory: 2 ** 24 });
  const waiting = outcome(other.draw(jobOf(), { ...supplies(), image: () => new Promise(() => {}) }, patience()));
  await other[Symbol.asyncDispose]();
  expect(await waiting).toBe('ThreadEnded: The drawing thread ended.');
  expect(await outcome(other.status())).toBe('ThreadEnded: The drawing thread ended.');
});
