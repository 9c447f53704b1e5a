// Tests which command a key runs, by the mode and by what has the focus.

import { expect, test } from 'vitest';
import type { RawDocument } from '../../../../src/studio/editor/core/document/document.ts';
import { COMMANDS } from '../../../../src/studio/editor/core/state/commands.ts';
import { layerMenu } from '../../../../src/studio/editor/panels/layer-menu.ts';
import { editor as texts } from '../../../../src/studio/texts/en/editor.ts';
import { TestEditor } from '../test-editor.ts';

const CARD: RawDocument = {
  name: 'Card',
  width: 400,
  height: 300,
  layers: [
    { type: 'shape', name: 'a', x: 50, y: 50, width: 100, height: 60 },
    {
      type: 'frame',
      name: 'box',
      x: 200,
      y: 150,
      width: 120,
      height: 80,
      children: [{ type: 'shape', name: 'dot', x: 5, y: 5, width: 20, height: 20 }],
    },
    { type: 'text', name: 'title', x: 200, y: 20, text: 'Hello', fontSize: 20 },
  ],
};

test('every command has a name, and no two of one scope have the same keys, unless only one is on', () => {
  expect(COMMANDS.map(({ id }) => id).filter((id) => !texts.commands[id])).toEqual([]);
  expect(Object.keys(texts.commands).sort()).toEqual(COMMANDS.map(({ id }) => id).sort());
  const taken = COMMANDS.flatMap(({ id, keys, isOn }) => keys.map((key) => ({ id, key, isOn })));
  const twice = taken.filter(
    ({ key, isOn }, i) => !isOn && taken.findIndex((one) => one.key === key && !one.isOn) !== i,
  );
  expect(twice).toEqual([]);
});

test('Shift+H and Shift+V mirror layers as they are seen, several about the middle of all', () => {
  const at = new TestEditor(CARD).select('a').keys('Shift+H');
  expect(at.layer('a').flip).toBe('x');
  expect(at.keys('Shift+V').layer('a').flip).toBe('xy');
  expect(at.keys('Shift+H', 'Shift+V').document).toEqual(CARD);
  at.select('a', 'box').keys('Shift+H');
  // They stand between 50 and 320.
  expect([at.layer('a'), at.layer('box')]).toMatchObject([
    { x: 220, y: 50, flip: 'x' },
    { x: 50, y: 150, flip: 'x' },
  ]);
  at.editor.undo();
  expect(at.document).toEqual(CARD);
  const turned = new TestEditor({ ...CARD, layers: [{ ...CARD.layers?.[0], rotation: 30 }] as RawDocument['layers'] });
  expect(turned.select('a').keys('Shift+V').layer('a')).toMatchObject({ x: 50, y: 50, rotation: -30, flip: 'y' });
});

test('Ctrl+Shift+8 and 7 make a text a list, and plain again', () => {
  const at = new TestEditor(CARD).select('title').keys('Mod+Shift+8');
  expect(at.layer('title').listStyle).toBe('disc');
  expect(at.keys('Mod+Shift+7').layer('title').listStyle).toBe('decimal');
  expect(at.keys('Mod+Shift+7').document).toEqual(CARD);
});

test('a tool is chosen by its letter, and left by Escape', () => {
  const at = new TestEditor(CARD).keys('R');
  expect([at.mode, at.editor.tool.peek()]).toEqual(['tool', 'rect']);
  at.keys('Escape');
  expect([at.mode, at.editor.tool.peek()]).toEqual(['select', 'select']);
});

test('Enter adds a layer with a tool, and enters what is selected without one', () => {
  const at = new TestEditor(CARD).keys('R', 'Enter');
  expect([at.selection, at.mode]).toEqual([['rectangle'], 'select']);
  at.select('box').keys('Enter');
  expect(at.selection).toEqual(['dot']);
  at.keys('Shift+Enter');
  expect(at.selection).toEqual(['box']);
  at.select('title').keys('Enter');
  expect(at.editor.task.peek()).toMatchObject({ kind: 'text', layer: 'title' });
});

test('stars and polygons are tools of their own, named as what they are', () => {
  const at = new TestEditor(CARD).keys('S', 'Enter', 'P', 'Enter');
  expect(at.selection).toEqual(['polygon']);
  expect(at.editor.layer('polygon')).toMatchObject({ type: 'shape', shape: 'polygon', width: 140, height: 140 });
  expect(at.editor.layer('star')).toMatchObject({ type: 'shape', shape: 'star', width: 140, height: 140 });
});

test('the menu of a layer has what can be done with it, and Delete by itself at its end', () => {
  const menuOf = (layer: string) => {
    const { editor, commands } = new TestEditor(CARD).select(layer).parts;
    return layerMenu(editor, commands, null, () => {}).map((entry) =>
      typeof entry === 'object' && 'label' in entry ? entry.label : entry,
    );
  };
  const { ungroup, parent } = texts.commands;
  expect(menuOf('title').slice(-2)).toEqual(['line', texts.commands.delete]);
  expect([ungroup, parent].filter((label) => menuOf('title').includes(label))).toEqual([]);
  expect([ungroup, parent].filter((label) => menuOf('box').includes(label))).toEqual([ungroup]);
  expect([ungroup, parent].filter((label) => menuOf('dot').includes(label))).toEqual([parent]);
});

test('Escape goes from what is inside to the frame around it, then to nothing', () => {
  const at = new TestEditor(CARD).select('dot').keys('Escape');
  expect(at.selection).toEqual(['box']);
  expect(at.keys('Escape').selection).toEqual([]);
});

test('Escape ends what is edited in place, and its layer stays selected', () => {
  const at = new TestEditor(CARD);
  at.editor.editText('title');
  at.press('Escape', 'elsewhere');
  expect([at.mode, at.selection]).toEqual(['select', ['title']]);
});

test('in a field the keys are the field’s, but for those that are for all of the editor', () => {
  const at = new TestEditor(CARD).select('a');
  for (const keys of ['Delete', 'R', 'Mod+D', 'Mod+Z', 'Tab', 'ArrowLeft', ' ', 'Enter', 'Escape']) {
    expect([keys, at.press(keys, 'field')]).toEqual([keys, false]);
  }
  expect([at.document, at.selection, at.mode]).toEqual([CARD, ['a'], 'select']);
  expect(at.press('F6', 'field')).toBe(true);
  expect(at.press('Mod+Shift+P', 'field')).toBe(true);
  expect(at.asked).toEqual(['region 1', 'publish']);
  expect(at.press('Mod+K', 'field')).toBe(true);
  expect(at.parts.shown.peek()).toBe('palette');
});

test('Tab goes through the layers on the canvas alone', () => {
  const at = new TestEditor(CARD);
  expect(at.press('Tab', 'elsewhere')).toBe(false);
  expect(at.press('Tab', 'canvas')).toBe(true);
  const [first] = at.selection;
  expect(at.keys('Tab', 'Shift+Tab').selection).toEqual([first]);
});

test('buttons keep Enter and the space bar, and choices the arrows; other keys are the editor’s', () => {
  const at = new TestEditor(CARD).select('a');
  expect([at.press(' ', 'control'), at.press('Enter', 'control'), at.press('ArrowLeft', 'choice')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(at.document).toEqual(CARD);
  expect(at.press('ArrowLeft', 'control')).toBe(true);
  expect(at.layer('a').x).toBe(49);
  expect(at.press('Delete', 'choice')).toBe(true);
  expect(at.editor.layer('a')).toBeNull();
});

test('the space bar pans as long as it is held', () => {
  const at = new TestEditor(CARD);
  at.keys(' ').drag([10, 10], [40, 30]);
  expect([at.parts.viewport.offset.peek(), at.selection]).toEqual([{ x: 30, y: 20 }, []]);
  at.parts.keys.up({ code: 'Space' });
  expect(at.parts.pointer.isSpaceDown.peek()).toBe(false);
});

test('pasting is left to the browser, and copying where words of the page are selected', () => {
  const at = new TestEditor(CARD).select('a');
  expect([at.press('Mod+V'), at.press('Mod+C', 'canvas', true)]).toEqual([false, false]);
  expect(at.press('Mod+C')).toBe(true);
  expect(at.clipboard).toContain('"a"');
});

test('what cannot do anything leaves its keys to the browser', () => {
  const at = new TestEditor(CARD);
  expect([at.press('Mod+D'), at.press('Mod+Z'), at.press('Delete')]).toEqual([false, false, false]);
});

test('while something is dragged no command runs but those for all of the editor', () => {
  const at = new TestEditor(CARD).select('a').keys('ArrowUp').pointerDown(100, 80).pointerMove(120, 90);
  expect(at.mode).toBe('drag');
  expect(at.press('Delete')).toBe(true);
  expect(at.press('Mod+Z')).toBe(true);
  expect([at.editor.layer('a') !== null, at.mode]).toEqual([true, 'drag']);
  at.pointerUp();
  expect(at.layer('a').x).not.toBe(50);
});

test('characters are found whatever layout has them, letters by their place where they are', () => {
  const at = new TestEditor(CARD).select('a');
  const press = (key: string, code: string, held = {}) =>
    at.parts.keys.down({ key, code, shift: false, alt: false, mod: false, ...held }, 'canvas');
  // On a Russian keyboard.
  expect(press('в', 'KeyD', { mod: true })).toBe(true);
  expect(at.selection).toEqual(['a-2']);
  // A question mark needs Shift on most keyboards, and not on others.
  expect(press('?', 'Minus')).toBe(true);
  expect(press('?', 'Slash', { shift: true })).toBe(true);
  expect(at.parts.shown.peek()).toBe('sheet');
});

test('what is cut stays where the clipboard is refused', async () => {
  const at = new TestEditor(CARD).select('a');
  at.hasClipboard = false;
  at.press('Mod+X');
  await at.pass(0);
  expect([at.editor.layer('a') !== null, at.said.length]).toEqual([true, 1]);
  at.hasClipboard = true;
  at.press('Mod+X');
  await at.pass(0);
  expect([at.editor.layer('a'), at.clipboard?.includes('"a"')]).toEqual([null, true]);
});

test('a style is copied into another editor of this browser', () => {
  const styled = { ...CARD, layers: [{ type: 'shape', name: 'a', x: 0, y: 0, width: 9, height: 9, opacity: 0.5 }] };
  const from = new TestEditor(styled).select('a').keys('Mod+Alt+C');
  const to = new TestEditor(CARD, { kept: from.kept }).select('a').keys('Mod+Alt+V');
  expect(to.layer('a').opacity).toBe(0.5);
  expect(new TestEditor(CARD).select('a').press('Mod+Alt+V')).toBe(false);
});

test('the panels are hidden for the canvas, and shown again', () => {
  const at = new TestEditor(CARD);
  const isShown = () => at.editor.preferences.showPanels.peek();
  at.keys('Mod+\\');
  expect(isShown()).toBe(false);
  at.keys('Mod+\\');
  expect(isShown()).toBe(true);
});
