import { describe, expect, test } from 'vitest';
import { applyModifications } from '../../../src/core/resolve/apply-modifications.ts';
import { RARER_LAYERS, resolve } from '../../../src/core/resolve/resolve.ts';
import type { SceneNode } from '../../../src/core/resolve/scene.ts';
import { parseTemplate } from '../../../src/core/template/template.ts';

type Properties = Readonly<Record<string, unknown>>;
const text = (name: string, when: unknown = null, value = name) => ({ name, type: 'text', text: value, when });
const list = (name: string, ...children: readonly Properties[]) => ({
  ...{ name, type: 'frame', layout: { direction: 'column' }, repeat: true, children },
});
const parse = (...layers: readonly Properties[]) => parseTemplate({ name: 'T', width: 9, height: 9, layers });

const names = (nodes: readonly SceneNode[]): string[] =>
  nodes.flatMap((node) => (node.type === 'frame' ? names(node.children) : [node.name]));
const shown = (template: ReturnType<typeof parse>, modifications: Properties = {}) =>
  names(resolve(template, modifications).nodes).join(' ');

describe('values', () => {
  const badge = parse(text('paid', { status: 'paid' }), text('late', { status: ['late', 'very late'], days: 30 }));
  test('are equal, as text', () => {
    expect(shown(badge, { status: 'paid' })).toBe('paid');
    expect(shown(badge, { status: 'very late', days: 30 })).toBe('late');
    expect(shown(badge, { status: 'late', days: '30' })).toBe('late');
    expect(shown(badge, { status: 'late' })).toBe('');
    expect(shown(badge)).toBe('');
    expect(shown(parse(text('a', { draft: true })), { draft: true })).toBe('a');
  });
  test('need no layer of their name, which then causes no warning', () => {
    const warnings = (modifications: Properties) =>
      applyModifications(badge, modifications, RARER_LAYERS).diagnostics.map(({ message }) => message);
    expect(warnings({ status: 'paid' })).toEqual([]);
    expect(warnings({ statsu: 'paid' })).toEqual(['The template has no layer "statsu"; did you mean "status"?']);
  });
  test('of a layer are those that it has in the template, unless the request gives others', () => {
    const template = parse(text('status', null, 'open'), text('a', { status: 'open' }));
    expect(shown(template)).toBe('status a');
    expect(shown(template, { status: { text: 'paid' } })).toBe('status');
    expect(shown(template, { status: { color: 'red' } })).toBe('status a');
    expect(shown(template, { status: false })).toBe('');
  });
});

test('set and empty ask whether there is a value', () => {
  const note = parse(text('note', null, ''), text('heading', { note: { is: 'set' } }), text('own', 'set', ''));
  expect(shown(note)).toBe('note');
  expect(shown(note, { note: ' ', own: 'x' })).toBe('note own');
  expect(shown(note, { note: 'Thanks' })).toBe('note heading');
  const lines = parse(list('lines', text('line')), text('none', { lines: { is: 'empty' } }));
  expect(shown(lines, { lines: [] })).toBe('none');
  expect(shown(lines, { lines: [{}] })).toBe('lines[0].line');
});

describe('in a list', () => {
  const entries = (count: number) => ({ lines: Array.from({ length: count }, () => ({})) });
  test('positions', () => {
    const template = parse(list('lines', text('f', 'first'), text('l', 'last'), text('o', 'odd'), text('e', 'even')));
    expect(shown(template, entries(3))).toBe('lines[0].f lines[0].o lines[1].e lines[2].l lines[2].o');
    expect(shown(template)).toBe('f l o');
    const two = parse({ ...list('lines', text('l', 'last')), repeat: { max: 2 } });
    expect(shown(two, entries(3))).toBe('lines[1].l');
  });
  test('the values of the entry win over those of the request', () => {
    const template = parse(list('lines', text('sale', { kind: 'sale' })));
    expect(shown(template, { kind: 'sale', lines: [{}, { kind: 'new' }] })).toBe('lines[0].sale');
    expect(applyModifications(template, { lines: [{ kind: 'x' }] }, RARER_LAYERS).diagnostics).toEqual([]);
  });
  test('a position outside lists is refused', () =>
    expect(() => parse(text('a', 'odd'))).toThrow('layers[0].when: "odd" is for layers in a frame with `repeat`'));
});

test('a caller may hide what a condition shows, not show what it hides', () => {
  const template = parse(text('a', { b: 1 }));
  expect(shown(template, { b: 1, a: false })).toBe('');
  expect(shown(template, { a: true })).toBe('');
});
test('values of hidden layers are checked all the same', () =>
  expect(() => resolve(parse(text('a', { b: 1 })), { a: { fontSize: 0 } })).toThrow('modifications.a.fontSize'));
test('a condition has one of the forms', () => {
  expect(() => parse(text('a', 'never'))).toThrow('layers[0].when: must be "first"');
  expect(() => parse(text('a', { b: { is: 'there' } }))).toThrow('layers[0].when');
});
