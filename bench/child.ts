// One peer in a process of its own: `node bench/child.ts <renderer>`, asked for one render at a time over IPC.

import { writeFileSync } from 'node:fs';
import { loadAssets } from './assets.ts';
import type { OpenPeer, Output } from './peers/peer.ts';
import { ALL_WORKLOADS } from './workloads.ts';

/** A render to do, and where to leave the picture if somebody wants to look at it. */
export interface Order {
  readonly workload: string;
  readonly output: Output;
  readonly i: number;
  readonly look: string | null;
}

export type Answer =
  | { readonly kind: 'ready'; readonly outputs: readonly Output[] }
  | { readonly kind: 'rendered'; readonly ms: number; readonly bytes: number }
  | { readonly kind: 'failed'; readonly reason: string };

const PEERS: Readonly<Record<string, () => Promise<{ open: OpenPeer }>>> = {
  platen: () => import('./peers/platen.ts'),
  'satori+resvg': () => import('./peers/satori-resvg.ts'),
  takumi: () => import('./peers/takumi.ts'),
  chromium: () => import('./peers/chromium.ts'),
  'react-pdf': () => import('./peers/react-pdf.ts'),
};

/** In the order in which they are printed. */
export const RENDERERS: readonly string[] = Object.keys(PEERS);

const answer = (message: Answer) => process.send?.(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

async function main(renderer: string): Promise<void> {
  const load = PEERS[renderer];
  if (!load) throw new Error(`no renderer "${renderer}"`);
  const peer = await (await load()).open(await loadAssets());

  process.on('message', async ({ workload: name, output, i, look }: Order) => {
    try {
      const workload = ALL_WORKLOADS.find((found) => found.name === name);
      if (!workload) throw new Error(`no workload "${name}"`);
      const strings = workload.strings(i);
      const start = performance.now();
      const file = await peer.render(workload, strings, output);
      const ms = performance.now() - start;
      if (look !== null) writeFileSync(look, file);
      answer({ kind: 'rendered', ms, bytes: file.length });
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
