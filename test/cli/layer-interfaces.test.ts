// Tests the output of `platen types`: it compiles, and allows exactly what the API accepts.

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { layerInterfaces, type NamedTemplate } from '../../src/cli/layer-interfaces.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const CARD = {
  name: 'Launch card',
  width: 10,
  height: 10,
  layers: [
    { name: 'title', type: 'text' },
    { name: 'the frame', type: 'frame', children: [{ name: 'photo', type: 'image' }] },
  ],
};
const PAGE = { name: 'Launch card', width: 10, height: 10, engine: 'html', html: '<p data-layer="lead">x</p>' };
const templates: readonly NamedTemplate[] = [
  { id: 'tpl_1', template: parseAnyTemplate(CARD) },
  { id: null, template: parseAnyTemplate(PAGE) },
];

test('an interface a template, a property a layer', () => {
  expect(layerInterfaces(templates)).toMatchInlineSnapshot(`
    "// Written by \`platen types\`. Do not edit.

    import type { FrameLayer, ImageLayer, TextLayer } from '@platen/client';

    type Patch<L> = { readonly [K in Exclude<keyof L, 'name' | 'type'>]?: L[K] | null };

    /** Launch card */
    export interface LaunchCard {
      /** text */
      readonly title?: string | number | boolean | Patch<TextLayer>;
      /** frame */
      readonly "the frame"?: boolean | Patch<FrameLayer>;
      /** image */
      readonly photo?: string | number | boolean | Patch<ImageLayer>;
    }

    export const LaunchCardId = "tpl_1";

    /** Launch card */
    export interface LaunchCard2 {
      /** element */
      readonly lead?: string | number | boolean | { text?: string; src?: string; href?: string; style?: Record<string, string>; hidden?: boolean };
    }
    "
  `);
});

test('names that are no names of types still make one', () => {
  const named = (name: string) => ({ id: null, template: parseAnyTemplate({ ...CARD, name, layers: [] }) });
  const text = layerInterfaces(['名刺', '2026 */ card', 'Été'].map(named));
  expect([...text.matchAll(/interface (\w+)/g)].map(([, name]) => name)).toEqual([
    'Template',
    'Template2026Card',
    'Ete',
  ]);
  expect(text).not.toContain('2026 */');
});

test('it compiles, and refuses what the template does not have', async () => {
  await using folder = await temporaryFolder();
  const client = join(folder.path, 'node_modules/@platen/client');
  await mkdir(client, { recursive: true });
  await writeFile(join(client, 'package.json'), '{"name": "@platen/client", "type": "module", "types": "index.d.ts"}');
  await writeFile(join(client, 'index.d.ts'), `export * from '${process.cwd()}/clients/js/contract.generated.ts';\n`);
  await writeFile(join(folder.path, 'templates.ts'), layerInterfaces(templates));
  await writeFile(
    join(folder.path, 'use.ts'),
    `import { type LaunchCard, LaunchCardId } from './templates.ts';
export const good: LaunchCard = { title: 'Hi', 'the frame': { opacity: 0.5 }, photo: { src: null } };
export const id: 'tpl_1' = LaunchCardId;
// @ts-expect-error: no such layer
export const layer: LaunchCard = { titel: 'Hi' };
// @ts-expect-error: no such property
export const patch: LaunchCard = { title: { sise: 3 } };
// @ts-expect-error: a frame has no text
export const frame: LaunchCard = { 'the frame': 'Hi' };
`,
  );
  const flags = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--module', 'nodenext', '--types', ''];
  const tsc = promisify(execFile)(join(process.cwd(), 'node_modules/.bin/tsc'), [...flags, 'use.ts'], {
    cwd: folder.path,
  });
  expect(await tsc.catch((error: { stdout: string }) => error.stdout)).toMatchObject({ stdout: '' });
});
