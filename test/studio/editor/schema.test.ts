// Tests which controls the inspector has for the properties of layers, as their schemas say.

import { expect, test } from 'vitest';
import type { z } from 'zod';
import { LAYER_SCHEMAS } from '#core/template/layer.ts';
import type { RawLayer } from '#studio/editor/core/document/document.ts';
import {
  bare,
  formsOf,
  isIdle,
  layerProperties,
  misfit,
  propertyOf,
  severalOf,
  startOf,
} from '../../../src/studio/editor/inspector/schema.ts';

const PAGES = ['all', 'first', 'not-first', 'last', 'not-last', 'odd', 'even'];

test('a word or a list of such words has a choice of several, and no JSON', () => {
  const { pages } = layerProperties('text');
  expect(pages && propertyOf(pages).control).toEqual({ kind: 'choices', options: PAGES });
});

test('what is added to a list of a layer is valid, or is filled in before it is part of the document', () => {
  const unfilled = Object.keys(LAYER_SCHEMAS).flatMap((type) =>
    Object.entries(layerProperties(type as keyof typeof LAYER_SCHEMAS)).flatMap(([name, schema]) => {
      const { control } = propertyOf(schema);
      if (control.kind !== 'object') return [];
      return misfit(schema, startOf(bare(schema))) === null ? [] : [`${type}.${name}`];
    }),
  );
  expect(unfilled).toEqual(['table.totals', 'chart.from']);
});

/** Each property of each type of layer, with those of its parts, by path. */
function everyPart(): readonly (readonly [path: string, schema: z.ZodType])[] {
  const found = new Map<string, z.ZodType>();
  const visit = (path: string, schema: z.ZodType, depth: number): void => {
    found.set(path, schema);
    const { control } = propertyOf(schema);
    if (depth === 5) return;
    if (control.kind === 'object')
      for (const [name, part] of Object.entries(control.properties)) visit(`${path}.${name}`, part, depth + 1);
    if (control.kind === 'list') visit(`${path}[]`, control.item, depth + 1);
    if (control.kind === 'record') visit(`${path}{}`, control.value, depth + 1);
    if (control.kind === 'tuple') for (const item of control.items) visit(`${path}()`, item, depth + 1);
    if (control.kind === 'union')
      for (const [i, option] of control.options.entries()) visit(`${path}|${i}`, option, depth + 1);
  };
  for (const type of Object.keys(LAYER_SCHEMAS) as (keyof typeof LAYER_SCHEMAS)[])
    for (const [name, schema] of Object.entries(layerProperties(type))) visit(`${type}.${name}`, schema, 0);
  return [...found];
}

test('what does not fit is said in the words of the server', () => {
  const { fontSize, fontWeight } = layerProperties('text');
  expect(fontSize && misfit(fontSize, 0)).toBe('must be at least 1');
  expect(fontWeight && misfit(fontWeight, '700')).toBe('must be a number; write 700 without quotes');
});

test('a value of several forms has each of them as a choice with a name of its own, so that no field asks for JSON', () => {
  const problems = everyPart().flatMap(([path, schema]) => {
    const { control } = propertyOf(schema);
    if (control.kind !== 'union' || (severalOf(control.options) && control.options.length === 2)) return [];
    const labels = formsOf(control.options).map(({ label }) => label);
    return labels.length > 1 && new Set(labels).size === labels.length && labels.every(Boolean)
      ? []
      : [`${path}: ${labels}`];
  });
  expect(problems).toEqual([]);
});

const labelsOf = (type: keyof typeof LAYER_SCHEMAS, name: string) => {
  const { control } = propertyOf(layerProperties(type)[name] as z.ZodType);
  return control.kind === 'union' ? formsOf(control.options).map(({ label }) => label) : [];
};

test('conditions, calculations, repeats, wide tables and formats are chosen by name', () => {
  expect(labelsOf('text', 'when')).toEqual(['First', 'Last', 'Odd', 'Even', 'Set', 'Empty', 'By values']);
  expect(labelsOf('text', 'calculate')).toEqual(['Sum', 'Average', 'Multiply', 'Count']);
  expect(labelsOf('frame', 'repeat')).toEqual(['Yes', 'No', 'With options']);
  expect(labelsOf('table', 'wide')).toEqual(['Shrink to', 'Key columns']);
  expect(labelsOf('table', 'header')).toEqual(['One row', 'Several rows']);
  expect(labelsOf('text', 'format')).toContain('Plural');
});

test('a word among the forms has the value that the schema takes', () => {
  for (const [path, schema] of everyPart()) {
    const { control } = propertyOf(schema);
    if (control.kind !== 'union') continue;
    for (const { schema: form, label, value } of formsOf(control.options))
      if (form === null && !control.options.some((option) => misfit(option, value) === null))
        expect.fail(`${path}: ${label}`);
  }
});

test('a field that does nothing for the shape or chart at hand is shown only where it is set', () => {
  const star = { type: 'shape', name: 'a', shape: 'star' } as const;
  const idle = (layer: RawLayer, ...names: readonly string[]) => names.filter((name) => isIdle(name, layer));
  const ofShapes = ['borderRadius', 'points', 'innerRadius', 'd', 'viewBox', 'fill', 'strokeWidth'];
  expect(idle(star, ...ofShapes)).toEqual(['borderRadius', 'd', 'viewBox']);
  expect(idle({ ...star, borderRadius: 4 }, ...ofShapes)).toEqual(['d', 'viewBox']);
  expect(idle({ type: 'shape', name: 'a' }, ...ofShapes)).toEqual(['points', 'innerRadius', 'd', 'viewBox']);
  const ofCharts = ['smooth', 'dots', 'stacked', 'horizontal', 'innerRadius', 'legendValues', 'borderRadius'];
  expect(idle({ type: 'chart', name: 'a' }, ...ofCharts)).toEqual(['smooth', 'dots', 'innerRadius', 'legendValues']);
  expect(idle({ type: 'chart', name: 'a', chart: 'pie' }, ...ofCharts)).toEqual([
    'smooth',
    'dots',
    'stacked',
    'horizontal',
  ]);
  expect(idle({ type: 'image', name: 'a' }, 'borderRadius', 'points')).toEqual([]);
});
