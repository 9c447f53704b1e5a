import { describe, expect, test } from 'vitest';
import { applyModifications } from '../../../src/core/resolve/apply-modifications.ts';
import { checkParameters } from '../../../src/core/resolve/check-parameters.ts';
import { RARER_LAYERS, resolve } from '../../../src/core/resolve/resolve.ts';
import { check, checkAny } from '../../../src/core/resolve/resolve-any.ts';
import type { SceneNode } from '../../../src/core/resolve/scene.ts';
import type { LayerDocument } from '../../../src/core/template/layer.ts';
import { parseTemplate } from '../../../src/core/template/template.ts';

const text = (name: string, value = name): LayerDocument => ({ name, type: 'text', text: value });
const list = (name: string, repeat: unknown, children: readonly LayerDocument[]) =>
  ({ name, type: 'frame', layout: { direction: 'column' }, repeat, children }) as LayerDocument;
const parse = (...layers: readonly LayerDocument[]) => parseTemplate({ name: 'T', width: 100, height: 100, layers });

/** Nodes as text: `lines[0].item=Hinge`, with the content of frames in parentheses. */
function shown(nodes: readonly SceneNode[]): string {
  const one = (node: SceneNode): string => {
    if (node.type === 'frame') return `${node.name}(${shown(node.children)})`;
    return node.type === 'text' ? `${node.name}=${node.spans[0]?.text}` : node.name;
  };
  return nodes.map(one).join(' ');
}

const invoice = parse(
  list('lines', true, [
    { name: 'row', type: 'frame', layout: { direction: 'row' }, children: [text('item'), text('total', '0')] },
  ]),
);
const see = (template: ReturnType<typeof parse>, modifications: Record<string, unknown>) =>
  shown(resolve(template, modifications).nodes);
const warnings = (template: ReturnType<typeof parse>, modifications: Record<string, unknown>) =>
  applyModifications(template, modifications, RARER_LAYERS).diagnostics.map(({ message }) => message);
const refuse = (template: ReturnType<typeof parse>, modifications: Record<string, unknown>, message: string) => {
  expect(() => resolve(template, modifications)).toThrow(message);
  expect(() => check(template, modifications)).toThrow(message);
};

test('a list repeats the children for each entry', () => {
  expect(see(invoice, { lines: [{ item: 'Hinge', total: 12.5 }, { item: 'Door' }] })).toBe(
    'lines(lines[0].row(lines[0].item=Hinge lines[0].total=12.5) lines[1].row(lines[1].item=Door lines[1].total=0))',
  );
});
test('without a list the children are shown as designed', () =>
  expect(see(invoice, {})).toBe('lines(row(item=item total=0))'));
test('a modification of a child is one of each entry, over which the entry wins', () =>
  expect(see(invoice, { total: '9', lines: [{ item: 'A' }, { item: 'B', total: 1 }] })).toBe(
    'lines(lines[0].row(lines[0].item=A lines[0].total=9) lines[1].row(lines[1].item=B lines[1].total=1))',
  ));
test('an entry may hide and restyle layers', () => {
  const scene = resolve(invoice, { lines: [{ total: false }, { row: { background: '#f00' } }] });
  expect(shown(scene.nodes)).toBe(
    'lines(lines[0].row(lines[0].item=item) lines[1].row(lines[1].item=item lines[1].total=0))',
  );
  const [frame] = scene.nodes;
  expect(frame?.type === 'frame' && frame.children[1]).toMatchObject({ background: { color: { r: 255, g: 0 } } });
});
test('an entry that changes nothing gives the same nodes in each render', () => {
  const cards = parse(list('cards', true, [text('card')]));
  const nodes = () => {
    const [frame] = resolve(cards, { cards: [{}, { card: 'B' }] }).nodes;
    return frame?.type === 'frame' ? frame.children : [];
  };
  expect(nodes()[0]).toBe(nodes()[0]);
});

test('a frame is the same node again after a request with a list', () => {
  const cards = parse(list('cards', true, [text('card')]));
  resolve(cards, { cards: [{ card: 'B' }] });
  resolve(cards, {});
  expect(resolve(cards, {}).nodes[0]).toBe(resolve(cards, {}).nodes[0]);
});

describe('roles', () => {
  const cards = parse(
    list('cards', { max: 3, empty: 'none', separator: 'rule', alternate: { card: { color: '#00f' } } }, [
      text('none'),
      text('card'),
      text('rule'),
    ]),
  );
  test('the separator stands between entries', () =>
    expect(see(cards, { cards: [{ card: 'a' }, { card: 'b' }] })).toBe(
      'cards(cards[0].card=a cards[1].rule=rule cards[1].card=b)',
    ));
  test('an empty list shows what is for it', () => expect(see(cards, { cards: [] })).toBe('cards(none=none)'));
  test('both are left out of the design', () => expect(see(cards, {})).toBe('cards(card=card)'));
  test('in a frame without a box, too', () => {
    const rows = list('rows', { empty: 'none', separator: 'rule' }, [text('none'), text('cell'), text('rule')]);
    const table = parse(list('table', false, [{ ...rows, layout: { type: 'contents' } } as LayerDocument]));
    expect(see(table, {})).toBe('table(cell=cell)');
    expect(see(table, { rows: [] })).toBe('table(none=none)');
    expect(see(table, { rows: [{ cell: 'a' }, {}] })).toBe('table(rows[0].cell=a rows[1].rule=rule rows[1].cell=cell)');
  });
  test('more entries than max are left out, with a warning', () => {
    expect(see(cards, { cards: [{}, {}, {}, {}] })).not.toContain('cards[3]');
    expect(warnings(cards, { cards: [{}, {}, {}, {}] })).toEqual(['Layer "cards" shows 3 of 4 entries.']);
  });
  test('every second entry has the alternate look, over which the caller wins', () => {
    const colours = (modifications: Record<string, unknown>) => {
      const [frame] = resolve(cards, modifications).nodes;
      if (frame?.type !== 'frame') return [];
      return frame.children.flatMap((node) =>
        node.type === 'text' && node.name.endsWith('card') && node.strut.fill.kind === 'solid'
          ? [node.strut.fill.color.b]
          : [],
      );
    };
    expect(colours({ cards: [{}, {}, {}] })).toEqual([0, 255, 0]);
    expect(colours({ cards: [{}, { card: { color: '#000080' } }, {}] })).toEqual([0, 128, 0]);
  });
});

describe('a list in a list', () => {
  const orders = parse(list('orders', true, [text('who'), list('parts', true, [text('part')])]));
  test('each entry has its own', () =>
    expect(see(orders, { orders: [{ who: 'Ann', parts: [{ part: 'x' }, { part: 'y' }] }, { parts: [] }] })).toBe(
      'orders(orders[0].who=Ann orders[0].parts(orders[0].parts[0].part=x orders[0].parts[1].part=y) orders[1].who=who orders[1].parts())',
    ));
  test('without a list in its entry it is shown as designed, without what is set aside', () => {
    const roles = { empty: 'none', separator: 'rule', alternate: { part: { color: '#00f' } } };
    const parts = list('parts', roles, [text('part'), text('none'), text('rule')]);
    const template = parse(list('orders', true, [text('who'), parts]));
    expect(see(template, { orders: [{ who: 'Ann' }, { parts: [] }] })).toBe(
      'orders(orders[0].who=Ann orders[0].parts(orders[0].part=part) orders[1].who=who orders[1].parts(orders[1].none=none))',
    );
  });
  test('errors name the innermost entry', () =>
    refuse(
      orders,
      { orders: [{}, { parts: [{ part: { fontSize: 0 } }] }] },
      'modifications.orders[1].parts[0].part.fontSize: must be at least 1',
    ));
  test('a third one is refused', () =>
    expect(() => parse(list('a', true, [list('b', true, [list('c', true, [])])]))).toThrow(
      'layers[0].children[0].children[0].repeat: a list may hold lists',
    ));
});

describe('parameters', () => {
  const parameters = [
    { layer: 'lines', required: true },
    { layer: 'item', required: true, maxLength: 5 },
  ];
  const template = { ...invoice, parameters };
  const given = (modifications: Record<string, unknown>) => () => checkParameters(template, modifications, 'render');
  test('are checked in each entry', () => {
    expect(given({ lines: [{ item: 'Hinge' }, { item: 'Door' }] })).not.toThrow();
    expect(given({ lines: [{ item: 'Hinge' }, {}] })).toThrow('modifications.lines[1].item: is required');
    expect(given({ lines: [{ item: 'Hinges' }] })).toThrow('modifications.lines[0].item: must have at most 5');
  });
  test('a list that is required has entries', () => {
    expect(given({ lines: [] })).toThrow('modifications.lines: is required');
    expect(given({})).toThrow('modifications.lines: is required');
  });
});

describe('errors and warnings', () => {
  test('a name that the entries do not have is reported once, with the nearest', () =>
    expect(warnings(invoice, { lines: [{}, { totl: 1 }, { totl: 2 }] })).toEqual([
      'The entries of "lines" have no layer for lines[1].totl; did you mean "total"?',
    ]));
  test('the names of entries are known also while the list is empty', () =>
    expect(warnings(invoice, { total: '1', lines: [] })).toEqual([]));
  test('a value that no cell of a table shows is reported once, unless something else asks for it', () => {
    const table = parse({
      ...{ name: 'lines', type: 'table', columns: ['fill', 60], groupBy: 'region' },
      row: [{ name: 'item', when: { status: 'sold' } }, { name: 'total' }],
      footer: ['', { calculate: { sum: 'weight' } }],
    });
    const asked = { item: 'Hinge', region: 'north', status: 'sold', weight: 2 };
    expect(warnings(table, { lines: [asked, { ...asked, totl: 1 }, { totl: 2, sku: 'x' }] })).toEqual([
      'The entries of "lines" have no cell for lines[1].totl; did you mean "total"?',
      'The entries of "lines" have no cell for lines[2].sku.',
    ]);
    expect(warnings(table, { lines: { rows: [{ sku: 'x' }] } })).toHaveLength(1);
    expect(warnings(table, { lines: { zebra: '#eee' } })).toEqual([]);
  });
  test('a value of a table that its format cannot read is named by its row and cell', () => {
    const table = parse({ name: 'lines', type: 'table', columns: [60], row: [{ name: 'total', format: 'number' }] });
    const given = { lines: [{ total: 1 }, { total: 'twelve' }] };
    refuse(table, given, 'modifications.lines[1].total: must be a number such as 12.5');
  });
  test('an unknown property names the row', () =>
    expect(warnings(invoice, { lines: [{ total: { colr: 'red' } }] })).toEqual([
      'Layer "lines[0].total" (text) has no property "colr"; did you mean "color"?',
    ]));
  test('an entry is an object', () =>
    refuse(invoice, { lines: [{}, 'Hinge'] }, 'modifications.lines[1]: must be an object of values'));
  test('a list needs a frame that repeats', () => {
    refuse(
      parse({ name: 'box', type: 'frame' }),
      { box: [{}] },
      'modifications.box: is a list, but the frame does not',
    );
    refuse(parse(text('title')), { title: [{}] }, 'modifications.title: must be a string');
  });
  test('entries and their layers are bounded', () => {
    const entries = (count: number) => ({ lines: Array.from({ length: count }, () => ({})) });
    refuse(invoice, entries(2_001), 'modifications.lines: must have at most 2000 entries, this has 2001');
    refuse(invoice, entries(700), 'modifications.lines: with these entries the template has more than 2000 layers');
    expect(see(invoice, entries(600))).toContain('lines[599].total');
  });
  test('what entries repeat is bounded', () => {
    const shape = { name: 'a', type: 'shape', shape: 'path', d: `M0 0${'L1 1'.repeat(500)}` } as const;
    const template = parse(list('lines', true, [shape]));
    const lines = (count: number) => Array.from({ length: count }, () => ({}));
    refuse(template, { lines: lines(31) }, 'modifications: path data (d) may have at most 60000 characters');
    refuse(template, { lines: lines(2_000) }, 'modifications.lines: with these entries more than 2000000 characters');
    refuse(template, { a: { d: shape.d.repeat(4) }, lines: lines(300) }, 'more than 2000000 characters are repeated');
    expect(see(template, { lines: lines(20) })).toContain('lines[19].a');
  });
  test('a repeat needs a layout, and children by the names that it gives', () => {
    expect(() => parse({ name: 'a', type: 'frame', repeat: true })).toThrow('layers[0].repeat: needs a layout');
    expect(() => parse(list('a', { empty: 'non' }, [text('none')]))).toThrow(
      'layers[0].repeat.empty: the frame has no child "non"; did you mean "none"?',
    );
    expect(() => parse(list('a', { alternate: { bx: {} } }, [text('box')]))).toThrow(
      'layers[0].repeat.alternate: the frame has no layer "bx"; did you mean "box"?',
    );
    expect(() => parse(list('a', { alternate: { a: { children: [] } } }, []))).toThrow('may not change the children');
    expect(() => parse(list('a', 'yes', []))).toThrow('layers[0].repeat: must be true, false or an object');
  });
  test('the look of every second entry is checked before anybody sends two', () => {
    const template = parse(list('a', true, [list('b', { alternate: { box: { fontSize: 0 } } }, [text('box')])]));
    expect(() => check(template, {})).toThrow('layers.b.repeat.alternate.box.fontSize: must be at least 1');
  });
  test('long names of lists and layers do not make an entry invalid', () => {
    const long = 'n'.repeat(90);
    const template = parse(list(long, true, [text(`${long}2`)]));
    expect(warnings(template, { [long]: [{ [`${long}2`]: { autoFit: { mni: 3 } } }] })).toHaveLength(1);
  });
});

describe('a list as JSON text', () => {
  const table: LayerDocument = { name: 'prices', type: 'table', columns: [50], row: [{ name: 'item' }] };
  const chart: LayerDocument = { name: 'orders', type: 'chart' };
  const all = parse(list('cards', true, [text('card')]), text('plain'), table, chart);

  test('is the list, for what takes lists', () => {
    const values = {
      cards: [{ card: 'A' }, { card: '"B"' }],
      prices: [{ item: '1' }],
      orders: [{ label: 'May', value: 12 }],
    };
    const texts = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, ` ${JSON.stringify(value)}`]),
    );
    expect(resolve(all, texts).nodes).toEqual(resolve(all, values).nodes);
    expect(check(all, texts)).toEqual(check(all, values));
    expect(checkAny(all, { cards: '[{"cards":1}]' }, 'render')).toEqual(
      checkAny(all, { cards: [{ cards: 1 }] }, 'render'),
    );
  });
  test('is a text for a text, and the numbers of a chart stay numbers', () => {
    expect(see(all, { plain: '[1, 2]' })).toContain('plain=[1, 2]');
    expect(resolve(all, { orders: '1, 2' }).nodes).toEqual(resolve(all, { orders: [1, 2] }).nodes);
  });
  test('is refused when it is none, or too deep', () => {
    refuse(all, { prices: '[{"item": 1}' }, 'modifications.prices: begins like a list, but is no JSON: ');
    refuse(all, { prices: '['.repeat(100_000) + ']'.repeat(100_000) }, 'modifications.prices: nests deeper than 32');
    refuse(all, { prices: '[3]' }, 'modifications.prices[0]');
  });
});
