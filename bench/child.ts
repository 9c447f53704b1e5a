// Runs one peer in its own process: `node bench/child.ts <renderer>` renders one drawing at a time, ordered over IPC.

import { writeFileSync } from 'node:fs';
import { applyModifications } from '#core/resolve/apply-modifications.ts';
import { RARER_LAYERS } from '#core/resolve/resolve.ts';
import { loadAssets } from './assets.ts';
import type { Drawing, Family } from './families/family.ts';
import { openFamily } from './families/family-list.ts';
import type { OpenPeer, Output } from './peers/peer.ts';
import { ALL_WORKLOADS } from './workloads.ts';

/** A render, and where to write the picture for inspection. */
export interface Order {
  /** The name of a workload or of a family. */
  readonly workload: string;
  /** Seed of the family. */
  readonly seed?: number;
  readonly output: Output;
  readonly i: number;
  readonly look: string | null;
}

export type Answer =
  | { readonly kind: 'ready'; readonly outputs: readonly Output[] }
  | { readonly kind: 'rendered'; readonly ms: number; readonly cpuMs: number; readonly bytes: number }
  | { readonly kind: 'failed'; readonly reason: string };

const PEERS: Readonly<Record<string, () => Promise<{ open: OpenPeer }>>> = {
  platen: () => import('./peers/platen.ts'),
  'satori+resvg': () => import('./peers/satori-resvg.ts'),
  takumi: () => import('./peers/takumi.ts'),
  chromium: () => import('./peers/chromium.ts'),
  'react-pdf': () => import('./peers/react-pdf.ts'),
};

/** In the order of the printed tables. */
export const RENDERERS: readonly string[] = Object.keys(PEERS);

const families = new Map<string, Family>();

/** The drawing in the form in which a server has it: the template parsed, the modifications as sent. */
function drawingOf({ workload: name, seed = 1, i }: Order): Drawing {
  const workload = ALL_WORKLOADS.find((found) => found.name === name);
  if (workload) return { template: workload.template, modifications: workload.strings(i) };
  const key = `${name} ${seed}`;
  const family = families.get(key) ?? openFamily(name, seed);
  families.set(key, family);
  return family.draw(i);
}

/** The same with modifications applied, because the peers get a complete tree each time. */
function applied({ template, modifications, ...drawing }: Drawing): Drawing {
  return {
    ...drawing,
    template: applyModifications(template, modifications, RARER_LAYERS).template,
    modifications: {},
  };
}

const answer = (message: Answer) => process.send?.(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

async function main(renderer: string): Promise<void> {
  const load = PEERS[renderer];
  if (!load) throw new Error(`no renderer "${renderer}"`);
  const peer = await (await load()).open(await loadAssets());

  process.on('message', async (order: Order) => {
    try {
      const drawing = renderer === 'platen' ? drawingOf(order) : applied(drawingOf(order));
      const before = process.cpuUsage();
      const start = performance.now();
      const file = await peer.render(drawing, drawing.modifications, order.output);
      const ms = performance.now() - start;
      const { user, system } = process.cpuUsage(before);
      if (order.look !== null) writeFileSync(order.look, file);
      answer({ kind: 'rendered', ms, cpuMs: (user + system) / 1000, bytes: file.length });
    } catch (error) {
      answer({ kind: 'failed', reason: reasonOf(error) });
    }
  });
  process.on('disconnect', async () => {
    await peer.close?.();
    process.exit(0);
  });
  answer({ kind: 'ready', outputs: peer.outputs });
}

if (import.meta.main) {
  main(process.argv[2] ?? '').catch((error: unknown) => {
    answer({ kind: 'failed', reason: reasonOf(error) });
    process.disconnect?.();
  });
}
