// Tests that slow jobs go to a second renderer, which is opened for the first of them.

import { expect, test } from 'vitest';
import type { Renderer } from '#draw/renderer/renderer.ts';
import { SlowJobIsolation } from '#draw/renderer/slow-job-isolation.ts';
import { jobOf, patience, suppliesOf, templateOf } from './supplies.ts';

const supplies = suppliesOf(templateOf());

function lane(name: string, log: string[]): Renderer {
  return {
    draw: async () => {
      log.push(name);
      return { bytes: Buffer.from(name), diagnostics: [] };
    },
    measure: async () => {
      log.push(name);
      return { layout: '{}', diagnostics: [] };
    },
    inspect: async () => ({ format: 'png', width: 1, height: 1 }),
    warmUp: async () => void log.push(`${name} warm`),
    status: async () => ({ keptBytes: [], templates: 0, running: 0, waiting: 0 }),
    [Symbol.asyncDispose]: async () => void log.push(`${name} closed`),
  };
}

test('quick and slow jobs part ways, and both renderers are closed', async () => {
  const log: string[] = [];
  const lanes = new SlowJobIsolation(lane('quick', log), () => {
    log.push('opened');
    return lane('slow', log);
  });
  await lanes.warmUp();
  await lanes.draw(jobOf({ time: 5 }), supplies, patience());
  await lanes.draw(jobOf({ time: 500 }), supplies, patience());
  await lanes.measure(jobOf({ time: 500 }), supplies, patience());
  await lanes[Symbol.asyncDispose]();
  expect(log).toEqual(['quick warm', 'quick', 'opened', 'slow', 'slow', 'quick closed', 'slow closed']);
});
