import { expect, test } from 'vitest';
import { Gate } from '#base/concurrency/gate.ts';
import { SingleFlight } from '#base/concurrency/single-flight.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import type { Drawing, Renderer, Supplies } from '#draw/renderer/renderer.ts';
import { Quota } from '#server/service/accounts/quota.ts';
import { Assets } from '#server/service/files/assets.ts';
import { type RenderContext, render } from '#server/service/rendering/render.ts';
import { TemplateLibrary } from '#server/service/templates/templates.ts';
import { openFileBlobs } from '#server/storage/blobs.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { NOW, type StorageUnderTest, storageUnderTest } from '../../storage/open-storage.ts';

const caller = { accountId: 'acc_a', plan: 'free', kind: 'live', scope: null } as const;
const clock = () => NOW;
const picture: Drawing = { bytes: Buffer.from('bytes'), diagnostics: [] };
const unasked = () => Promise.reject(new Error('nobody was to ask'));
const nothing: Supplies = { template: unasked, fonts: unasked, image: unasked, upload: unasked };
/** A renderer that only draws; every other call fails. */
const drawing = (draw: Renderer['draw']): Renderer => ({
  draw,
  measure: unasked,
  inspect: unasked,
  warmUp: unasked,
  status: unasked,
  [Symbol.asyncDispose]: async () => {},
});

/**
 * Renders a template of one shape with parts of the context replaced. Returns the result and what is stored afterwards.
 */
async function attempt(parts: Partial<RenderContext>, prepare: (opened: StorageUnderTest) => void = () => {}) {
  const { all, ...left } = await attemptAtOnce(1, parts, prepare);
  return { ended: all[0], ...left };
}

/** Does the same `times` times at once. */
async function attemptAtOnce(
  times: number,
  parts: Partial<RenderContext>,
  prepare: (opened: StorageUnderTest) => void = () => {},
) {
  await using folder = await temporaryFolder();
  await using opened = await storageUnderTest();
  const { storage } = opened;
  const blobs = await openFileBlobs(folder.path);
  const templates = new TemplateLibrary(storage, clock);
  const layers = [{ name: 'box', type: 'shape' }];
  const { id } = await templates.create('acc_a', { name: 'Box', width: 10, height: 10, layers });
  prepare(opened);
  const ctx: RenderContext = {
    templates,
    quota: new Quota(storage.usage, { free: { quota: 5, blocks: true } }, clock),
    assets: new Assets(storage, blobs, () => 'http://host', clock),
    renderer: drawing(async () => picture),
    supplies: async () => ({ fontsKey: '', known: () => ({}), ...nothing }),
    drawHtml: async () => ({ bytes: Buffer.from('page'), diagnostics: [] }),
    admission: new Gate({ concurrency: 4, waiting: 4 }),
    slow: new Gate({ concurrency: 4, waiting: 4 }),
    deadline: 10_000,
    underWay: new SingleFlight(),
    ...parts,
  };
  const once = () =>
    render(ctx, caller, { template: id, modifications: {}, output: 'png', options: DEFAULT_EXPORT }).then(
      ({ result }) => result,
      (error: unknown) => error,
    );
  const all = await Promise.all(Array.from({ length: times }, once));
  const { readdir } = await import('node:fs/promises');
  const assets = await readdir(folder.path);
  return { all, assets, usage: await storage.usage.totals('acc_a', '2026-11') };
}

const nothingLeft = { assets: [], usage: { used: 0, reserved: 0 } };

test('a render leaves an asset under its id, and one unit of usage', async () => {
  const { ended, assets, usage } = await attempt({});
  const { id } = ended as { id: string };
  expect(ended).toEqual({ id, url: `http://host/assets/${id}.png`, output: 'png' });
  expect({ assets, usage }).toEqual({ assets: [`${id}.png`], usage: { used: 1, reserved: 0 } });
});

test('equal renders at the same time are drawn once, each with an asset and a unit of its own', async () => {
  const allHaveAsked = Promise.withResolvers<void>();
  let [asked, drawn] = [0, 0];
  class CountingWork extends SingleFlight<Drawing> {
    override use<R>(key: string, work: () => Promise<Drawing>, use: (drawing: Drawing) => Promise<R>): Promise<R> {
      asked += 1;
      if (asked === 3) allHaveAsked.resolve();
      return super.use(key, work, use);
    }
  }
  const renderer = drawing(async () => {
    drawn += 1;
    await allHaveAsked.promise;
    return picture;
  });
  const { all, assets, usage } = await attemptAtOnce(3, { renderer, underWay: new CountingWork() });
  expect(new Set(all.map((ended) => (ended as { id: string }).id)).size).toBe(3);
  expect({ drawn, assets: assets.length, usage }).toEqual({ drawn: 1, assets: 3, usage: { used: 3, reserved: 0 } });
});

test('a drawing that fails leaves nothing behind', async () => {
  const renderer = drawing(() => Promise.reject(new Error('no pixels')));
  expect(await attempt({ renderer })).toEqual({ ended: new Error('no pixels'), ...nothingLeft });
});

test('a row that cannot be written leaves nothing behind', async () => {
  const { ended, ...left } = await attempt({}, ({ storage }) => {
    storage.renders.insert = () => Promise.reject(new Error('disk full'));
  });
  expect([ended, left]).toEqual([new Error('disk full'), nothingLeft]);
});

test('a drawing is told when its time is over', async () => {
  const renderer = drawing(
    (_job, _supplies, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const { ended, ...left } = await attempt({ renderer, deadline: 20 });
  expect(ended).toMatchObject({ name: 'TimeoutError' });
  expect(left).toEqual(nothingLeft);
});

test('a drawing is told what to draw, and with what', async () => {
  const jobs: unknown[] = [];
  const supplies = { ...nothing, fontsKey: 'fnt_a,fnt_b', known: () => ({ img_a: 'img_a' }) };
  const renderer = drawing(async (job, given) => {
    jobs.push(job, given);
    return picture;
  });
  await attempt({ renderer, supplies: async () => supplies });
  expect(jobs).toEqual([
    {
      fairnessKey: expect.stringMatching(/^acc_/),
      template: expect.stringMatching(/^tpl_\w{22}@1$/),
      fonts: 'fnt_a,fnt_b',
      modifications: {},
      time: expect.any(Number),
      heaviest: 'box',
      uploads: { img_a: 'img_a' },
      output: 'png',
      options: DEFAULT_EXPORT,
    },
    supplies,
  ]);
});
