// Every command with its keys, used by the keyboard, the palette and the list of keys.

import type { Point } from '#core/geometry.ts';
import { boundsOfAll } from '../canvas/geometry-of.ts';
import { insertInMiddle } from '../canvas/insert-new.ts';
import { enterLayer, isMod } from '../canvas/pointer.ts';
import type { Viewport } from '../canvas/viewport.ts';
import { labelOf } from '../inspector/schema.ts';
import * as actions from './actions.ts';
import type { EditorState, Tool } from './editor-state.ts';
import { resizeLayers } from './resize.ts';

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly group: 'Tools' | 'Edit' | 'Arrange' | 'Select' | 'View' | 'File';
  /** Such as `Mod+Shift+Z`; the first is shown. */
  readonly keys?: readonly string[];
  readonly run: () => void;
  /** Whether the command can do something now; otherwise it is not shown. */
  readonly isOn?: () => boolean;
}

export interface CommandContext {
  readonly editor: EditorState;
  readonly viewport: Viewport;
  readonly save: () => void;
  readonly publish: () => void;
  readonly showSheet: () => void;
  readonly showPalette: () => void;
  readonly rename: (name: string) => void;
  readonly copy: () => void;
  readonly cut: () => void;
  readonly paste: (at: Point | null) => void;
  readonly splitSvg: (name: string) => void;
  readonly makeComponent: () => void;
  readonly toggleExact: () => void;
  readonly previewPdf: () => void;
  readonly download: () => void;
}

const TOOLS: readonly (readonly [tool: Tool, label: string, keys: readonly string[]])[] = [
  ['select', 'Move', ['V', 'Escape']],
  ['hand', 'Hand', ['H']],
  ['text', 'Text', ['T']],
  ['frame', 'Frame', ['F']],
  ['rect', 'Rectangle', ['R']],
  ['ellipse', 'Ellipse', ['O']],
  ['line', 'Line', ['L']],
  ['image', 'Picture', ['I']],
  ['table', 'Table', ['G']],
  ['chart', 'Chart', ['C']],
  ['qr', 'QR code', ['Q']],
  ['barcode', 'Barcode', ['B']],
];

export function commandsOf(context: CommandContext): readonly Command[] {
  const { editor, viewport } = context;
  const hasSelection = () => editor.selection.peek().length > 0;
  const hasMany = () => editor.selection.peek().length > 1;
  const step = (dx: number, dy: number) => () => actions.nudge(editor, dx, dy);
  const edit = (id: string, label: string, keys: readonly string[], run: () => void, isOn?: () => boolean): Command => {
    return { id, label, keys, run, group: 'Edit', ...(isOn && { isOn }) };
  };
  const arrange = (
    id: string,
    label: string,
    keys: readonly string[],
    run: () => void,
    isOn = hasSelection,
  ): Command => {
    return { id, label, keys, run, group: 'Arrange', isOn };
  };
  const view = (id: string, label: string, keys: readonly string[], run: () => void): Command => {
    return { id, label, keys, run, group: 'View' };
  };
  const moves = (
    [
      ['Left', -1, 0],
      ['Right', 1, 0],
      ['Up', 0, -1],
      ['Down', 0, 1],
    ] as const
  ).flatMap(([way, dx, dy]) => [
    arrange(`nudge-${way}`, `Move ${way.toLowerCase()} by 1 px`, [`Arrow${way}`], step(dx, dy)),
    arrange(`nudge-${way}-10`, `Move ${way.toLowerCase()} by 10 px`, [`Shift+Arrow${way}`], step(dx * 10, dy * 10)),
    arrange(`grow-${way}`, `Resize ${way.toLowerCase()} by 1 px`, [`Mod+Arrow${way}`], () => resizeBy(editor, dx, dy)),
    arrange(`grow-${way}-10`, `Resize ${way.toLowerCase()} by 10 px`, [`Mod+Shift+Arrow${way}`], () =>
      resizeBy(editor, dx * 10, dy * 10),
    ),
  ]);
  return [
    ...TOOLS.map(
      ([tool, label, keys]): Command => ({
        id: `tool-${tool}`,
        label,
        keys,
        group: 'Tools',
        run: () => {
          editor.tool.value = tool;
        },
      }),
    ),
    edit(
      'undo',
      'Undo',
      ['Mod+Z'],
      () => editor.undo(),
      () => editor.canUndo.peek(),
    ),
    edit(
      'redo',
      'Redo',
      ['Mod+Shift+Z', 'Mod+Y'],
      () => editor.redo(),
      () => editor.canRedo.peek(),
    ),
    edit('cut', 'Cut', ['Mod+X'], context.cut, hasSelection),
    edit('copy', 'Copy', ['Mod+C'], context.copy, hasSelection),
    edit('paste', 'Paste', ['Mod+V'], () => context.paste(null)),
    edit('copy-style', 'Copy the style', ['Mod+Alt+C'], () => actions.copyStyle(editor), hasSelection),
    edit(
      'paste-style',
      'Paste the style',
      ['Mod+Alt+V'],
      () => actions.pasteStyle(editor),
      () => hasSelection() && actions.hasCopiedStyle(),
    ),
    edit('duplicate', 'Duplicate', ['Mod+D'], () => actions.duplicate(editor), hasSelection),
    edit('delete', 'Delete', ['Delete', 'Backspace'], () => actions.remove(editor), hasSelection),
    edit('rename', 'Rename', ['F2'], () => context.rename(editor.selection.peek()[0] ?? ''), hasSelection),
    edit(
      'hide',
      'Show or hide',
      ['Mod+Shift+H'],
      () => actions.toggleHidden(editor, editor.selection.peek()),
      hasSelection,
    ),
    edit(
      'lock',
      'Lock or unlock',
      ['Mod+Shift+L'],
      () => actions.toggleLocked(editor, editor.selection.peek()),
      hasSelection,
    ),
    ...(['bold', 'italic', 'underline'] as const).map((toggle) =>
      edit(
        toggle,
        labelOf(toggle),
        [`Mod+${toggle.charAt(0).toUpperCase()}`],
        () => actions.toggleTextStyle(editor, toggle),
        () => actions.selectedTexts(editor).length > 0,
      ),
    ),
    arrange('group', 'Group into a frame', ['Mod+G'], () => actions.group(editor)),
    arrange('ungroup', 'Ungroup', ['Mod+Shift+G'], () => actions.ungroup(editor)),
    arrange('component', 'Make a component', ['Mod+Alt+K'], context.makeComponent),
    edit(
      'split-svg',
      'Split the SVG into layers',
      [],
      () => context.splitSvg(editor.selection.peek()[0] ?? ''),
      () => isDrawing(editor),
    ),
    arrange('forward', 'Bring forward', ['Mod+]'], () => actions.order(editor, 'forward')),
    arrange('backward', 'Send backward', ['Mod+['], () => actions.order(editor, 'backward')),
    arrange('front', 'Bring to front', [']'], () => actions.order(editor, 'front')),
    arrange('back', 'Send to back', ['['], () => actions.order(editor, 'back')),
    arrange('align-left', 'Align left', ['Alt+A'], () => actions.align(editor, 'left')),
    arrange('align-right', 'Align right', ['Alt+D'], () => actions.align(editor, 'right')),
    arrange('align-top', 'Align top', ['Alt+W'], () => actions.align(editor, 'top')),
    arrange('align-bottom', 'Align bottom', ['Alt+S'], () => actions.align(editor, 'bottom')),
    arrange('align-centre', 'Align centers', ['Alt+H'], () => actions.align(editor, 'centre')),
    arrange('align-middle', 'Align middles', ['Alt+V'], () => actions.align(editor, 'middle')),
    arrange('distribute-x', 'Distribute across', ['Alt+Shift+H'], () => actions.distribute(editor, 'x'), hasMany),
    arrange('distribute-y', 'Distribute down', ['Alt+Shift+V'], () => actions.distribute(editor, 'y'), hasMany),
    arrange('turn-right', 'Turn by 15°', ['Alt+ArrowRight'], () => turnBy(editor, 15)),
    arrange('turn-left', 'Turn by −15°', ['Alt+ArrowLeft'], () => turnBy(editor, -15)),
    ...moves,
    { id: 'select-all', label: 'Select all', group: 'Select', keys: ['Mod+A'], run: () => actions.selectAll(editor) },
    { id: 'next', label: 'Next layer', group: 'Select', keys: ['Tab'], run: () => actions.selectBeside(editor, 1) },
    {
      id: 'previous',
      label: 'Previous layer',
      group: 'Select',
      keys: ['Shift+Tab'],
      run: () => actions.selectBeside(editor, -1),
    },
    {
      id: 'insert',
      label: 'With a tool: insert in the middle',
      group: 'Tools',
      keys: ['Enter'],
      run: () => {
        const tool = editor.tool.peek();
        if (tool !== 'select' && tool !== 'hand') insertInMiddle(editor, tool);
      },
      isOn: () => !/^(select|hand)$/.test(editor.tool.peek()),
    },
    {
      id: 'enter',
      label: 'Enter: edit words, crop, or what is in the frame',
      group: 'Select',
      keys: ['Enter'],
      run: () => enter(editor),
      isOn: hasSelection,
    },
    {
      id: 'parent',
      label: 'Select the frame around',
      group: 'Select',
      keys: ['Shift+Enter'],
      run: () => actions.selectParent(editor),
      isOn: hasSelection,
    },
    view('fit', 'Zoom to fit', ['Shift+1'], () => showAll(editor, viewport)),
    view('fit-selection', 'Zoom to the selection', ['Shift+2'], () => {
      const around = boundsOfAll(editor.selectedBoxes.peek());
      if (around) viewport.fit(around, 8);
    }),
    view('actual', 'Zoom to 100 %', ['Mod+0', 'Shift+0'], () => viewport.zoomTo(1)),
    view('zoom-in', 'Zoom in', ['Mod+=', 'Mod++', '+'], () => viewport.step(1)),
    view('zoom-out', 'Zoom out', ['Mod+-', '-'], () => viewport.step(-1)),
    view('rulers', 'Rulers', ['Shift+R'], () => toggle(editor.preferences.showRulers)),
    view('grid', 'Grid', ["Mod+'"], () => toggle(editor.preferences.showGrid)),
    view('snap', 'Snapping', ["Mod+Shift+'"], () => toggle(editor.preferences.snap)),
    view('exact', 'Exact pixels', ['Shift+E'], context.toggleExact),
    { id: 'save', label: 'Save the draft now', group: 'File', keys: ['Mod+S'], run: context.save },
    { id: 'publish', label: 'Publish', group: 'File', keys: ['Mod+Shift+P'], run: context.publish },
    { id: 'pdf', label: 'Preview as PDF', group: 'File', run: context.previewPdf },
    { id: 'download', label: 'Download', group: 'File', keys: ['Mod+Shift+E'], run: context.download },
    { id: 'region', label: 'Go to the next panel', group: 'View', keys: ['F6'], run: () => focusRegion(1) },
    {
      id: 'region-back',
      label: 'Go to the previous panel',
      group: 'View',
      keys: ['Shift+F6'],
      run: () => focusRegion(-1),
    },
    { id: 'palette', label: 'Commands', group: 'View', keys: ['Mod+K', 'Mod+/'], run: context.showPalette },
    { id: 'sheet', label: 'Keys', group: 'View', keys: ['?'], run: context.showSheet },
  ];
}

/** Whether one picture is selected, and it is an SVG. */
function isDrawing(editor: EditorState): boolean {
  const [layer, ...others] = editor.selectedLayers.peek();
  if (layer?.type !== 'image' || others.length > 0 || editor.isLocked(layer.name)) return false;
  return editor.compositor.images.sizeOf(String(layer.src ?? ''))?.format === 'svg';
}

function toggle(signal: { value: boolean }): void {
  signal.value = !signal.value;
}

export function showAll(editor: EditorState, viewport: Viewport): void {
  const { width, height } = editor.document.peek();
  viewport.fit({ x: 0, y: 0, width, height });
}

function enter(editor: EditorState): void {
  const [name] = editor.selection.peek();
  const box = name === undefined ? undefined : editor.picture.peek()?.byName.get(name);
  if (!box) return;
  if (box.box.kind === 'frame') {
    const [first] = box.box.children;
    if (first) editor.select([first.node.name]);
  } else enterLayer(editor, box);
}

function resizeBy(editor: EditorState, dx: number, dy: number): void {
  const boxes = editor.selectedBoxes.peek().filter(({ name }) => !editor.isLocked(name));
  resizeLayers(
    editor,
    new Map(
      boxes.map(({ name, rect }) => [
        name,
        {
          ...(dx !== 0 && { width: Math.max(1, Math.round(rect.width + dx)) }),
          ...(dy !== 0 && { height: Math.max(1, Math.round(rect.height + dy)) }),
        },
      ]),
    ),
  );
}

function turnBy(editor: EditorState, degrees: number): void {
  for (const { name, box } of editor.selectedBoxes.peek()) {
    if (editor.isLocked(name)) continue;
    const turned = ((((box.node.rotation + degrees + 180) % 360) + 360) % 360) - 180;
    actions.setProperty(editor, name, { rotation: turned === 0 ? undefined : turned });
  }
}

/** The regions of the editor in F6 order. */
const REGIONS = ['.canvas', '.inspector', '.top-bar', '.left-panel'];

function focusRegion(step: 1 | -1): void {
  const at = REGIONS.findIndex((region) => document.activeElement?.closest(region));
  const region =
    REGIONS[(Math.max(at, at < 0 && step > 0 ? -1 : 0) + step + REGIONS.length) % REGIONS.length] ?? '.canvas';
  const first =
    region === '.canvas'
      ? region
      : `${region} :is(a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"])`;
  document.querySelector<HTMLElement>(first)?.focus();
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** `⌘⇧Z` or `Ctrl+Shift+Z`, depending on the system. */
export function keysShown(keys: string): string {
  const names: Readonly<Record<string, string>> = isMac
    ? {
        Mod: '⌘',
        Shift: '⇧',
        Alt: '⌥',
        ArrowLeft: '←',
        ArrowRight: '→',
        ArrowUp: '↑',
        ArrowDown: '↓',
        Enter: '↵',
        Backspace: '⌫',
        Delete: '⌦',
        Escape: 'Esc',
      }
    : { Mod: 'Ctrl', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };
  return splitKeys(keys)
    .map((key) => names[key] ?? key)
    .join(isMac ? '' : '+');
}

/** `Mod++` is Mod and `+`. */
export const splitKeys = (keys: string): readonly string[] =>
  keys.split(/\+(?=.)/).map((key) => (key === '' ? '+' : key));

/** The command for a key press. */
export function commandFor(event: KeyboardEvent, commands: readonly Command[]): Command | null {
  const pressed = { mod: isMod(event), shift: event.shiftKey, alt: event.altKey };
  const letter = event.code.startsWith('Key')
    ? event.code.slice(3)
    : event.code.startsWith('Digit')
      ? event.code.slice(5)
      : null;
  const matches = (keys: string) => {
    const parts = splitKeys(keys);
    const key = parts.at(-1) ?? '';
    const wants = { mod: parts.includes('Mod'), shift: parts.includes('Shift'), alt: parts.includes('Alt') };
    // Characters such as ? need Shift on some keyboards and not on others.
    const isSign = key.length === 1 && !/[A-Z0-9]/.test(key);
    const isKey =
      event.key === key || (key.length === 1 && !isSign && (letter === key || event.key.toUpperCase() === key));
    return isKey && wants.mod === pressed.mod && wants.alt === pressed.alt && (isSign || wants.shift === pressed.shift);
  };
  const found = commands.filter(({ keys = [] }) => keys.some(matches));
  return found.find(({ isOn }) => isOn?.() ?? true) ?? found[0] ?? null;
}
