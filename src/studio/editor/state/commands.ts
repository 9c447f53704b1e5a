// Every command with its keys, used by the keyboard, the palette and the list of keys.

import type { Point } from '#core/geometry.ts';
import { isMac, ui } from '../../parts/ui-root.ts';
import { texts } from '../../texts/editor.ts';
import type { EditorTexts } from '../../texts/en/editor.ts';
import { boundsOfAll } from '../canvas/geometry-of.ts';
import { insertInMiddle } from '../canvas/insert-new.ts';
import { enterLayer, isMod } from '../canvas/pointer.ts';
import type { Viewport } from '../canvas/viewport.ts';
import * as actions from './actions.ts';
import type { EditorState, Tool } from './editor-state.ts';
import { resizeLayers } from './resize.ts';

type CommandId = keyof EditorTexts['commands'];

export interface Command {
  /** Also the key of its name in the texts. */
  readonly id: CommandId;
  readonly group: keyof EditorTexts['groups'];
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
  /** null, as below: there is no such command. */
  readonly publish: (() => void) | null;
  readonly showSheet: () => void;
  readonly showPalette: () => void;
  readonly rename: (name: string) => void;
  readonly copy: () => void;
  readonly cut: () => void;
  readonly paste: (at: Point | null) => void;
  readonly splitSvg: (name: string) => void;
  readonly makeComponent: (() => void) | null;
  readonly toggleExact: () => void;
  readonly previewPdf: () => void;
  readonly download: (() => void) | null;
}

const TOOLS: readonly (readonly [tool: Tool, keys: readonly string[]])[] = [
  ['select', ['V', 'Escape']],
  ['hand', ['H']],
  ['text', ['T']],
  ['frame', ['F']],
  ['rect', ['R']],
  ['ellipse', ['O']],
  ['line', ['L']],
  ['image', ['I']],
  ['table', ['G']],
  ['chart', ['C']],
  ['qr', ['Q']],
  ['barcode', ['B']],
];

export function commandsOf(context: CommandContext): readonly Command[] {
  const { editor, viewport } = context;
  const hasSelection = () => editor.selection.peek().length > 0;
  const hasMany = () => editor.selection.peek().length > 1;
  const step = (dx: number, dy: number) => () => actions.nudge(editor, dx, dy);
  const edit = (id: CommandId, keys: readonly string[], run: () => void, isOn?: () => boolean): Command => {
    return { id, keys, run, group: 'edit', ...(isOn && { isOn }) };
  };
  const arrange = (id: CommandId, keys: readonly string[], run: () => void, isOn = hasSelection): Command => {
    return { id, keys, run, group: 'arrange', isOn };
  };
  const view = (id: CommandId, keys: readonly string[], run: () => void): Command => {
    return { id, keys, run, group: 'view' };
  };
  const moves = (
    [
      ['Left', -1, 0],
      ['Right', 1, 0],
      ['Up', 0, -1],
      ['Down', 0, 1],
    ] as const
  ).flatMap(([way, dx, dy]) => [
    arrange(`nudge-${way}`, [`Arrow${way}`], step(dx, dy)),
    arrange(`nudge-${way}-10`, [`Shift+Arrow${way}`], step(dx * 10, dy * 10)),
    arrange(`grow-${way}`, [`Mod+Arrow${way}`], () => resizeBy(editor, dx, dy)),
    arrange(`grow-${way}-10`, [`Mod+Shift+Arrow${way}`], () => resizeBy(editor, dx * 10, dy * 10)),
  ]);
  return [
    ...TOOLS.map(
      ([tool, keys]): Command => ({
        id: `tool-${tool}`,
        keys,
        group: 'tools',
        run: () => {
          editor.tool.value = tool;
        },
      }),
    ),
    edit(
      'undo',
      ['Mod+Z'],
      () => editor.undo(),
      () => editor.canUndo.peek(),
    ),
    edit(
      'redo',
      ['Mod+Shift+Z', 'Mod+Y'],
      () => editor.redo(),
      () => editor.canRedo.peek(),
    ),
    edit('cut', ['Mod+X'], context.cut, hasSelection),
    edit('copy', ['Mod+C'], context.copy, hasSelection),
    edit('paste', ['Mod+V'], () => context.paste(null)),
    edit('copy-style', ['Mod+Alt+C'], () => actions.copyStyle(editor), hasSelection),
    edit(
      'paste-style',
      ['Mod+Alt+V'],
      () => actions.pasteStyle(editor),
      () => hasSelection() && actions.hasCopiedStyle(),
    ),
    edit('duplicate', ['Mod+D'], () => actions.duplicate(editor), hasSelection),
    edit('delete', ['Delete', 'Backspace'], () => actions.remove(editor), hasSelection),
    edit('rename', ['F2'], () => context.rename(editor.selection.peek()[0] ?? ''), hasSelection),
    edit('hide', ['Mod+Shift+H'], () => actions.toggleHidden(editor, editor.selection.peek()), hasSelection),
    edit(
      'page-break',
      [],
      () => actions.togglePageBreak(editor, editor.selection.peek()),
      () => actions.canBreak(editor, editor.selection.peek()),
    ),
    edit('lock', ['Mod+Shift+L'], () => actions.toggleLocked(editor, editor.selection.peek()), hasSelection),
    ...(['bold', 'italic', 'underline'] as const).map((toggle) =>
      edit(
        toggle,
        [`Mod+${toggle.charAt(0).toUpperCase()}`],
        () => actions.toggleTextStyle(editor, toggle),
        () => actions.selectedTexts(editor).length > 0,
      ),
    ),
    arrange('group', ['Mod+G'], () => actions.group(editor)),
    arrange('ungroup', ['Mod+Shift+G'], () => actions.ungroup(editor)),
    ...given(context.makeComponent, (run) => arrange('component', ['Mod+Alt+K'], run)),
    edit(
      'split-svg',
      [],
      () => context.splitSvg(editor.selection.peek()[0] ?? ''),
      () => isDrawing(editor),
    ),
    arrange('forward', ['Mod+]'], () => actions.order(editor, 'forward')),
    arrange('backward', ['Mod+['], () => actions.order(editor, 'backward')),
    arrange('front', [']'], () => actions.order(editor, 'front')),
    arrange('back', ['['], () => actions.order(editor, 'back')),
    arrange('align-left', ['Alt+A'], () => actions.align(editor, 'left')),
    arrange('align-right', ['Alt+D'], () => actions.align(editor, 'right')),
    arrange('align-top', ['Alt+W'], () => actions.align(editor, 'top')),
    arrange('align-bottom', ['Alt+S'], () => actions.align(editor, 'bottom')),
    arrange('align-centre', ['Alt+H'], () => actions.align(editor, 'centre')),
    arrange('align-middle', ['Alt+V'], () => actions.align(editor, 'middle')),
    arrange('distribute-x', ['Alt+Shift+H'], () => actions.distribute(editor, 'x'), hasMany),
    arrange('distribute-y', ['Alt+Shift+V'], () => actions.distribute(editor, 'y'), hasMany),
    arrange('turn-right', ['Alt+ArrowRight'], () => turnBy(editor, 15)),
    arrange('turn-left', ['Alt+ArrowLeft'], () => turnBy(editor, -15)),
    ...moves,
    { id: 'select-all', group: 'select', keys: ['Mod+A'], run: () => actions.selectAll(editor) },
    { id: 'next', group: 'select', keys: ['Tab'], run: () => actions.selectBeside(editor, 1) },
    {
      id: 'previous',
      group: 'select',
      keys: ['Shift+Tab'],
      run: () => actions.selectBeside(editor, -1),
    },
    {
      id: 'insert',
      group: 'tools',
      keys: ['Enter'],
      run: () => {
        const tool = editor.tool.peek();
        if (tool !== 'select' && tool !== 'hand') insertInMiddle(editor, tool);
      },
      isOn: () => !/^(select|hand)$/.test(editor.tool.peek()),
    },
    {
      id: 'enter',
      group: 'select',
      keys: ['Enter'],
      run: () => enter(editor),
      isOn: hasSelection,
    },
    {
      id: 'parent',
      group: 'select',
      keys: ['Shift+Enter'],
      run: () => actions.selectParent(editor),
      isOn: hasSelection,
    },
    view('fit', ['Shift+1'], () => showAll(editor, viewport)),
    view('fit-selection', ['Shift+2'], () => {
      const around = boundsOfAll(editor.selectedBoxes.peek());
      if (around) viewport.fit(around, 8);
    }),
    view('actual', ['Mod+0', 'Shift+0'], () => viewport.zoomTo(1)),
    view('zoom-in', ['Mod+=', 'Mod++', '+'], () => viewport.step(1)),
    view('zoom-out', ['Mod+-', '-'], () => viewport.step(-1)),
    view('rulers', ['Shift+R'], () => toggle(editor.preferences.showRulers)),
    view('grid', ["Mod+'"], () => toggle(editor.preferences.showGrid)),
    view('snap', ["Mod+Shift+'"], () => toggle(editor.preferences.snap)),
    view('exact', ['Shift+E'], context.toggleExact),
    { id: 'save', group: 'file', keys: ['Mod+S'], run: context.save },
    ...given(context.publish, (run) => ({ id: 'publish', group: 'file', keys: ['Mod+Shift+P'], run }) as const),
    { id: 'pdf', group: 'file', run: context.previewPdf },
    ...given(context.download, (run) => ({ id: 'download', group: 'file', keys: ['Mod+Shift+E'], run }) as const),
    { id: 'region', group: 'view', keys: ['F6'], run: () => focusRegion(1) },
    {
      id: 'region-back',
      group: 'view',
      keys: ['Shift+F6'],
      run: () => focusRegion(-1),
    },
    { id: 'palette', group: 'view', keys: ['Mod+K', 'Mod+/'], run: context.showPalette },
    { id: 'sheet', group: 'view', keys: ['?'], run: context.showSheet },
  ];
}

const given = (run: (() => void) | null, command: (run: () => void) => Command): readonly Command[] =>
  run ? [command(run)] : [];

/** Whether one picture is selected, and it is an SVG. */
function isDrawing(editor: EditorState): boolean {
  const [layer, ...others] = editor.selectedLayers.peek();
  if (layer?.type !== 'image' || others.length > 0 || editor.isLocked(layer.name)) return false;
  return editor.compositor.images.sizeOf(String(layer.src ?? ''))?.format === 'svg';
}

function toggle(signal: { value: boolean }): void {
  signal.value = !signal.value;
}

function showAll(editor: EditorState, viewport: Viewport): void {
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
  const at = REGIONS.findIndex((region) => ui.root.activeElement?.closest(region));
  const region =
    REGIONS[(Math.max(at, at < 0 && step > 0 ? -1 : 0) + step + REGIONS.length) % REGIONS.length] ?? '.canvas';
  const first =
    region === '.canvas'
      ? region
      : `${region} :is(a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"])`;
  ui.root.querySelector<HTMLElement>(first)?.focus();
}

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
    : { ...texts.value.keyNames, ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };
  return splitKeys(keys)
    .map((key) => names[key] ?? key)
    .join(isMac ? '' : '+');
}

/** `Mod++` is Mod and `+`. */
const splitKeys = (keys: string): readonly string[] => keys.split(/\+(?=.)/).map((key) => (key === '' ? '+' : key));

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
