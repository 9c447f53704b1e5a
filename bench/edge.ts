// Races the cards in Cloudflare's runtime: `platen/edge` against satori and resvg-wasm, of which @vercel/og consists.
//
// Both run in one worker and draw the same new strings in turns. The clock of that runtime stands still during
// computation, so requests are timed from outside; a response holds the size of the file, not the file.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyModifications } from '#core/resolve/apply-modifications.ts';
import { RARER_LAYERS } from '#core/resolve/resolve.ts';
import { precompiled } from '../scripts/build-edge.ts';
import { install, startWorker } from '../test/heavy/edge/runtimes.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { loadAssets } from './assets.ts';
import { type CssNode, cssTree } from './css-tree.ts';
import { median, randomFrom, shuffled } from './statistics.ts';
import { WORKLOADS } from './workloads.ts';

export interface EdgeRow {
  readonly workload: string;
  readonly renderer: 'platen/edge' | 'satori+resvg-wasm';
  /** Median wall time of a request, ms. */
  readonly ms: number;
  /** Mean CPU time of workerd, ms. */
  readonly cpuMs: number;
  readonly bytes: number;
}

const WARM_UP = 2;

/** satori compiles its own HarfBuzz at run time, which this runtime refuses: it is provided as Platen does it. */
const SATORI_FILES = `import { provideWasm } from '${join(import.meta.dirname, '../src/edge/wasm-files.ts')}';
import harfbuzz from './node_modules/platen/dist/edge/satori-harfbuzz.wasm';
import callbacks from './node_modules/platen/dist/edge/harfbuzz-callbacks.wasm';
provideWasm(['satori-harfbuzz', 'harfbuzz-callbacks'], (name) => (name === 'satori-harfbuzz' ? harfbuzz : callbacks));
`;

const WORKER = `import './satori-files.js';
import { render } from 'platen/edge';
import satori, { init } from 'satori/standalone';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import layout from 'satori/layout.wasm';
import resvg from '@resvg/resvg-wasm/index_bg.wasm';

let ready = null;
const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
let held = null;

const DRAW = {
  async 'platen/edge'({ workload, modifications }) {
    const { bytes } = await render(held.templates[workload], { fonts: held.fonts, images: held.images, modifications });
    return bytes;
  },
  async 'satori+resvg-wasm'({ tree, width, height }) {
    await (ready ??= Promise.all([init(layout), initWasm(resvg)]));
    const place = (node) => {
      if (node.type === 'img') node.props.src = held.uris[node.props.src];
      for (const child of Array.isArray(node.props.children) ? node.props.children : []) place(child);
    };
    place(tree);
    const svg = await satori(tree, { width, height, fonts: held.faces });
    const picture = new Resvg(svg, { font: { loadSystemFonts: false } });
    const drawn = picture.render();
    const png = drawn.asPng();
    drawn.free();
    picture.free();
    return png;
  },
};

export default {
  async fetch(request) {
    try {
      const asked = await request.json();
      if (asked.templates) {
        const fonts = asked.fonts.map(({ data, weight }) => ({ data: bytesOf(data), family: 'Inter', weight }));
        held = {
          templates: asked.templates,
          fonts,
          faces: fonts.map(({ data, weight }) => ({ name: 'Inter', data: data.buffer, weight, style: 'normal' })),
          images: Object.fromEntries(Object.entries(asked.images).map(([name, { data }]) => [name, bytesOf(data)])),
          uris: Object.fromEntries(Object.entries(asked.images).map(([name, { uri }]) => [name, uri])),
        };
        return new Response('held');
      }
      const file = await DRAW[asked.renderer](asked);
      return asked.look ? new Response(file) : new Response(String(file.length));
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  },
};`;

interface SatoriElement {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
}

function elementOf(node: CssNode): SatoriElement {
  if (node.kind === 'text')
    return { type: 'div', props: { style: { ...node.css, display: 'flex' }, children: node.text } };
  if (node.kind === 'box') return { type: 'div', props: { style: node.css, children: node.children.map(elementOf) } };
  const { source, css: style, width, height } = node;
  return { type: 'img', props: { src: source, style, width, height } };
}

/** CPU time of a process, in ms, counted in ticks of 10 ms (proc(5), utime and stime). */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** @param look a folder for one picture of each, or null */
export async function measureEdge(
  rounds: number,
  look: string | null = process.env.LOOK ?? null,
): Promise<readonly EdgeRow[]> {
  await using folder = await temporaryFolder();
  await install(folder.path);
  writeFileSync(join(folder.path, 'satori-files.js'), SATORI_FILES);
  await using worker = await startWorker(folder.path, 'race', WORKER, [precompiled(new Map())]);
  const ask = async (body: unknown) => {
    const response = await fetch(worker.url, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${(body as { renderer?: string }).renderer}: ${await response.text()}`);
    return response;
  };
  const { images, fonts } = await loadAssets();
  const named = ['photo.jpg', 'logo.png', 'portrait.jpg'].map((name) => {
    const image = images.get(name);
    return [name, { data: image?.bytes.toString('base64'), uri: image?.dataUri }] as const;
  });
  await ask({
    templates: Object.fromEntries(WORKLOADS.map(({ name, template }) => [name, template])),
    fonts: fonts.map(({ weight, bytes }) => ({ weight, data: bytes.toString('base64') })),
    images: Object.fromEntries(named),
  });
  const random = randomFrom(1);
  const rows: EdgeRow[] = [];
  for (const { name: workload, template, strings } of WORKLOADS) {
    const times = new Map<EdgeRow['renderer'], { ms: number[]; cpu: number[]; bytes: number[] }>([
      ['platen/edge', { ms: [], cpu: [], bytes: [] }],
      ['satori+resvg-wasm', { ms: [], cpu: [], bytes: [] }],
    ]);
    for (let i = -WARM_UP; i < rounds; i++) {
      const modifications = strings(1000 + i);
      const { width, height } = template;
      const tree = elementOf(cssTree(applyModifications(template, modifications, RARER_LAYERS).template, {}));
      for (const [renderer, seen] of shuffled([...times], random)) {
        const body = renderer === 'platen/edge' ? { workload, modifications } : { tree, width, height };
        if (look !== null && i === -WARM_UP) {
          mkdirSync(look, { recursive: true });
          const picture = await (await ask({ ...body, renderer, look: true })).arrayBuffer();
          writeFileSync(join(look, `${workload}.${renderer.replace('/', '-')}.png`), new Uint8Array(picture));
        }
        const cpu = processorMs(worker.pid);
        const start = performance.now();
        const bytes = Number(await (await ask({ ...body, renderer })).text());
        if (i < 0) continue;
        seen.ms.push(performance.now() - start);
        seen.cpu.push(processorMs(worker.pid) - cpu);
        seen.bytes.push(bytes);
      }
    }
    for (const [renderer, { ms, cpu, bytes }] of times) {
      const mean = cpu.reduce((sum, each) => sum + each, 0) / cpu.length;
      rows.push({
        workload,
        renderer,
        ms: Math.round(10 * median(ms)) / 10,
        cpuMs: Math.round(10 * mean) / 10,
        bytes: median(bytes),
      });
    }
  }
  return rows;
}
