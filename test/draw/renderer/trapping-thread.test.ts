// Tests that a trap in WebAssembly, after which the library's memory is not sound, costs only its own job.

import { expect, test, vi } from 'vitest';
import { ThreadedRenderer } from '#draw/renderer/threaded-renderer.ts';
import { jobOf, outcome, patience, suppliesOf, templateOf } from './supplies.ts';

vi.mock(import('#draw/renderer/start-thread.ts'), async (original) => {
  const { startThread } = await original();
  const module = new URL('./trapping-thread.ts', import.meta.url);
  return { startThread: (_, options) => startThread(module, options) };
});

const word = (text: string) => suppliesOf(templateOf({ name: 'word', type: 'text', text }));

test('the thread is replaced, and what was drawn beside it is drawn again', { timeout: 30_000 }, async () => {
  const warnings: unknown[] = [];
  const options = { fontFolders: [], concurrency: 2, keptMemory: 2 ** 24 };
  await using renderer = new ThreadedRenderer(options, (_, error) => warnings.push(error));
  // The first thread never gets this template, and so cannot be done with it before it ends.
  let threads = 0;
  const { template } = word('Kiosk');
  const beside = { ...word('Kiosk'), template: () => (threads++ === 0 ? new Promise<never>(() => {}) : template()) };
  const outcomes = await Promise.all([
    outcome(renderer.draw(jobOf({ template: 'tpl_a@1' }), beside, patience())),
    outcome(renderer.draw(jobOf({ template: 'tpl_b@1' }), word('TRAP'), patience())),
  ]);
  expect(outcomes).toEqual(['done', 'ThreadEnded: The drawing thread ended.']);
  expect(warnings.map(String)).toEqual(['RuntimeError: unreachable', 'RuntimeError: unreachable']);
  expect(await outcome(renderer.draw(jobOf({ template: 'tpl_a@1' }), word('Kiosk'), patience()))).toBe('done');
});
