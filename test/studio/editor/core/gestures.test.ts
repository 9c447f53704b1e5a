// Tests what the pointer does on the canvas: selecting, moving, resizing, rotating, drawing, and what takes each of them back.

import { expect, test } from 'vitest';
import { IDENTITY, type Matrix, multiply, transformPoint } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { RawDocument } from '../../../../src/studio/editor/core/document/document.ts';
import { setLayer } from '../../../../src/studio/editor/core/document/edits.ts';
import { gradientHandles } from '../../../../src/studio/editor/core/gestures/gradient-handles.ts';
import { fillTable, nudge } from '../../../../src/studio/editor/core/state/actions.ts';
import { TestEditor, type TestEditorOptions } from '../test-editor.ts';

const CARD: RawDocument = {
  name: 'Card',
  width: 400,
  height: 300,
  layers: [
    { type: 'shape', name: 'a', x: 50, y: 50, width: 100, height: 60 },
    { type: 'shape', name: 'b', x: 200, y: 150, width: 80, height: 80 },
    {
      ...{ type: 'frame', name: 'box', x: 20, y: 200, width: 120, height: 80 },
      children: [{ type: 'shape', name: 'dot', x: 10, y: 10, width: 20, height: 20 }],
    },
    { type: 'text', name: 'title', x: 200, y: 20, width: 150, text: 'Hello', fontSize: 20 },
  ],
};

const DOT = { type: 'shape', name: 'dot', x: 10, y: 10, width: 20, height: 20 } as const;

const tidy = (value: number) => Math.round(value * 100) / 100;

/** The ends of the linear gradients that are painted, px of the canvas. */
function paintedLines(ops: readonly PaintOp[], matrix: Matrix): readonly (readonly (readonly number[])[])[] {
  return ops.flatMap((op) => {
    if (op.kind === 'group') return paintedLines(op.ops, multiply(matrix, op.transform));
    if (op.kind !== 'fill' || op.brush.kind !== 'linear') return [];
    const ends = [op.brush.from, op.brush.to].map((end) => transformPoint(matrix, end));
    return [ends.map(({ x, y }) => [tidy(x), tidy(y)])];
  });
}

/** Without snapping, unless it is what is tested. */
function open(document = CARD, options?: TestEditorOptions): TestEditor {
  const at = new TestEditor(document, options);
  at.editor.preferences.snap.value = false;
  return at;
}

test('a group casts the shadow of what is in it, not of its box', () => {
  const at = open().select('a', 'b').keys('Mod+G');
  expect(at.layer('group')).toMatchObject({ type: 'frame', shadowType: 'drop', x: 50, y: 50, width: 230, height: 180 });
});

test('a click selects what lies there, with Shift beside the others, and nothing on the ground', () => {
  const at = open().click(100, 80);
  expect(at.selection).toEqual(['a']);
  expect(at.click(240, 190, { shift: true }).selection).toEqual(['a', 'b']);
  expect(at.click(240, 190, { shift: true }).selection).toEqual(['a']);
  expect(at.click(390, 290).selection).toEqual([]);
});

test('a click selects the frame, a double click goes into it, and the deep key reaches inside at once', () => {
  const at = open().click(40, 220);
  expect(at.selection).toEqual(['box']);
  expect(at.doubleClick(40, 220).selection).toEqual(['dot']);
  at.select();
  expect(at.click(40, 220, { mod: true }).selection).toEqual(['dot']);
});

test('a double click edits words in place, and asks for a picture where there is none', async () => {
  const at = open({
    ...CARD,
    layers: [
      ...(CARD.layers ?? []),
      { type: 'image', name: 'photo', x: 300, y: 200, width: 60, height: 60, src: '', optional: true },
    ],
  });
  await at.pass(0);
  at.doubleClick(210, 30);
  expect(at.editor.task.peek()).toMatchObject({ kind: 'text', layer: 'title' });
  at.click(390, 140);
  expect(at.mode).toBe('select');
  at.doubleClick(320, 220);
  expect(at.editor.task.peek()).toEqual({ kind: 'picture', layer: 'photo' });
});

test('a drag moves what is selected as one step', () => {
  const at = open().drag([100, 80], [130, 100]);
  expect(at.layer('a')).toMatchObject({ x: 80, y: 70 });
  at.editor.undo();
  expect(at.document).toEqual(CARD);
  at.select('a', 'b').drag([100, 80], [110, 80]);
  expect([at.layer('a').x, at.layer('b').x]).toEqual([60, 210]);
});

test('a press that hardly moves is a click', () => {
  const at = open().drag([100, 80], [102, 81]);
  expect([at.document, at.selection]).toEqual([CARD, ['a']]);
});

test('a mirrored layer is resized and rounded where it is pressed', () => {
  const layers = [{ type: 'shape', name: 'a', x: 50, y: 50, width: 100, height: 100, flip: 'x' }];
  const at = open({ ...CARD, layers })
    .select('a')
    .drag([152, 80], [172, 80]);
  expect(at.layer('a')).toEqual({ ...layers[0], width: 120 });
  // Alt: one corner alone. The one at the top right is the top left one of the layer.
  const round = open({ ...CARD, layers })
    .select('a')
    .drag([136, 64], [126, 74], { alt: true });
  expect(round.layer('a').borderRadius).toEqual([10, 0, 0, 0]);
});

test('a text on an arc is bent and turned by its handle, about its middle, as one step', () => {
  const arc = { type: 'arc', radius: 80 };
  const layers = [
    { type: 'text', name: 'round', x: 100, y: 60, text: 'Round', fontSize: 20, align: 'center', textPath: arc },
  ];
  const document: RawDocument = { ...CARD, layers };
  // The middle is at 180, 140, and the handle 80 px above it.
  const at = open(document).select('round').drag([180, 60], [180, 40]);
  expect(at.layer('round')).toEqual({ ...layers[0], x: 80, y: 40, textPath: { ...arc, radius: 100, angle: 0 } });
  at.editor.undo();
  expect(at.document).toEqual(document);
  const turned = open(document).select('round').drag([180, 60], [261, 140]);
  expect(turned.layer('round').textPath).toEqual({ ...arc, radius: 81, angle: 90 });
  // Escape takes it back.
  const left = open(document).select('round').pointerDown(180, 60).pointerMove(180, 20).keys('Escape').pointerUp();
  expect(left.document).toEqual(document);
  // Words of a fixed box stay in it, and those inside of a circle hang from its bottom.
  const inside = { ...layers[0], width: 200, height: 200, textPath: { ...arc, side: 'inside', angle: 10 } };
  const fixed = open({ ...CARD, layers: [inside] } as RawDocument).select('round');
  const [x, y] = [200 - 80 * Math.sin(Math.PI / 18), 160 + 80 * Math.cos(Math.PI / 18)];
  fixed.drag([x, y], [200 - 90 * Math.sin(Math.PI / 18), 160 + 90 * Math.cos(Math.PI / 18)]);
  expect(fixed.layer('round')).toEqual({ ...inside, textPath: { ...inside.textPath, radius: 90, angle: 10 } });
});

const STOPS = [{ color: '#ff0000' }, { color: '#00ff00' }, { color: '#0000ff' }];

/** With the panel of a gradient open, that of the selected layer, over 100 × 60 at 50, 50, or of the canvas. */
function openPanel(gradient: object, layer: object | null = {}, property = layer ? 'fill' : 'background'): TestEditor {
  const layers = [{ type: 'shape', name: 'a', x: 50, y: 50, width: 100, height: 60, [property]: gradient, ...layer }];
  const at = layer ? open({ ...CARD, layers } as RawDocument).select('a') : open({ ...CARD, [property]: gradient });
  at.editor.panelHandles.value = gradientHandles(at.editor, property);
  return at;
}

const handlesOf = (at: TestEditor) =>
  (at.editor.panelHandles.peek()?.(1)?.handles ?? []).map((one) => [Math.round(one.at.x), Math.round(one.at.y)]);

test('a linear gradient is turned by its ends and its stops are moved along it, each by one step', () => {
  const linear = { type: 'linear', angle: 90, stops: STOPS, colorSpace: 'oklch' };
  const at = openPanel(linear);
  // The ends are on the sides, the stops 14 px beside the line.
  expect(handlesOf(at)).toEqual([
    [50, 80],
    [150, 80],
    [50, 94],
    [100, 94],
    [150, 94],
  ]);
  const before = at.document;
  at.drag([150, 80], [100, 120]);
  expect(at.layer('a').fill).toEqual({ ...linear, angle: 180 });
  at.editor.undo();
  expect(at.document).toEqual(before);
  at.drag([50, 80], [70, 51], { shift: true });
  expect(at.layer('a').fill).toEqual({ ...linear, angle: 135 });
  at.editor.undo();
  at.drag([100, 94], [125, 97]);
  const placed = STOPS.map((stop, i) => ({ ...stop, offset: [0, 0.75, 1][i] }));
  expect(at.layer('a').fill).toEqual({ ...linear, stops: placed });
  at.editor.undo();
  expect(at.document).toEqual(before);
  at.pointerDown(150, 80).pointerMove(100, 150).keys('Escape').pointerUp();
  expect(at.document).toEqual(before);
  // Beside the handles a press moves the layer, as ever, and without the panel so does one on them.
  expect(at.drag([100, 70], [110, 70]).layer('a').x).toBe(60);
  at.editor.undo();
  at.editor.panelHandles.value = null;
  expect(at.drag([148, 80], [158, 80]).layer('a')).toMatchObject({ x: 60, fill: linear });
});

test('a finger takes the nearest handle of a gradient within its width, and a mouse the one that it is on', () => {
  const linear = { type: 'linear', angle: 90, stops: STOPS };
  const at = openPanel(linear);
  // 16 px from an end, 26 px from the nearest stop.
  at.pointerDown(162, 69, { finger: 1 }).pointerMove(130, 100).pointerMove(100, 130).parts.pointer.up(1);
  expect(at.layer('a')).toMatchObject({ x: 50, fill: { angle: 180 } });
  at.editor.undo();
  // 6 px from a stop, 8 px from the end beside it.
  at.pointerDown(50, 88, { finger: 1 }).pointerMove(60, 88).pointerMove(75, 88).parts.pointer.up(1);
  expect(at.layer('a').fill).toMatchObject({ angle: 90, stops: [{ offset: 0.25 }, {}, {}] });
  at.editor.undo();
  expect(at.drag([162, 69], [100, 130]).layer('a').fill).toEqual(linear);
});

test('a radial gradient is moved by its centre and sized by its end, a conic one turned', () => {
  const radial = { type: 'radial', stops: STOPS, radius: 0.5 };
  const at = openPanel(radial);
  expect(handlesOf(at).slice(0, 2)).toEqual([
    [100, 80],
    [125, 80],
  ]);
  at.drag([100, 80], [75, 65]);
  expect(at.layer('a').fill).toEqual({ ...radial, center: { x: 0.25, y: 0.25 } });
  // It is caught by the middle and the sides, unless the deep key is held.
  expect(at.drag([75, 65], [97, 108]).layer('a').fill).toMatchObject({ center: { x: 0.5, y: 1 } });
  expect(at.drag([100, 110], [97, 104], { mod: true }).layer('a').fill).toMatchObject({ center: { x: 0.47, y: 0.9 } });
  at.drag([122, 104], [147, 104]);
  expect(at.layer('a').fill).toMatchObject({ radius: 1 });
  const conic = openPanel({ type: 'conic', stops: STOPS }, null);
  // Over the canvas of 400 × 300, its circle is 0.4 of the shorter side.
  conic.drag([200, 30], [320, 150]);
  expect(conic.document.background).toEqual({ type: 'conic', stops: STOPS, angle: 90 });
  // Its second stop is opposite of its first, at the left.
  conic.drag([66, 150], [200, 20]);
  expect(conic.document.background).toMatchObject({ stops: [{}, { offset: 0.75 }, {}] });
});

test('the handles of a gradient are where it is painted, of layers that are turned and mirrored too', () => {
  for (const flip of [undefined, 'x', 'y', 'xy'] as const) {
    const at = openPanel({ type: 'linear', angle: 60, stops: STOPS }, { rotation: 30, flip });
    const { list } = at.editor.picture.peek() ?? {};
    const [ends] = paintedLines(list?.ops ?? [], IDENTITY);
    const drawn = at.editor.panelHandles.peek()?.(1)?.handles.slice(0, 2) ?? [];
    expect(drawn.map((one) => [one.at.x, one.at.y].map(tidy))).toEqual(ends);
    // A full turn of the pointer about the middle brings back what was there.
    const { x, y } = drawn[1]?.at ?? { x: 0, y: 0 };
    at.drag([x, y], [100 + (100 - x), 80 + (80 - y)]);
    expect(at.layer('a').fill).toMatchObject({ angle: 240 });
  }
});

test('only the box that a gradient covers has its handles, and no locked layer, and no text that is typed into', async () => {
  const gradient = { type: 'linear', stops: STOPS };
  expect(handlesOf(openPanel(gradient, {}, 'fillRule'))).toEqual([]);
  expect(handlesOf(openPanel(gradient, { locked: true }))).toEqual([]);
  const frame = { type: 'frame', border: { width: 10, color: '#000000' }, children: [] };
  expect(handlesOf(await openPanel(gradient, frame, 'background').drawn())[0]).toEqual([100, 60]);
  const at = openPanel(gradient, { type: 'text', text: 'Hello' }, 'color');
  expect(handlesOf(at)[0]).toEqual([100, 50]);
  at.editor.editText('a');
  expect(handlesOf(at)).toEqual([]);
});

test('a layer that is dragged out of a mirrored frame stays as it is seen', () => {
  const [, , box] = CARD.layers ?? [];
  const layers = [{ ...box, children: [{ ...DOT, rotation: 90 }], flip: 'x' }] as RawDocument['layers'];
  const at = open({ ...CARD, layers }).doubleClick(120, 220);
  expect(at.selection).toEqual(['dot']);
  at.drag([120, 220], [320, 100]);
  expect(at.layer('dot')).toEqual({ ...DOT, x: 310, y: 90, rotation: -90, flip: 'x' });
});

test('Shift keeps to one direction, Alt drags a copy', () => {
  const at = open().drag([100, 80], [130, 85], { shift: true });
  expect(at.layer('a')).toMatchObject({ x: 80, y: 50 });
  const copied = open().drag([100, 80], [130, 100], { alt: true });
  expect([copied.layer('a').x, copied.layer('a-2')]).toEqual([50, expect.objectContaining({ x: 80, y: 70 })]);
  expect(copied.selection).toEqual(['a-2']);
});

test('a layer snaps to the edges of others, and Ctrl turns that off', () => {
  const at = new TestEditor(CARD).select('a');
  // The left edge comes within 6 px of that of the other.
  at.drag([100, 80], [246, 80]);
  expect(at.layer('a').x).toBe(200);
  const free = new TestEditor(CARD).select('a').drag([100, 80], [246, 80], { mod: true });
  expect(free.layer('a').x).toBe(196);
});

test('a layer that is dropped on a frame goes into it, and keeps its place', () => {
  const at = open().drag([240, 190], [90, 240]);
  expect(at.document.layers?.map(({ name }) => name)).toEqual(['a', 'box', 'title']);
  expect(at.layer('b')).toMatchObject({ x: 30, y: 0 });
});

test.each([
  ['Escape', (at: TestEditor) => at.keys('Escape')],
  ['a pointer that the browser takes away', (at: TestEditor) => at.pointerCancel()],
])('%s takes a drag back, and what follows is none', (_name, cancel) => {
  const at = open().click(100, 80).pointerDown(100, 80).pointerMove(150, 130);
  expect([at.mode, at.layer('a').x]).toEqual(['drag', 100]);
  cancel(at);
  expect([at.mode, at.document, at.selection]).toEqual(['select', CARD, ['a']]);
  at.pointerMove(200, 200).pointerUp();
  expect([at.document, at.editor.canUndo.peek()]).toEqual([CARD, false]);
  at.pointerMove(240, 190, { isPressed: false });
  expect([at.document, at.editor.hovered.peek()]).toEqual([CARD, 'b']);
});

test('a corner resizes, Shift keeps the ratio, Alt keeps the centre', () => {
  // Just outside of the corner, where its handle is.
  const at = open().select('a').drag([153, 113], [173, 123]);
  expect(at.layer('a')).toMatchObject({ x: 50, y: 50, width: 120, height: 70 });
  const kept = open().select('a').drag([153, 113], [253, 113], { shift: true });
  expect(kept.layer('a')).toMatchObject({ width: 200, height: 120 });
  const centred = open().select('a').drag([153, 113], [163, 113], { alt: true });
  expect(centred.layer('a')).toMatchObject({ x: 40, width: 120 });
});

test('a side resizes its own length alone, and several layers keep their places among each other', () => {
  const at = open().select('a').drag([153, 80], [183, 200]);
  expect(at.layer('a')).toMatchObject({ width: 130, height: 60, x: 50, y: 50 });
  const both = open().select('a', 'b').drag([283, 233], [513, 413]);
  expect(both.layer('a')).toMatchObject({ x: 50, y: 50, width: 200, height: 120 });
  expect(both.layer('b')).toMatchObject({ x: 350, y: 250, width: 160, height: 160 });
});

test('a text that hugs its height gets a width by a corner, and no height', () => {
  const { height } = open().editor.picture.value?.byName.get('title')?.rect ?? expect.fail('it is not drawn');
  const at = open()
    .select('title')
    .drag([353, 20 + height + 3], [373, 80]);
  expect(at.layer('title')).toEqual({ ...CARD.layers?.[3], width: 170 });
});

test('a layer that is turned keeps the opposite corner where it is', () => {
  const turned = {
    ...CARD,
    layers: [{ type: 'shape', name: 'a', x: 100, y: 100, width: 100, height: 60, rotation: 30 }],
  };
  const corner = (at: TestEditor, x: number, y: number) => {
    const { rect, matrix } = at.editor.picture.value?.byName.get('a') ?? expect.fail('it is not drawn');
    return transformPoint(matrix, { x: rect.x + x * rect.width, y: rect.y + y * rect.height });
  };
  const at = open(turned).select('a');
  const [before, end] = [corner(at, 0, 0), corner(at, 1, 1)];
  // Just outside of the corner, where its handle is.
  const handle = corner(at, 1.03, 1.05);
  at.drag([handle.x, handle.y], [handle.x + 20, handle.y + 30]);
  const [after, moved] = [corner(at, 0, 0), corner(at, 1, 1)];
  expect([tidy(after.x - before.x), tidy(after.y - before.y)]).toEqual([0, 0]);
  expect(Math.hypot(moved.x - end.x - 20, moved.y - end.y - 30)).toBeLessThan(2);
});

test('a right click selects what lies there, keeps what is selected, and on the ground selects nothing', () => {
  const at = open().select('a', 'b');
  const menu = (x: number, y: number) => {
    at.parts.pointer.pressMenu({ x, y }, false);
    return at.selection;
  };
  expect(menu(100, 80)).toEqual(['a', 'b']);
  expect(menu(40, 220)).toEqual(['box']);
  expect(menu(390, 290)).toEqual([]);
});

test('outside of a corner it rotates, with Shift in steps of 15°', () => {
  // From the lower right corner's zone, about the middle at (100, 80), to straight below.
  const at = open().select('a').pointerMove(165, 120, { isPressed: false });
  expect(at.parts.pointer.cursor.peek()).toMatch(/^url\("data:image\/svg\+xml,[^"]+"\) 12 12, alias$/);
  at.pointerDown(165, 120).pointerMove(100, 160, { shift: true });
  // Beside the pointer.
  expect([at.parts.pointer.last.peek(), at.parts.marks.peek().label]).toEqual([{ x: 100, y: 160 }, '60°']);
  at.pointerUp();
  const { rotation } = at.layer('a');
  expect(Number(rotation) % 15).toBe(0);
  expect(Number(rotation)).toBeGreaterThan(30);
  at.editor.undo();
  expect(at.document).toEqual(CARD);
});

test('a corner’s dot rounds the corners, and Alt one of them', () => {
  const at = open().select('b').drag([214, 164], [224, 174]);
  expect(at.layer('b').borderRadius).toBe(10);
  const one = open().select('b').drag([214, 164], [224, 174], { alt: true });
  expect(one.layer('b').borderRadius).toEqual([10, 0, 0, 0]);
});

test('a marquee selects what it meets, and Escape brings back what was selected', () => {
  const at = open().pointerDown(10, 10).pointerMove(60, 60);
  expect(at.selection).toEqual(['a']);
  expect(at.pointerMove(290, 240).selection).toEqual(['a', 'b', 'box', 'title']);
  at.keys('Escape').pointerUp();
  expect(at.selection).toEqual([]);
  at.select('title').pointerDown(10, 10, { shift: true }).pointerMove(60, 60).pointerUp();
  expect(at.selection).toEqual(['title', 'a']);
});

test('a tool draws a layer, a click with it makes one of its own size, and Escape draws none', () => {
  const at = open().keys('R').drag([300, 100], [360, 140]);
  expect(at.layer('rectangle')).toMatchObject({ type: 'shape', x: 300, y: 100, width: 60, height: 40 });
  expect([at.mode, at.selection]).toEqual(['select', ['rectangle']]);
  at.keys('O').click(10, 10);
  expect(at.layer('ellipse')).toMatchObject({ x: 10, y: 10, width: 140, height: 140 });
  const none = open().keys('R').pointerDown(300, 100).pointerMove(360, 140).keys('Escape').pointerUp();
  expect([none.document, none.mode]).toEqual([CARD, 'select']);
});

test('a new text is typed into at once', () => {
  const at = open().keys('T').click(300, 100);
  expect(at.editor.task.peek()).toMatchObject({ kind: 'text', layer: 'text' });
  expect(at.selection).toEqual(['text']);
});

test('a layer that is drawn in a frame is in it', () => {
  const at = open().keys('R').drag([40, 240], [60, 260]);
  expect(at.layer('box').children?.map(({ name }) => name)).toEqual(['dot', 'rectangle']);
  expect(at.layer('rectangle')).toMatchObject({ x: 20, y: 40 });
});

test('one scrolls to where the last of the layers is in sight, and back from anywhere', () => {
  const at = open();
  const { viewport, pointer } = at.parts;
  const wheel = (dx: number, dy: number) =>
    pointer.wheel({ at: { x: 100, y: 100 }, shift: false, mod: false, dx, dy, isLines: false });
  const { width, height } = at.document;
  for (let i = 0; i < 9; i += 1) wheel(5_000, 5_000);
  expect(viewport.toView({ x: width, y: height })).toEqual({ x: 56, y: 56 });
  at.editor.edit(setLayer('a', { x: 4_000 }));
  at.parts.editor.composeNow();
  wheel(5_000, 0);
  expect(viewport.toView({ x: width, y: height }).x).toBeLessThan(-3_000);
  viewport.offset.value = { x: -90_000, y: 0 };
  wheel(100, 0);
  expect(viewport.offset.peek().x).toBe(-90_000);
  wheel(-100, 0);
  expect(viewport.offset.peek().x).toBe(-89_900);
});

test('the hand pans, and changes nothing', () => {
  const at = open().keys('H').drag([100, 80], [130, 100]);
  expect([at.document, at.selection, at.parts.viewport.offset.peek()]).toEqual([CARD, [], { x: 30, y: 20 }]);
});

test('a guide comes out of a ruler, is moved, and goes back into it', () => {
  const at = open()
    .pointerDown(5, 100, { on: { ruler: 'x' } })
    .pointerMove(70, 100)
    .pointerUp();
  expect(at.document.guides).toEqual([{ axis: 'x', at: 70 }]);
  at.pointerDown(70, 100, { on: { guide: 0 } })
    .pointerMove(90, 100)
    .pointerUp();
  expect(at.document.guides).toEqual([{ axis: 'x', at: 90 }]);
  at.pointerDown(90, 100, { on: { guide: 0 } })
    .pointerMove(4, 100)
    .pointerUp();
  expect(at.document.guides ?? []).toEqual([]);
  at.keys('Mod+Z', 'Mod+Z');
  expect(at.document.guides).toEqual([{ axis: 'x', at: 70 }]);
  at.keys('Mod+Z');
  expect(at.document.guides).toBeUndefined();
});

test('the end of a table’s column is dragged, once the table is selected', async () => {
  const table = {
    type: 'table',
    name: 'list',
    x: 50,
    y: 50,
    width: 300,
    columns: [100, 'fill'],
    row: [{ name: 'item' }, { name: 'count' }],
    rows: [{ item: 'One', count: 1 }],
  };
  const at = await open({ ...CARD, layers: [table] }).drawn();
  at.select('list').pointerMove(150, 60, { isPressed: false });
  expect(at.parts.pointer.cursor.peek()).toBe('col-resize');
  at.drag([150, 60], [180, 60]);
  expect(at.layer('list').columns).toEqual([130, 'fill']);
});

test('pasted rows with new columns say that the footer of the old ones is gone', async () => {
  const table = { type: 'table', name: 'list', columns: ['fill'], row: [{ name: 'item' }], rows: [{ item: 'One' }] };
  const at = await open({ ...CARD, layers: [{ ...table, footer: ['Total'] }] }).drawn();
  fillTable(at.editor, 'list', { names: ['item'], rows: [{ item: 'Two' }] });
  expect([at.layer('list').footer, at.said]).toEqual([['Total'], []]);
  fillTable(at.editor, 'list', { names: ['what'], rows: [{ what: 'Three' }] });
  expect([at.layer('list').footer, at.said]).toEqual([undefined, [expect.stringContaining('footer')]]);
});

test('a cell is opened by a double click; test data gives way to what is typed', async () => {
  const table = {
    type: 'table',
    name: 'list',
    x: 50,
    y: 50,
    width: 300,
    columns: [100, 'fill'],
    header: ['Item', 'Count'],
    row: [{ name: 'item' }, { name: 'count' }],
    rows: [{ item: 'One', count: 1 }],
  };
  const computed = { ...table, row: [{ name: 'item' }, { calculate: { multiply: ['count', 2] } }] };
  const other = await open({ ...CARD, layers: [computed] }).drawn();
  const { y, height } = other.editor.picture.value?.byName.get('list')?.rect ?? expect.fail('it is not drawn');
  other.select('list').doubleClick(200, y + 0.75 * height);
  expect(other.said).toEqual([expect.stringContaining('computed')]);
  const at = await open({ ...CARD, layers: [table] }).drawn();
  at.select('list').doubleClick(60, 58);
  expect(at.editor.task.peek()).toMatchObject({ kind: 'cell', layer: 'list', place: { part: 'header' } });
  at.click(390, 290);
  expect(at.mode).toBe('select');
});

test('what is locked is neither selected nor dragged by the pointer', () => {
  const locked = {
    ...CARD,
    layers: CARD.layers?.map((layer) => (layer.name === 'a' ? { ...layer, locked: true } : layer)),
  };
  const at = open(locked as RawDocument).click(100, 80);
  expect(at.selection).toEqual([]);
  at.select('a').drag([100, 80], [130, 100]);
  expect(at.layer('a').x).toBe(50);
  // The key locks and unlocks; either is one step.
  at.select('a').keys('Mod+Shift+L');
  expect(at.layer('a')).not.toHaveProperty('locked');
  at.keys('Mod+Z');
  expect(at.layer('a').locked).toBe(true);
  at.keys('Mod+Shift+L', 'Mod+Shift+L');
  expect(at.layer('a').locked).toBe(true);
});

test('arrows nudge by 1 px, with Shift by 10, and close presses are one step', async () => {
  const at = open().select('a').keys('ArrowRight', 'ArrowRight', 'Shift+ArrowDown');
  expect(at.layer('a')).toMatchObject({ x: 52, y: 60 });
  at.editor.undo();
  expect(at.document).toEqual(CARD);
  at.keys('ArrowRight');
  await at.pass(1_000);
  at.keys('ArrowRight');
  at.editor.undo();
  expect(at.layer('a').x).toBe(51);
});

test('Ctrl and arrows resize, Alt and arrows rotate', () => {
  const at = open().select('a').keys('Mod+ArrowRight', 'Mod+Shift+ArrowDown', 'Alt+ArrowRight');
  expect(at.layer('a')).toMatchObject({ width: 101, height: 70, rotation: 15 });
});

test('who may change texts and pictures alone moves nothing', () => {
  const limits = { mayDesign: false, refusal: () => null, isLocked: () => false };
  const at = open(CARD, { limits }).drag([100, 80], [130, 100]).keys('ArrowRight', 'Delete');
  expect(at.document).toEqual(CARD);
});

test('a refused change is not made, and said why', () => {
  const limits = { mayDesign: true, refusal: () => 'It is locked.', isLocked: () => false };
  const at = open(CARD, { limits }).drag([100, 80], [130, 100]);
  expect([at.document, at.mode, at.said[0]]).toEqual([CARD, 'select', 'It is locked.']);
});

test('two fingers zoom and pan, and what the first has begun is taken back', () => {
  const at = open().select('b');
  const { pointer, viewport } = at.parts;
  const keys = { shift: false, alt: false, mod: false };
  const down = (finger: number, x: number, y: number) =>
    pointer.down({ ...keys, finger, at: { x, y }, button: 0, on: null });
  const move = (finger: number, x: number, y: number) => pointer.move({ ...keys, finger, at: { x, y } }, true);
  down(1, 100, 80);
  move(1, 120, 80);
  expect([at.mode, at.layer('a').x]).toEqual(['drag', 70]);
  down(2, 220, 80);
  expect([at.mode, at.document, at.selection]).toEqual(['select', CARD, ['b']]);
  move(1, 70, 80);
  move(2, 270, 80);
  // The middle stays where it is, twice as large; then both move to the right.
  expect([viewport.zoom.peek(), viewport.offset.peek()]).toEqual([2, { x: -170, y: -80 }]);
  move(1, 80, 80);
  move(2, 280, 80);
  expect(viewport.zoom.peek()).toBeCloseTo(2);
  expect(viewport.offset.peek().x).toBeCloseTo(-160);
  pointer.up(1);
  move(2, 300, 200);
  pointer.up(2);
  expect([at.document, at.selection, at.editor.canUndo.peek()]).toEqual([CARD, ['b'], false]);
  down(1, 100, 80);
  pointer.up(1);
  expect(at.mode).toBe('select');
});

test('nudging takes time in proportion to the layers', () => {
  const card = (amount: number): RawDocument => ({
    ...CARD,
    layers: Array.from({ length: amount }, (_, at) => ({
      type: 'shape',
      name: `s${at}`,
      x: at,
      y: 0,
      width: 9,
      height: 9,
    })),
  });
  const spent = (amount: number) => {
    const at = new TestEditor(card(amount));
    at.editor.select(at.document.layers?.map(({ name }) => name) ?? []);
    at.keys('ArrowRight');
    const runs = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      nudge(at.editor, 1, 0);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    expect(at.layer('s7').x).toBe(11);
    return Math.min(...runs);
  };
  spent(200);
  // In proportion to their square it would be 64 times as much.
  expect(spent(1_600) / Math.max(1_000, spent(200))).toBeLessThan(32);
});
