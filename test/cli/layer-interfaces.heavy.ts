// Tests the output of `platen types`: it compiles, and allows exactly what the API accepts.

import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { layerInterfaces, type NamedTemplate } from '#cli/layer-interfaces.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { buildClient } from '../../scripts/build-client.ts';
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

test('a type a template, a property a layer', () => {
  expect(layerInterfaces(templates)).toMatchInlineSnapshot(`
    "// Written by \`platen types\`. Do not edit.

    import type { FrameLayer, ImageLayer, TextLayer } from '@platen/client';

    type Patch<L> = { readonly [K in Exclude<keyof L, 'name' | 'type'>]?: L[K] | null };

    /** Launch card */
    export type LaunchCard = {
      /** text */
      readonly title?: string | number | boolean | Patch<TextLayer>;
      /** frame */
      readonly "the frame"?: boolean | Patch<FrameLayer>;
      /** image */
      readonly photo?: string | number | boolean | Patch<ImageLayer>;
    };

    export const LaunchCardId = "tpl_1";

    /** Launch card */
    export type LaunchCard2 = {
      /** element */
      readonly lead?: string | number | boolean | { text?: string; src?: string; href?: string; style?: Record<string, string>; hidden?: boolean };
    };

    declare module '@platen/client' {
      interface TemplateModifications {
        "tpl_1": LaunchCard;
      }
    }
    "
  `);
});

test('parameters say which values a layer takes, and which must be given', () => {
  const parameters = [
    { layer: 'title', label: 'Headline', help: 'In capitals.', required: true, maxLength: 40 },
    { layer: 'photo', choices: ['img_1', 'img_2'] },
  ];
  const text = layerInterfaces([{ id: null, template: parseAnyTemplate({ ...CARD, parameters }) }]);
  expect(text).toContain(`  /** Headline (text). In capitals. At most 40 characters. */
  readonly title: string | number | boolean | Patch<TextLayer>;`);
  expect(text).toContain('  readonly photo?: "img_1" | "img_2" | boolean | Patch<ImageLayer>;');
});

test('a frame that repeats takes a list of values for what is in it', () => {
  const children = [{ name: 'item', type: 'text', when: { kind: 'sale' } }];
  const lines = { name: 'lines', type: 'frame', layout: { direction: 'column' }, repeat: true, children };
  const text = layerInterfaces([{ id: null, template: parseAnyTemplate({ ...CARD, layers: [lines] }) }]);
  expect(text).toContain(
    '  readonly lines?: boolean | readonly { readonly item?: string | number | boolean | Patch<TextLayer>; readonly kind?: string | number | boolean; }[] | Patch<FrameLayer>;',
  );
});

test('names that are no names of types still make one', () => {
  const named = (name: string) => ({ id: null, template: parseAnyTemplate({ ...CARD, name, layers: [] }) });
  const text = layerInterfaces(['名刺', '2026 */ card', 'Été'].map(named));
  expect([...text.matchAll(/export type (\w+)/g)].map(([, name]) => name)).toEqual([
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
  await copyFile('clients/js/package.json', join(client, 'package.json'));
  await buildClient(join(client, 'dist'));
  await writeFile(join(folder.path, 'package.json'), '{"type": "module"}');
  await writeFile(join(folder.path, 'templates.ts'), layerInterfaces(templates));
  await writeFile(
    join(folder.path, 'use.ts'),
    `import { Platen, type Template } from '@platen/client';
import { type LaunchCard, type LaunchCard2, LaunchCardId } from './templates.ts';
export const good: LaunchCard = { title: 'Hi', 'the frame': { opacity: 0.5 }, photo: { src: null } };
export const id: 'tpl_1' = LaunchCardId;
// @ts-expect-error: no such layer
export const layer: LaunchCard = { titel: 'Hi' };
// @ts-expect-error: no such property
export const patch: LaunchCard = { title: { sise: 3 } };
// @ts-expect-error: a frame has no text
export const frame: LaunchCard = { 'the frame': 'Hi' };

const platen = new Platen();
await platen.renders.create({ template: LaunchCardId, modifications: good, output: 'pdf' });
await platen.renders.enqueue({ template: 'tpl_1', modifications: { title: 'Hi' }, webhookUrl: 'https://a.example' });
await platen.templates.preview(LaunchCardId, { modifications: good, scale: 2 });
await platen.templates.layout(LaunchCardId, good);
// @ts-expect-error: no such layer
await platen.renders.create({ template: LaunchCardId, modifications: { titel: 'Hi' } });
// @ts-expect-error: no such layer
await platen.renders.download({ template: 'tpl_1', modifications: { titel: 'Hi' } });
// @ts-expect-error: a frame has no text
await platen.renders.enqueue({ template: LaunchCardId, modifications: { 'the frame': 'Hi' } });
// @ts-expect-error: no such layer
await platen.templates.preview(LaunchCardId, { modifications: { titel: 'Hi' } });
// @ts-expect-error: no such layer
await platen.templates.layout(LaunchCardId, { titel: 'Hi' });

// Of a file, of other templates, and of such as are not stored, modifications are what they were.
const page: LaunchCard2 = { lead: 'Hi' };
await platen.renders.create({ template: 'tpl_2', modifications: page });
await platen.renders.create({ template: String(process.env.TEMPLATE), modifications: { any: 1 } });
const document: Template = { name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'text' }] };
await platen.renders.create({ template: document, modifications: { a: 'Hi' } });
await platen.renders.create({ template: { name: 'T', width: 9, height: 9 }, modifications: { a: 'Hi' } });
await platen.renders.create({ templateId: 'tpl_2', modifications: { a: 'Hi' } });
`,
  );
  const types = join(process.cwd(), 'node_modules/@types');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions'];
  const flags = ['--noEmit', ...strict, '--module', 'nodenext', '--typeRoots', types, '--types', 'node'];
  const tsc = promisify(execFile)(join(process.cwd(), 'node_modules/.bin/tsc'), [...flags, 'use.ts'], {
    cwd: folder.path,
  });
  expect(await tsc.catch((error: { stdout: string }) => error.stdout)).toMatchObject({ stdout: '' });
});
