// Tests the editor in a browser: edits and undo, the inspector against the schema, and drafts in two tabs.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LAYER_SCHEMAS, type LayerType } from '#core/template/layer.ts';
import type { Edit } from '#studio/editor/core/document/document.ts';
import type { Patch } from '#studio/editor/core/document/edits.ts';
import type { Compositor, Picture } from '#studio/editor/core/scene/compositor.ts';
import { setLayer } from './editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

let editor: OpenEditor;
beforeAll(async () => {
  if (CHROMIUM) editor = await openEditor();
}, 240_000);
afterAll(async () => {
  await editor?.[Symbol.asyncDispose]();
});

/**
 * One edit as plain data: the operation `what`, the index of its layer among all layers, and numbers as its arguments.
 */
interface RandomEdit {
  readonly what: number;
  readonly which: number;
  readonly other: number;
  readonly by: number;
}
const SEED = 21;
const EDITS: readonly RandomEdit[] =
  fc.sample(
    fc.array(
      fc.record({ what: fc.nat(9), which: fc.nat(1000), other: fc.nat(1000), by: fc.integer({ min: -60, max: 60 }) }),
      { minLength: 200, maxLength: 200 },
    ),
    { numRuns: 1, seed: SEED },
  )[0] ?? [];

describe.skipIf(!CHROMIUM)('the editor in a browser', () => {
  test('200 random edits: the patched canvas is the one written at once; undone and redone to the ends', async () => {
    const found = await editor.page.evaluate(async (list) => {
      const { editor: state, edits } = platenEditor;
      const wrong: string[] = [];
      const namesOf = (layers: readonly { readonly name: string; readonly children?: never }[]): string[] =>
        layers.flatMap((layer) => [layer.name, ...namesOf(layer.children ?? [])]);
      const canvas = document.querySelector('.canvas') as never as {
        patcher: {
          readonly markup: string;
          constructor: new (root: unknown) => { patch(texts: readonly string[]): void; readonly markup: string };
        };
      };
      const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
      const settled = async () => {
        // An edit may need a resource that is loaded first, such as a face of another weight.
        for (
          let i = 0;
          i < 200 && state.picture.value?.document !== state.document.value && state.problem.value === null;
          i++
        ) {
          state.composeNow();
          await frame();
        }
      };
      const first = JSON.stringify(state.document.value);
      let steps = 0;
      for (const { what, which, other, by } of list) {
        const names = namesOf(state.document.value.layers as never);
        const name = names[which % names.length] ?? '';
        const target = names[other % names.length] ?? '';
        const layer: Patch = state.layer(name) ?? {};
        const set = (patch: Patch) => edits.setLayer(name, patch);
        const isFrame = state.layer(target)?.type === 'frame';
        const made = [
          () => set({ x: Number(layer.x ?? 0) + by, y: Number(layer.y ?? 0) - by }),
          () => set({ rotation: by }),
          () => set({ opacity: Math.abs(by) / 60 }),
          () => set({ visible: by > 0 ? undefined : false }),
          () => set(layer.type === 'text' ? { text: `Words ${by}` } : { width: 40 + Math.abs(by), height: 60 }),
          () => set({ blendMode: by > 0 ? 'multiply' : undefined, shadow: by > 20 ? { y: 4, blur: 12 } : null }),
          () => edits.orderLayers([name], by > 0 ? 'forward' : 'back'),
          () => (isFrame ? edits.moveLayers([name], target, 0) : edits.moveLayers([name], null, Math.abs(by))),
          () => (names.length > 4 && by > 30 ? edits.removeLayers([name]) : set({ x: by })),
          (): Edit => (document) =>
            names.length < 40 ? edits.duplicateLayers(document, [name], { x: by, y: by }).document : document,
        ][what]?.();
        const before = state.document.value;
        if (made) state.edit(made);
        if (state.document.value !== before) steps++;
        await settled();
        if (state.problem.value) {
          wrong.push(`${steps}: ${state.problem.value.message}`);
          break;
        }
        const { fonts, images, designs, constructor: Fresh } = state.compositor;
        const fresh = new (Fresh as typeof Compositor)(fonts, images, designs).compose(
          structuredClone(state.document.value),
          state.values.value,
        ) as Picture;
        if (fresh.svg.join('\n') !== state.picture.value?.svg.join('\n'))
          wrong.push(`${steps}: what is kept differs from what is written anew`);
        const root = document.createElementNS('http://www.w3.org/2000/svg', 'g');
        const whole = new canvas.patcher.constructor(root);
        whole.patch(fresh.svg);
        if (whole.markup !== canvas.patcher.markup)
          wrong.push(`${steps}: the patched canvas differs from one written at once`);
        if (wrong.length > 5) break;
      }
      const last = JSON.stringify(state.document.value);
      for (let i = 0; i < list.length + 1; i++) state.undo();
      if (JSON.stringify(state.document.value) !== first) wrong.push('all undone is not the first document');
      for (let i = 0; i < list.length + 1; i++) state.redo();
      if (JSON.stringify(state.document.value) !== last) wrong.push('all redone is not the last document');
      for (let i = 0; i < list.length + 1; i++) state.undo();
      return { wrong, steps };
    }, EDITS as RandomEdit[]);
    expect(found.wrong).toEqual([]);
    expect(found.steps).toBeGreaterThan(120);
  }, 240_000);

  test('asks for East Asian faces and emoji when a text needs them', async () => {
    const asked: string[] = [];
    const note = (request: { url(): string }) => {
      const face = /\/fonts\/faces\/(.+)$/.exec(request.url())?.[1];
      if (face) asked.push(decodeURIComponent(face));
    };
    const page = await editor.open('sample-social-card');
    page.on('request', note);
    await page.reload();
    await page.waitForFunction(() => document.querySelector('.artboard g g') !== null);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((face) => /noto|jp|kr|sc|emoji/i.test(face))).toEqual([]);
    const say = async (text: string) => {
      asked.length = 0;
      const answered = page.waitForResponse((response) => response.url().includes('/fonts/faces/'));
      await setLayer(page, 'title', { text });
      await answered;
      return asked;
    };
    expect(await say('Hello 日本')).toEqual([expect.stringMatching(/noto.*(jp|sc|kr)/i)]);
    expect(await say('Hello 🙂')).toEqual([expect.stringMatching(/emoji/i)]);
    await page.close();
  }, 120_000);

  test('a new shadow shows', async () => {
    const shadow = await editor.page.evaluate(async () => {
      const { editor: state } = platenEditor;
      state.replace({
        name: 'probe',
        width: 400,
        height: 300,
        layers: [{ type: 'text', name: 'probe', text: 'Words' }],
      });
      state.select(['probe']);
      const selector = '[data-property="shadow"] button[aria-label="Add: Shadow"]';
      while (!document.querySelector(selector)) await new Promise((resolve) => requestAnimationFrame(resolve));
      document.querySelector<HTMLButtonElement>(selector)?.click();
      return state.layer('probe')?.shadow;
    });
    expect(shadow).toEqual({ y: 4, blur: 12, color: '#00000040' });
  }, 30_000);

  for (const type of Object.keys(LAYER_SCHEMAS) as LayerType[]) {
    const { type: _type, children: _children, ...properties } = LAYER_SCHEMAS[type].shape as Record<string, unknown>;
    test(`the inspector sets each property of a ${type} layer`, async () => {
      // A table's columns and rows have a panel and a sheet of their own.
      const names = Object.keys(properties).filter((name) => type !== 'table' || !/^(columns|rows)$/.test(name));
      const unset = await editor.page.evaluate(setEach, type, names);
      expect(unset).toEqual([]);
    });
  }
});

/**
 * Runs in the page: operates the control of each property, and returns the properties that did not change the layer.
 */
async function setEach(kind: string, names: readonly string[]): Promise<readonly string[]> {
  const { editor: state } = platenEditor;
  const frames = async (count: number) => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
  };
  const write = async (field: HTMLInputElement | HTMLTextAreaElement, text: string) => {
    field.focus();
    const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    // As between two keystrokes of a person, the page has time to process the input.
    await frames(2);
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    field.blur();
  };
  /** Input for the fields of JSON and text, by property; every other field gets a plain word. */
  const WORDS: Readonly<Record<string, string>> = {
    viewBox: '0 0 24 24',
    strokeDash: '4 2',
    d: 'M0 0L10 10',
    link: 'https://example.com/',
    lang: 'de',
    fontFeatures: 'cv11',
    fontVariations: 'wdth',
    value: '4006381333931',
    when: '{"probe":"Probe"}',
    format: '{"type":"number"}',
    calculate: '{"count":"list"}',
    fontVariantNumeric: '["tabular-nums"]',
    fontVariantLigatures: '["no-contextual"]',
    repeat: 'true',
    columns: '[80, "fill"]',
    data: 'May, 12',
    groupHeader: '["x"]',
    groupFooter: '["x"]',
    carryFooter: '["x"]',
    carryHeader: '["x"]',
    keepWithNext: '{"kind":"title"}',
    header: '["Head"]',
    row: '["Cell"]',
    footer: '["Foot"]',
    rows: '[{"cell":"Probe"}]',
    values: '{"total":"12"}',
    cell: '{"fontSize":9}',
    wide: '{"shrinkTo":8}',
    headerCell: '{"fontSize":9}',
    footerCell: '{"fontSize":9}',
  };
  const work = async (element: Element, name: string) => {
    const find = <T extends Element>(selector: string) =>
      element.matches(selector) ? (element as T) : element.querySelector<T>(selector);
    const toggle = find<HTMLInputElement>('input[type="checkbox"]');
    if (toggle) return toggle.click();
    const add = find<HTMLButtonElement>('.add-button, button[aria-label^="Add:"]');
    if (add) return add.click();
    const segment = find<HTMLElement>('.segments :not(:checked)[type="radio"], .segments [aria-pressed="false"]');
    if (segment) return segment.click();
    const number = find<HTMLInputElement>('.number-input');
    if (number) return write(number, name === 'fontWeight' ? '700' : '3');
    const choice = find<HTMLSelectElement>('select');
    if (choice) {
      const other = [...choice.options].find((option) => option.value !== choice.value && option.value !== '');
      choice.value = other?.value ?? '';
      choice.dispatchEvent(new Event('change', { bubbles: true }));
      return;
    }
    const field = find<HTMLInputElement | HTMLTextAreaElement>('.fill-field input, textarea, input');
    if (field) return write(field, field.closest('.fill-field') ? '#123456' : (WORDS[name] ?? 'other'));
    find<HTMLButtonElement>('button')?.click();
  };
  const ON_PAGES =
    /^(heading|pages|page|break(Before|After|Inside)|repeatOnPages|orphans|widows|repeat(Header|Footer)|splitRows|boxDecorationBreak|wide|keepWithNext|contents)$/;
  const unset: string[] = [];
  for (const name of names) {
    const probe = {
      ...{ type: kind, name: 'probe' },
      ...(kind === 'text' ? { text: name === 'format' ? '12' : 'Probe' } : {}),
      ...(kind === 'table' ? { columns: ['fill'] } : {}),
      ...(name === 'repeat' ? { layout: { type: 'flex' } } : {}),
      // Some properties are of a few shapes or charts.
      ...(kind === 'shape' && /^(points|innerRadius)$/.test(name) ? { shape: 'star' } : {}),
      ...(kind === 'shape' && /^(d|viewBox)$/.test(name) ? { shape: 'path', d: 'M0 0L9 9' } : {}),
      ...(/^(smooth|dots)$/.test(name) ? { chart: 'line' } : {}),
      ...(kind === 'chart' && /^(innerRadius|legendValues)$/.test(name) ? { chart: 'pie' } : {}),
    };
    // In a frame with a layout, that places the layer rather than x, y and its constraints; in none, if it is to be on
    // some pages.
    const layout = /^(x|y|constraints)$/.test(name) ? null : { type: 'flex' };
    const list = { type: 'frame', name: 'list', repeat: true, layout: { type: 'flex' }, children: [] };
    const around = { type: 'frame', name: 'around', layout, children: [probe] };
    const values = name === 'from' ? { row: [{ name: 'price' }], rows: [{ price: '2' }] } : {};
    const lines = { type: 'table', name: 'lines', columns: ['fill'], ...values };
    const layers = [name === 'pages' ? probe : around, list, ...(/^(totals|from)$/.test(name) ? [lines] : [])];
    // What is on which pages is asked where there are pages.
    const page = ON_PAGES.test(name) ? { page: { size: 'A4' } } : { width: 400, height: 300 };
    state.replace({ name: 'probe', ...page, layers } as never);
    state.select(['probe']);
    await frames(3);
    // What is behind "More" is made when it is opened.
    for (const more of document.querySelectorAll<HTMLDetailsElement>('.inspector details:not([open])'))
      more.open = true;
    await frames(3);
    // The first barcode is drawn once its encoder has been loaded.
    while (state.picture.value?.document !== state.document.value && !state.problem.value) await frames(1);
    const find = () => document.querySelector(`.inspector [data-property="${name}"]`);
    const controls = 'input, select, textarea, button, [contenteditable]';
    // Some controls are loaded when they are first shown.
    for (let i = 0; i < 60 && !find()?.matches(`:is(${controls}), :has(${controls})`); i++) await frames(1);
    const element = find();
    if (!element) {
      unset.push(`${name}: no control`);
      continue;
    }
    // A field under "More" takes the focus only once that is open.
    for (let at = element.closest('details'); at; at = at.parentElement?.closest('details') ?? null) at.open = true;
    await work(element, name);
    await frames(2);
    // What is added and needs words is written once it has them.
    for (const field of document.querySelectorAll<HTMLInputElement>('[data-property="totals"] input'))
      await write(field, field.matches('[data-property="of"] *') ? 'lines' : 'rate');
    // A family is chosen from a popup list, which is loaded when it opens.
    if (name === 'fontFamily') {
      while (!document.querySelector('.font-option')) await frames(1);
      document.querySelectorAll<HTMLButtonElement>('.font-option')[1]?.click();
      await frames(2);
    }
    const renamed = state.layer(name === 'name' ? 'other' : 'probe');
    if (
      renamed === null ||
      (name !== 'name' && JSON.stringify(renamed[name]) === JSON.stringify((probe as Record<string, unknown>)[name]))
    )
      unset.push(name);
    await frames(1);
    if (state.problem.value) unset.push(`${name}: ${state.problem.value.message}`);
  }
  return unset;
}
