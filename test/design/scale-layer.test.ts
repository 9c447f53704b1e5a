// Tests that a layer is scaled whole: every number that a layer takes grows with it, or is named here with why not.

import { expect, test } from 'vitest';
import type { z } from 'zod';
import { LAYER_SCHEMAS, type Layer } from '#core/template/layer.ts';
import { LENGTHS } from '#core/template/style.ts';
import { scaleLayer } from '#design/scale-layer.ts';

/** Numbers that stay as they are in a layer that is twice as large, by why. Names that are lengths elsewhere say of what. */
const STAY: Readonly<Record<string, string>> = {
  'a share':
    'opacity innerRadius chart.gap offset hint center.x center.y focus.x focus.y flexGrow flexShrink zoom lineHeight',
  'a share of the box':
    'gradient.radius fill.radius stroke.radius color.radius background.radius zebra.radius textDecorationColor.radius',
  'a ratio': 'aspectRatio brightness contrast saturate grayscale sepia invert',
  degrees: 'rotation angle hueRotate',
  'how many':
    'maxLines repeat.max shape.points mask.points quietZone pdfPage keyColumns orphans widows columnSpan rowSpan minimumFractionDigits maximumFractionDigits',
  'a place in a grid': 'gridColumn gridRow',
  'of a font': 'fontWeight fontFeatures.* fontVariations.*',
  'a level': 'heading contents',
  'a value, which a caller sends': 'data value rows.* values.* keepWithNext.* when.* chart.min chart.max',
  'of a calculation': 'sum less times multiply running start round',
};

/** The paths of all numbers that are no lengths, by the names of properties. */
function plainNumbers(schema: z.core.$ZodType, path: string, seen: readonly z.core.$ZodType[]): string[] {
  if (seen.includes(schema) || LENGTHS.get(schema as z.ZodType)) return [];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const within = (one: z.core.$ZodType, name = path) => plainNumbers(one, name, [...seen, schema]);
  switch (def.type) {
    case 'number':
      return [path];
    case 'default':
    case 'optional':
    case 'nullable':
    case 'readonly':
      return within(def.innerType);
    case 'object':
      return Object.entries(def.shape).flatMap(([name, one]) =>
        // Layers in a layer are asked themselves.
        name === 'children' ? [] : within(one, `${path}.${name}`),
      );
    case 'array':
      return within(def.element);
    case 'tuple':
      return def.items.flatMap((one) => within(one));
    case 'record':
      return within(def.valueType, `${path}.*`);
    case 'union':
      return def.options.flatMap((one) => within(one));
    default:
      return [];
  }
}

test('every number of a layer is a length, or stays for a reason', () => {
  const found = Object.entries(LAYER_SCHEMAS).flatMap(([type, schema]) =>
    plainNumbers(schema, type, []).map((path) => {
      const [name = '', owner = ''] = path.split('.').reverse();
      return /^(x|y|radius|gap|points|min|max|\*)$/.test(name) ? `${owner}.${name}` : name;
    }),
  );
  const named = Object.values(STAY).flatMap((names) => names.split(' '));
  expect([...new Set(found)].sort()).toEqual(named.sort());
});

test('lengths grow in texts, in rows, and in modifications by name; shares, counts and words stay', () => {
  const layer = {
    type: 'frame',
    name: 'around',
    layout: { type: 'grid', columns: [40, '1fr minmax(120px, 20%)'], gap: ['5%', 8] },
    repeat: { alternate: { words: { fontSize: 20, opacity: 0.5 } } },
    children: [
      {
        type: 'table',
        name: 'lines',
        columns: [{ width: '10mm' }, '2fr', 30],
        header: [['A', { text: 'B', padding: 4 }]],
      },
      { type: 'text', name: 'words', fontSize: 1, textPath: { type: 'arc', radius: 50, angle: 30 } },
      {
        type: 'shape',
        name: 'path',
        d: 'M0 0L9 9',
        viewBox: null,
        width: 90,
        height: 60,
        mask: { d: 'M0 0', viewBox: null },
      },
    ],
  } as unknown as Layer;
  expect(scaleLayer(layer, 0.5)).toMatchObject({
    layout: { columns: [20, '1fr minmax(60px, 20%)'], gap: ['5%', 4] },
    repeat: { alternate: { words: { fontSize: 10, opacity: 0.5 } } },
    children: [
      { columns: [{ width: 18.9 }, '2fr', 15], header: [['A', { text: 'B', padding: 2 }]] },
      { fontSize: 1, textPath: { radius: 25, angle: 30 } },
      { viewBox: [0, 0, 90, 60], width: 45, mask: { viewBox: [0, 0, 90, 60] } },
    ],
  });
});
