// Tests the short form of the JSON Schema of templates: small enough for a model, complete, and true.

import { expect, test } from 'vitest';
import { anyTemplateJsonSchema } from '#core/template/any-template.ts';
import { LAYER_SCHEMAS } from '#core/template/layer.ts';
import { partNames, templateGuide, templatePart } from '#server/mcp/tools.ts';

const document = anyTemplateJsonSchema();
const guide = templateGuide(document);
const lineOf = (name: string) => guide.split('\n').find((line) => line.startsWith(`${name} = `)) ?? '';

test('it has at most 30,000 characters, and no reference to what it leaves out', () => {
  expect(guide.length).toBeLessThan(30_000);
  expect(guide).not.toContain('__schema');
  for (const name of partNames(document)) expect(lineOf(name), name).not.toBe('');
});

test('every property of every layer is in it', () => {
  const shared = lineOf('AnyLayer');
  for (const schema of Object.values(LAYER_SCHEMAS)) {
    const own = lineOf(String(schema.meta()?.id));
    const missing = Object.keys(schema.shape).filter((name) => !new RegExp(`\\b${name}\\??: `).test(shared + own));
    expect(missing).toEqual([]);
  }
});

test('kinds are those of the schema', () => {
  expect(lineOf('Shadow')).toBe(
    'Shadow = {x?: Coordinate, y?: Coordinate, blur?: number|string, spread?: number|string, color?: string, inset?: boolean}',
  );
  expect(lineOf('TextLayer')).toMatch(/^TextLayer = AnyLayer & \{type: "text", /);
  expect(lineOf('Layer')).toContain('TextLayer|ImageLayer|ShapeLayer');
  expect(lineOf('LayersTemplate')).toContain('layers?: [Layer]');
});

test('a part is told whole', () => {
  expect(templatePart(document, 'QrLayer')).toMatchObject({ properties: { value: { type: 'string' } } });
  expect(templatePart(document, 'constructor')).toBeNull();
});
