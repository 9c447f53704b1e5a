import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rect } from '#core/geometry.ts';
import type { LayoutBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import type { SceneNode } from '#core/resolve/scene.ts';
import { code, corners, edges, frame, image, RED, resources, scene, shape } from '../scene-nodes.ts';

const IMAGES = resources({ photo: { width: 100, height: 50 } });

const show = ({ x, y, width, height }: Rect) =>
  [x, y, width, height]
    .map((n) => Math.round(n * 100) / 100)
    .join(' ')
    .replace(/^(\S+) (\S+) (\S+) /, '$1,$2 $3×');

function boxes(nodes: readonly SceneNode[]): LayoutBox[] {
  const flat = (box: LayoutBox): LayoutBox[] => [box, ...(box.kind === 'frame' ? box.children.flatMap(flat) : [])];
  return layOut(scene(nodes), IMAGES).boxes.flatMap(flat);
}

/** Boxes in painting order, parents first, on a canvas of 400 × 300. */
function check(nodes: readonly SceneNode[], ...expected: string[]): void {
  expect(boxes(nodes).map(({ rect }) => show(rect))).toEqual(expected);
}

const item = (options: Parameters<typeof shape>[0] = {}) => shape({ width: 20, height: 10, ...options });

test('a top-level layer lies at its x and y', () => check([item({ x: 7, y: 9 })], '7,9 20×10'));
test('a percentage is of the canvas', () => check([item({ width: '50%', height: '10%' })], '0,0 200×30'));
test('fill takes what is left', () =>
  check([item({ x: 100, y: 50, width: 'fill', height: 'fill' })], '100,50 300×250'));
test('fill outside is empty', () => check([item({ x: 500, width: 'fill' })], '500,0 0×10'));
test('margins move and shrink', () => check([item({ width: 'fill', margin: edges(5) })], '5,5 390×10'));
test('minimum wins over maximum', () => check([item({ maxWidth: 10, minWidth: 15 })], '0,0 15×10'));
test('a minimum above its maximum is said, by side and layer, in a flow and outside', () => {
  const said = (...nodes: readonly SceneNode[]) =>
    layOut(scene(nodes), IMAGES).diagnostics.map(({ message }) => message);
  const [wide, high] = [
    item({ name: 'wide', maxWidth: 10, minWidth: 15 }),
    item({ name: 'high', maxHeight: 9, minHeight: 9.5 }),
  ];
  const words = (layer: string, side: string) =>
    `Layer "${layer}": min${side} is more than max${side}; as in CSS, the minimum holds.`;
  expect(said(wide, high)).toEqual([words('wide', 'Width'), words('high', 'Height')]);
  expect(said(frame({ children: [wide, high], layout: {} }))).toEqual([
    words('wide', 'Width'),
    words('high', 'Height'),
  ]);
  expect(said(item({ maxWidth: 10, minWidth: 10 }), item({ minWidth: 10 }))).toEqual([]);
});
test('a ratio gives the other side', () => check([item({ width: 100, height: 'hug', aspectRatio: 4 })], '0,0 100×25'));
test('a ratio gives the width', () => check([item({ width: 'hug', height: 100, aspectRatio: 4 })], '0,0 400×100'));

test('an image hugs its own size', () => check([image()], '0,0 100×50'));
test('an image keeps its ratio from one side', () => check([image({ width: 300 })], '0,0 300×150'));
test('a maximum keeps the ratio', () => check([image({ maxWidth: 60 })], '0,0 60×30'));
test('a border lies around the picture', () =>
  check([image({ width: 120, border: { width: 10, color: RED, style: 'solid' } })], '0,0 120×70'));
test('an image that was left out takes no room', () =>
  check([frame({ layout: {}, gap: 5, children: [image({ image: 'lost' }), item()] })], '0,0 20×10', '0,0 20×10'));
test('a frame hides with everything in it', () => {
  const empty = frame({ hideWhenEmpty: true, padding: 9, layout: {}, children: [image({ image: 'lost' })] });
  const around = frame({ hideWhenEmpty: true, children: [empty] });
  check(
    [frame({ layout: {}, gap: 5, children: [item(), around, item()] }), around],
    '0,0 20×25',
    '0,0 20×10',
    '0,15 20×10',
  );
});
test('a code stays square', () => check([code({ height: 30 })], '0,0 30×30'));
test('a polygon hugs its points', () =>
  check(
    [
      item({
        width: 'hug',
        height: 'hug',
        outline: {
          kind: 'polygon',
          points: [
            { x: 5, y: 5 },
            { x: 30, y: 8 },
            { x: 9, y: 12 },
          ],
        },
      }),
    ],
    '0,0 30×12',
  ));

test('a frame without layout fills its parent', () =>
  check([frame({ x: 20, y: 10, children: [item({ x: 5, y: 6 })] })], '20,10 380×290', '25,16 20×10'));
test('x and y count from inside the border', () =>
  check(
    [
      frame({
        x: 20,
        width: 100,
        height: 50,
        border: { width: 4, color: RED, style: 'solid' },
        children: [item({ width: 'fill' })],
      }),
    ],
    '20,0 100×50',
    '24,4 92×10',
  ));
test('an absolute child of a flex frame leaves the flow', () =>
  check(
    [frame({ layout: {}, padding: 10, children: [item({ absolute: true, x: 3, y: 4 }), item()] })],
    '0,0 40×30',
    '3,4 20×10',
    '10,10 20×10',
  ));

test('a column hugs with padding and gap', () =>
  check(
    [frame({ layout: {}, padding: 10, gap: 5, children: [item(), item()] })],
    '0,0 40×45',
    '10,10 20×10',
    '10,25 20×10',
  ));
test('border takes room like padding', () =>
  check(
    [frame({ layout: {}, border: { width: 3, color: RED, style: 'solid' }, children: [item()] })],
    '0,0 26×16',
    '3,3 20×10',
  ));
test('stretch widens what hugs', () =>
  check([frame({ width: 100, layout: {}, children: [item({ width: 'hug' })] })], '0,0 100×10', '0,0 100×10'));
test('an image is not stretched out of its own size', () =>
  check([frame({ width: 300, layout: {}, children: [image()] })], '0,0 300×50', '0,0 100×50'));
test('an image stretches when it says so', () =>
  check(
    [frame({ width: 300, layout: {}, children: [image({ alignSelf: 'stretch' })] })],
    '0,0 300×150',
    '0,0 300×150',
  ));
test('fill shares the main axis equally', () =>
  check(
    [
      frame({
        width: 100,
        height: 20,
        layout: { direction: 'row' },
        children: [item(), item({ width: 'fill' }), image({ width: 'fill', height: 5 })],
      }),
    ],
    '0,0 100×20',
    '0,0 20×10',
    '20,0 40×10',
    '60,0 40×5',
  ));
test('fill shares by flexGrow', () =>
  check(
    [
      frame({
        width: 90,
        layout: { direction: 'row' },
        children: [item({ width: 'fill' }), item({ width: 'fill', flexGrow: 2 })],
      }),
    ],
    '0,0 90×10',
    '0,0 30×10',
    '30,0 60×10',
  ));
test('fill stretches across', () =>
  check(
    [frame({ width: 100, layout: { align: 'center' }, children: [item({ width: 'fill' })] })],
    '0,0 100×10',
    '0,0 100×10',
  ));
test('fill in a stretched row is shared equally', () =>
  check(
    [
      frame({
        width: 100,
        layout: {},
        children: [
          frame({ layout: { direction: 'row' }, children: [item({ width: 'fill' }), image({ width: 'fill' })] }),
        ],
      }),
    ],
    '0,0 100×25',
    '0,0 100×25',
    '0,0 50×10',
    '50,0 50×25',
  ));
test('fill keeps its ratio', () =>
  check(
    [frame({ width: 160, layout: {}, children: [item({ width: 'fill', height: 'hug', aspectRatio: 16 / 9 })] })],
    '0,0 160×90',
    '0,0 160×90',
  ));
test('percentages are of the content box', () =>
  check(
    [frame({ width: 120, layout: {}, padding: 10, children: [item({ width: '50%' })] })],
    '0,0 120×30',
    '10,10 50×10',
  ));
test('a percentage is of the width that the content gave its frame', () =>
  check([frame({ layout: {}, children: [image({ width: '50%' })] })], '0,0 100×25', '0,0 50×25'));
test('a percentage of a height that is not known hugs', () =>
  check([frame({ layout: {}, children: [image({ height: '50%' })] })], '0,0 100×50', '0,0 100×50'));
test('justify and align', () =>
  check(
    [
      frame({
        width: 100,
        height: 60,
        layout: { direction: 'row', justify: 'space-between', align: 'end' },
        children: [item(), item()],
      }),
    ],
    '0,0 100×60',
    '0,50 20×10',
    '80,50 20×10',
  ));
test('rows wrap', () =>
  check(
    [frame({ width: 50, layout: { direction: 'row', wrap: 'wrap' }, gap: 4, children: [item(), item(), item()] })],
    '0,0 50×24',
    '0,0 20×10',
    '24,0 20×10',
    '0,14 20×10',
  ));
test('a frame keeps its ratio in a wrapping, stretching frame', () =>
  check(
    [
      frame({
        width: 100,
        layout: { direction: 'row', wrap: 'wrap' },
        children: [frame({ layout: {}, width: 40, aspectRatio: 2 })],
      }),
    ],
    '0,0 100×20',
    '0,0 40×20',
  ));
test('a reversed row starts at the right', () =>
  check([frame({ width: 100, layout: { direction: 'row-reverse' }, children: [item()] })], '0,0 100×10', '80,0 20×10'));
test('nothing is rounded to whole pixels', () =>
  check(
    [
      frame({
        width: 100,
        layout: { direction: 'row' },
        children: [item({ width: 'fill' }), item({ width: 'fill' }), item({ width: 'fill' })],
      }),
    ],
    '0,0 100×10',
    '0,0 33.33×10',
    '33.33,0 33.33×10',
    '66.67,0 33.33×10',
  ));
test('a frame without layout in a flow fills it', () =>
  check(
    [frame({ width: 100, height: 50, layout: {}, children: [item(), frame({ children: [item({ x: 1, y: 2 })] })] })],
    '0,0 100×50',
    '0,0 20×10',
    '0,10 100×40',
    '1,12 20×10',
  ));
test('a hugging frame is at most as wide as what is left', () =>
  check(
    [frame({ x: 350, layout: { direction: 'row', wrap: 'wrap' }, children: [item(), item(), item()] })],
    '350,0 50×20',
    '350,0 20×10',
    '370,0 20×10',
    '350,10 20×10',
  ));

test('square modules are centred', () => {
  const [box] = boxes([code({ width: 50, height: 30 })]);
  expect(box?.kind === 'code' && show(box.area)).toBe('10,0 30×30');
});
test('bars take the whole box', () => {
  const bars = { columns: 3, rows: 1, dark: [true, false, true] };
  const [box] = boxes([code({ width: 50, height: 30, square: false, modules: bars })]);
  expect(box?.kind === 'code' && show(box.area)).toBe('0,0 50×30');
});

test('two thousand layers are laid out without delay', () => {
  const many = Array.from({ length: 1000 }, (_, i) => item({ x: i }));
  expect(boxes([frame({ layout: {}, children: many }), ...many]).length).toBe(2001);
});

test('every box is finite, and none has a negative side', () => {
  const length = fc.oneof(
    fc.constantFrom('hug', 'fill', '0%', '50%', '250%'),
    fc.double({ min: 0, max: 1e5, noNaN: true }),
  );
  const ratio = fc.option(fc.double({ min: 0.001, max: 1000, noNaN: true }));
  const limit = fc.option(fc.double({ min: 0, max: 1e5, noNaN: true }));
  const common = {
    width: length,
    height: length,
    x: fc.double({ min: -1e5, max: 1e5, noNaN: true }),
    absolute: fc.boolean(),
    aspectRatio: ratio,
    minWidth: limit,
    maxHeight: limit,
    flexGrow: fc.constantFrom(0, 1, 1000),
    flexShrink: fc.constantFrom(0, 1),
    alignSelf: fc.constantFrom('auto' as const, 'stretch' as const, 'baseline' as const),
    margin: fc.constantFrom(edges(0), edges(-50), edges(1e5)),
  };
  const { node } = fc.letrec<{ node: SceneNode }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.record(common).map(shape),
      fc.record(common).map(image),
      fc.record(common).map(code),
      fc
        .record({
          ...common,
          padding: fc.constantFrom(0, -5, 1e5),
          gap: fc.constantFrom(0, 1e5),
          direction: fc.constantFrom('ltr' as const, 'rtl' as const),
          layout: fc.option(
            fc.record({
              direction: fc.constantFrom('row' as const, 'column-reverse' as const),
              wrap: fc.constantFrom('nowrap' as const, 'wrap' as const, 'wrap-reverse' as const),
              align: fc.constantFrom('stretch' as const, 'baseline' as const, 'center' as const),
              justify: fc.constantFrom('space-around' as const, 'end' as const),
            }),
          ),
          children: fc.array(tie('node'), { maxLength: 4 }),
        })
        .map((options) => frame({ ...options, radii: corners(0) })),
    ),
  }));
  fc.assert(
    fc.property(node, (root) => {
      for (const { rect } of boxes([root])) {
        expect([rect.x, rect.y, rect.width, rect.height].every(Number.isFinite)).toBe(true);
        expect(Math.min(rect.width, rect.height)).toBeGreaterThanOrEqual(0);
      }
    }),
    { seed: 7, numRuns: 300 },
  );
});
