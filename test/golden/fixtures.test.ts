// Tests the fixtures as a set: each is valid, small and about one thing, and together they use the whole template
// schema.

import { expect, test } from 'vitest';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { SHEETS } from '#core/template/page.ts';
import { templateJsonSchema } from '#core/template/template.ts';
import { CASES } from './cases.ts';
import { type JsonSchema, uncoveredParts } from './schema-coverage.ts';

/** Longest side of a canvas, px: a case that needs more tests more than one thing. */
const MAX_SIDE = 240;
/** A chart is judged as a whole, at the size that it has on a page. */
const MAX_CHART = 720;

test('every fixture is a valid template', () => {
  const wrong = CASES.flatMap(({ name, template }) => {
    try {
      parseAnyTemplate(template);
      return [];
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : error}`];
    }
  });
  expect(wrong).toEqual([]);
});

test('there are enough of them, in every area', () => {
  const areas = new Set(CASES.map(({ name }) => name.split('/')[0]));
  expect([...areas].sort()).toEqual(
    [
      'barcode',
      'chart',
      'design',
      'effects',
      'fonts',
      'frame',
      'gradient',
      'html',
      'image',
      'mask',
      'pages',
      'modifications',
      'pdf',
      'qr',
      'shape',
      'table',
      'text',
    ].sort(),
  );
  expect(CASES.length).toBeGreaterThanOrEqual(120);
});

test('every canvas is small', () => {
  const large = CASES.filter(({ name, template }) => {
    const most = name.startsWith('chart/') ? MAX_CHART : MAX_SIDE;
    return Math.max(Number(template.width), Number(template.height)) > most;
  });
  expect(large.map(({ name }) => name)).toEqual([]);
});

test('a fixture is named as its template is, and no two have one title', () => {
  expect(CASES.filter(({ name, template }) => !name.endsWith(`/${template.name}`)).map(({ name }) => name)).toEqual([]);
  const titles = CASES.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test('every property and every choice of the schema stands in some fixture', () => {
  // Pictures of sheets would be large: test/core/pages has their sizes.
  const sheets = Object.keys(SHEETS).map((size) => ({ page: { size } }));
  const templates = [...CASES.map(({ written }) => written), ...sheets];
  expect(uncoveredParts(templateJsonSchema() as JsonSchema, templates)).toEqual([]);
});

test('the walk over the schema finds what is missing', () => {
  const bare = [{ name: 'bare', width: 1, height: 1, layers: [{ name: 'a', type: 'text', text: 'a' }] }];
  const missing = uncoveredParts(templateJsonSchema() as JsonSchema, bare);
  expect(missing).toContain('TextLayer.align = "justify"');
  expect(missing).toContain('TextLayer.fontSize');
  expect(missing).not.toContain('TextLayer.text');
  expect(missing.length).toBeGreaterThan(200);
});
