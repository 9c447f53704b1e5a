// Reads and writes the recorded fixtures of taffy and yoga: as layers of templates, with the boxes of Chromium.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTemplate } from '#core/template/template.ts';
import type { Suite } from './checkout.ts';
import type { Layer } from './css-to-template.ts';
import type { RecordedSuite } from './layout-suite.ts';

interface RecordedFile extends RecordedSuite {
  readonly source: string;
  readonly licence: string;
}

const FOLDER = join(import.meta.dirname, 'recorded');
const LICENCES: Readonly<Record<string, string>> = {
  taffy: 'MIT, © 2018 Visly Inc., © 2026 Taffy Authors',
  yoga: 'MIT, © Facebook, Inc. and its affiliates',
};
/** The font of all texts, in the public domain: every letter is a square. */
const FONT = join(FOLDER, 'Ahem.ttf');

export const recordedFont = (): Uint8Array => readFileSync(FONT);

export const readRecorded = (name: string): RecordedSuite =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as RecordedFile;

/** One fixture a line. */
export function writeRecorded({ name, repository, commit }: Suite, { fixtures, notExpressible }: RecordedSuite): void {
  const lines = fixtures.map(({ layer, ...fixture }) =>
    JSON.stringify({ ...fixture, layer: withoutDefaults(layer) }, rounded),
  );
  writeFileSync(
    join(FOLDER, `${name}.json`),
    `{
"source": "https://github.com/${repository}/tree/${commit}",
"licence": ${JSON.stringify(LICENCES[name])},
"notExpressible": ${JSON.stringify(notExpressible, null, 1)},
"fixtures": [
${lines.join(',\n')}
]
}
`,
  );
}

const DEFAULTS = Object.fromEntries(
  [{ type: 'frame' }, { type: 'text', text: '' }].map((layer) => [layer.type, parsed(layer)]),
);
const LAYOUTS = ['flex', 'grid'].map((type) => parsed({ type: 'frame', layout: { type } }).layout as object);

function parsed(layer: object): Readonly<Record<string, unknown>> {
  const { layers } = parseTemplate({ name: 'one', width: 1, height: 1, layers: [{ name: 'one', ...layer }] });
  return layers[0] as unknown as Readonly<Record<string, unknown>>;
}

function withoutDefaults(layer: Layer): Layer {
  const { name, children, layout, ...others } = layer;
  const own = isPlain(layout) ? { layout: without(layout, LAYOUTS[layout.type === 'grid' ? 1 : 0] ?? {}) } : {};
  const inner = children ? { children: children.map(withoutDefaults) } : {};
  return { name, ...without(others, DEFAULTS[layer.type] ?? {}), type: layer.type, ...own, ...inner };
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function without(given: object, defaults: object): object {
  const known = new Map(Object.entries(defaults));
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => {
      if (/^border/.test(name)) return value.width !== 0;
      const isZero = Array.isArray(value) && value.every((each) => each === 0);
      return name === 'type' || !(isZero || JSON.stringify(value) === JSON.stringify(known.get(name)));
    }),
  );
}

/** Chromium's own are multiples of 1/64 px. */
const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value);
