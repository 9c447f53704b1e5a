import { expect, test } from 'vitest';
import { applyModifications } from '../../../src/core/resolve/apply-modifications.ts';
import { RARER_LAYERS } from '../../../src/core/resolve/resolve.ts';
import type { Layer } from '../../../src/core/template/layer.ts';
import { parseTemplate } from '../../../src/core/template/template.ts';
import type { TextLayer } from '../../../src/core/template/text-layer.ts';

const template = parseTemplate({
  name: 'Card',
  width: 100,
  height: 50,
  layers: [
    { name: 'photo', type: 'image', src: 'a.png', fit: 'contain' },
    {
      name: 'content',
      type: 'frame',
      children: [
        { name: 'title', type: 'text', text: 'Hello', fontSize: 40, color: '#fff', autoFit: { min: 20 } },
        { name: 'rich', type: 'text', spans: [{ text: 'a', fontWeight: 700 }] },
      ],
    },
    { name: 'badge', type: 'shape' },
    { name: 'code', type: 'qr' },
  ],
});

function layer(modifications: Record<string, unknown>, name: string): Layer {
  const { layers } = applyModifications(template, modifications, RARER_LAYERS).template;
  const all = layers.flatMap((each) => (each.type === 'frame' ? [each, ...each.children] : [each]));
  const found = all.find((each) => each.name === name);
  if (!found) throw new Error(`no layer ${name}`);
  return found;
}
const warnings = (modifications: Record<string, unknown>) =>
  applyModifications(template, modifications, RARER_LAYERS).diagnostics.map((each) => each.message);
const refuse = (modifications: Record<string, unknown>, message: string) =>
  expect(() => applyModifications(template, modifications, RARER_LAYERS)).toThrow(message);

test('without modifications the template itself comes back', () => {
  expect(applyModifications(template, {}, RARER_LAYERS).template).toBe(template);
});

test('a string sets the primary property', () => {
  expect(layer({ title: 'Hi' }, 'title')).toMatchObject({ text: 'Hi', fontSize: 40 });
  expect(layer({ photo: 'b.png' }, 'photo')).toMatchObject({ src: 'b.png', fit: 'contain' });
  expect(layer({ badge: 'red' }, 'badge')).toMatchObject({ fill: 'red' });
  expect(layer({ code: 'https://x.test' }, 'code')).toMatchObject({ value: 'https://x.test' });
});
test('a number is its decimal string, without an exponent', () => {
  expect(layer({ title: 12.5 }, 'title')).toMatchObject({ text: '12.5' });
  expect(layer({ title: 1e21 }, 'title')).toMatchObject({ text: '1000000000000000000000' });
});
test('a boolean sets visibility', () => expect(layer({ content: false }, 'content')).toMatchObject({ visible: false }));
test('an object is merged, deeply', () =>
  expect(layer({ title: { autoFit: { min: 10 }, color: 'teal' } }, 'title')).toMatchObject({
    text: 'Hello',
    color: 'teal',
    autoFit: { min: 10 },
  }));
test('null restores the default', () => {
  expect(layer({ title: { fontSize: null, autoFit: null } }, 'title')).toMatchObject({ fontSize: 16, autoFit: null });
});
test('text replaces spans', () => expect((layer({ rich: 'plain' }, 'rich') as TextLayer).spans).toBeNull());
test('the template itself is never changed', () => {
  const before = JSON.stringify(template);
  applyModifications(template, { title: { color: 'red' }, content: { padding: 4 } }, RARER_LAYERS);
  expect(JSON.stringify(template)).toBe(before);
});

test('a bad value names its path', () =>
  refuse({ title: { fontSize: -1 } }, 'modifications.title.fontSize: must be at least 1'));
test('a bad nested value names its path', () =>
  refuse({ badge: { shadow: { blur: 900 } } }, 'modifications.badge.shadow.blur: must be at most 200'));
test('a bad primary property names its path', () =>
  refuse({ badge: 'nope' }, 'modifications.badge.fill: must be a CSS colour'));
test('a list is no modification', () => refuse({ title: ['a'] }, 'modifications.title: must be a string, a number'));
test('null is no modification', () => refuse({ title: null }, 'modifications.title: must be a string, a number'));
test('the type stays', () => refuse({ title: { type: 'image' } }, 'modifications.title.type: cannot be changed'));
test('the name stays', () => refuse({ title: { name: 'x' } }, 'modifications.title.name: cannot be changed'));
test('more than 200 keys', () =>
  refuse(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, 'x'])), 'must name at most 200 layers'));
test('new children may not clash with names elsewhere', () =>
  refuse({ content: { children: [{ name: 'photo', type: 'text' }] } }, 'is already the name of'));

test('frames nest no deeper by new children', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { name: 'x', type: 'text' } : { name: `f${depth}`, type: 'frame', children: [nested(depth - 1)] };
  expect(layer({ content: { children: [nested(10)] } }, 'content')).toMatchObject({ children: [{ name: 'f10' }] });
  const problem = 'frames may nest at most 12 deep';
  refuse({ content: { children: [nested(11)] } }, `modifications: ${problem}`);
  // Deeper than the stack.
  refuse({ content: { children: [nested(5_000)] } }, `modifications: ${problem}`);
  const inner = parseTemplate({ ...template, layers: [{ name: 'outer', type: 'frame', children: template.layers }] });
  expect(() => applyModifications(inner, { content: { children: [nested(10)] } }, RARER_LAYERS)).toThrow(
    `layers: ${problem}`,
  );
});

test('an unknown layer is a warning with the nearest name', () =>
  expect(warnings({ titel: 'x' })).toEqual(['The template has no layer "titel"; did you mean "title"?']));
test('an unknown property is a warning with the nearest name, and the rest holds', () => {
  expect(warnings({ title: { fontsize: 9, text: 'x' } })).toEqual([
    'Layer "title" (text) has no property "fontsize"; did you mean "fontSize"?',
  ]);
  expect(layer({ title: { fontsize: 9, text: 'x' } }, 'title')).toMatchObject({ text: 'x', fontSize: 40 });
});
test('an unknown property deeper down is a warning too', () =>
  expect(warnings({ title: { autoFit: { least: 9 } } })).toEqual([
    'Layer "title" (text) has no property "autoFit.least".',
  ]));
test('what the caller sent is not changed, so the warnings are the same again', () => {
  const span = { text: 'x', fontsize: 9, image: { src: 'a.png', sorce: 1 } };
  const child = { name: 'c', type: 'text', fontsize: 9, spans: [span, span] };
  const modifications = { rich: { spans: [span] }, content: { children: [child] } };
  const before = JSON.stringify(modifications);
  const expected = warnings(modifications);
  expect(expected.length).toBeGreaterThan(3);
  expect(warnings(modifications)).toEqual(expected);
  expect(JSON.stringify(modifications)).toBe(before);
});
test('a string for a frame is a warning', () => expect(warnings({ content: 'x' })[0]).toContain('is a frame'));
test('__proto__ and its kin are ordinary unknown names', () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":true},"title":{"__proto__":{"isAdmin":true},"constructor":1}}');
  expect(warnings(hostile)).toHaveLength(3);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(layer(hostile, 'title'))).toBe(Object.prototype);
});
