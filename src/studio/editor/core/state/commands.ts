// Every command with its keys, its scope and its icon: one table for the keyboard, the palette, menus, the toolbar, the list of
// keys and the documentation.

import type { Signal } from '@preact/signals';
import type { Point } from '#core/geometry.ts';
import type { EditorTexts } from '../../../texts/en/editor.ts';
import { isPage, mayHavePages, pagesOf } from '../document/hand-pages.ts';
import { boundsOfAll } from '../geometry/geometry-of.ts';
import type { Viewport } from '../geometry/viewport.ts';
import * as actions from './actions.ts';
import type { EditorState } from './editor-state.ts';
import { enterLayer } from './enter-layer.ts';
import { insertInMiddle } from './insert-new.ts';
import { LIBRARY_PARTS, type LibraryPart, type Tool } from './mode.ts';
import * as pages from './page-actions.ts';
import { isPressOf, type Press } from './press.ts';
import { resizeLayers } from './resize.ts';

type CommandId = keyof EditorTexts['commands'];

export type CommandIcon =
  | (
      | 'mousePointer2'
      | 'hand'
      | 'type'
      | 'frame'
      | 'square'
      | 'circle'
      | 'hexagon'
      | 'star'
      | 'lineIcon'
      | 'image'
      | 'table2'
    )
  | ('chartColumn' | 'qrCode' | 'barcode' | 'undo2' | 'redo2' | 'bold' | 'italic' | 'underline')
  | ('list' | 'listOrdered')
  | ('plus' | 'minus' | 'download' | 'search' | 'keyboard');

/** Where the keys of a command are for it: in fields too, anywhere but in fields, or on the canvas alone. */
type Scope = 'always' | 'page' | 'canvas';

interface CommandRow {
  /** Also the key of its name in the texts. */
  readonly id: CommandId;
  readonly group: keyof EditorTexts['groups'];
  /** Such as `Mod+Shift+Z`; the first is shown. */
  readonly keys: readonly string[];
  readonly scope: Scope;
  /** Which picture it is: ../../panels/command-icons.ts. */
  readonly icon?: CommandIcon;
  /** A larger step of the command before it, which no list repeats. */
  readonly isLarger?: true;
  /** The tool that it chooses. */
  readonly tool?: Tool;
  /** What the browser does with its keys instead: copies words that are selected in the page, or tells of what is pasted. */
  readonly clipboard?: 'copies' | 'pastes';
  /** Whether there is such a command; absent = always. */
  readonly isThere?: (context: CommandContext) => boolean;
  /** Whether it can do something now; absent = always. */
  readonly isOn?: (context: CommandContext) => boolean;
  readonly run: (context: CommandContext) => void;
}

/** A command of one editor. */
export interface Command extends Omit<CommandRow, 'isThere' | 'isOn' | 'run'> {
  readonly isOn: () => boolean;
  readonly run: () => void;
}

export interface CommandContext {
  readonly editor: EditorState;
  readonly viewport: Viewport;
  /** The list that is open. */
  readonly shown: Signal<'palette' | 'sheet' | null>;
  readonly exact: Signal<'off' | 'exact' | 'difference'>;
  readonly save: () => void;
  /** null, as below: there is no such command. */
  readonly publish: (() => void) | null;
  readonly download: (() => void) | null;
  readonly makeComponent: (() => void) | null;
  /** Shows where a component is edited. */
  readonly goToComponent: ((id: string) => void) | null;
  readonly detach: (name: string) => void;
  /** The part of the library that is shown; null = none. */
  readonly library: Signal<LibraryPart | null>;
  readonly rename: (name: string) => void;
  readonly copy: () => void;
  readonly cut: () => void;
  readonly paste: (at: Point | null) => void;
  readonly splitSvg: (name: string) => void;
  readonly previewPdf: () => void;
  /** Gives the focus to the next part of the editor, or the one before. */
  readonly focusRegion: (step: 1 | -1) => void;
}

type Run = CommandRow['run'];
type More = Partial<CommandRow>;

const hasSelection = ({ editor }: CommandContext) => editor.selection.peek().length > 0;
const hasMany = ({ editor }: CommandContext) => editor.selection.peek().length > 1;
const selection = ({ editor }: CommandContext) => editor.selection.peek();

const row = (id: CommandId, group: CommandRow['group'], keys: readonly string[], run: Run, more: More = {}) =>
  ({ id, group, keys, run, scope: 'page', ...more }) satisfies CommandRow as CommandRow;
const edit = (id: CommandId, keys: readonly string[], run: Run, more?: More) => row(id, 'edit', keys, run, more);
/** For what is selected. */
const editOf = (id: CommandId, keys: readonly string[], run: Run, more?: More) =>
  row(id, 'edit', keys, run, { isOn: hasSelection, ...more });
const arrange = (id: CommandId, keys: readonly string[], run: (editor: EditorState) => void, more?: More) =>
  row(id, 'arrange', keys, ({ editor }) => run(editor), { isOn: hasSelection, ...more });
const view = (id: CommandId, keys: readonly string[], run: Run, more?: More) => row(id, 'view', keys, run, more);
const select = (id: CommandId, keys: readonly string[], run: (editor: EditorState) => void, more?: More) =>
  row(id, 'select', keys, ({ editor }) => run(editor), { scope: 'canvas', ...more });
const tool = (name: Tool, key: string, icon: CommandIcon) =>
  row(`tool-${name}`, 'tools', [key], ({ editor }) => editor.choose(name), { tool: name, icon });
type OnPage = (editor: EditorState, viewport: Viewport) => void;
const page = (id: CommandId, keys: readonly string[], run: OnPage, isOn: (context: CommandContext) => boolean) =>
  row(id, 'pages', keys, ({ editor, viewport }) => run(editor, viewport), { scope: 'canvas', isOn });
const isDocument = ({ editor }: CommandContext) => (editor.picture.peek()?.pages.length ?? 0) > 0;
const hasPage = ({ editor }: CommandContext) => pages.currentPage(editor) !== null;
const hasPages = (context: CommandContext) => hasPage(context) && pagesOf(context.editor.document.peek()).length > 1;

const LARGER: More = { isLarger: true };
const moves = (
  [
    ['Left', -1, 0],
    ['Right', 1, 0],
    ['Up', 0, -1],
    ['Down', 0, 1],
  ] as const
).flatMap(([way, dx, dy]) => [
  arrange(`nudge-${way}`, [`Arrow${way}`], (editor) => actions.nudge(editor, dx, dy)),
  arrange(`nudge-${way}-10`, [`Shift+Arrow${way}`], (editor) => actions.nudge(editor, dx * 10, dy * 10), LARGER),
  arrange(`grow-${way}`, [`Mod+Arrow${way}`], (editor) => resizeBy(editor, dx, dy)),
  arrange(`grow-${way}-10`, [`Mod+Shift+Arrow${way}`], (editor) => resizeBy(editor, dx * 10, dy * 10), LARGER),
]);

/** The key and the icon of each tool, in their order. */
const TOOLS: Readonly<Record<Tool, readonly [key: string, icon: CommandIcon]>> = {
  select: ['V', 'mousePointer2'],
  hand: ['H', 'hand'],
  text: ['T', 'type'],
  frame: ['F', 'frame'],
  rect: ['R', 'square'],
  ellipse: ['O', 'circle'],
  polygon: ['P', 'hexagon'],
  star: ['S', 'star'],
  line: ['L', 'lineIcon'],
  image: ['I', 'image'],
  table: ['G', 'table2'],
  chart: ['C', 'chartColumn'],
  qr: ['Q', 'qrCode'],
  barcode: ['B', 'barcode'],
};

export const COMMANDS: readonly CommandRow[] = [
  ...(Object.keys(TOOLS) as Tool[]).map((name) => tool(name, ...TOOLS[name])),
  edit('undo', ['Mod+Z'], ({ editor }) => editor.undo(), {
    icon: 'undo2',
    isOn: ({ editor }) => editor.canUndo.value,
  }),
  edit('redo', ['Mod+Shift+Z', 'Mod+Y'], ({ editor }) => editor.redo(), {
    icon: 'redo2',
    isOn: ({ editor }) => editor.canRedo.value,
  }),
  editOf('cut', ['Mod+X'], ({ cut }) => cut(), { clipboard: 'copies' }),
  editOf('copy', ['Mod+C'], ({ copy }) => copy(), { clipboard: 'copies' }),
  edit('paste', ['Mod+V'], ({ paste }) => paste(null), { clipboard: 'pastes' }),
  editOf('copy-style', ['Mod+Alt+C'], ({ editor }) => actions.copyStyle(editor)),
  editOf('paste-style', ['Mod+Alt+V'], ({ editor }) => actions.pasteStyle(editor), {
    isOn: (context) => hasSelection(context) && context.editor.preferences.copiedStyle !== null,
  }),
  editOf('duplicate', ['Mod+D'], ({ editor }) => actions.duplicate(editor)),
  editOf('delete', ['Delete', 'Backspace'], ({ editor }) => actions.remove(editor)),
  editOf('rename', ['F2'], (context) => context.rename(selection(context)[0] ?? '')),
  editOf('hide', ['Mod+Shift+H'], (context) => actions.toggleHidden(context.editor, selection(context))),
  edit('page-break', [], (context) => actions.togglePageBreak(context.editor, selection(context)), {
    isOn: (context) => actions.canBreak(context.editor, selection(context)),
  }),
  edit('every-page', [], ({ editor }) => pages.toggleEveryPage(editor), {
    isOn: ({ editor }) => pages.canBeOnEveryPage(editor),
  }),
  editOf('lock', ['Mod+Shift+L'], (context) => actions.toggleLocked(context.editor, selection(context))),
  ...(['bold', 'italic', 'underline'] as const).map((style) =>
    edit(style, [`Mod+${style.charAt(0).toUpperCase()}`], ({ editor }) => actions.toggleTextStyle(editor, style), {
      icon: style,
      isOn: ({ editor }) => actions.selectedTexts(editor).length > 0,
    }),
  ),
  ...(
    [
      ['bullets', 'disc', 'Mod+Shift+8', 'list'],
      ['numbers', 'decimal', 'Mod+Shift+7', 'listOrdered'],
    ] as const
  ).map(([id, style, keys, icon]) =>
    edit(id, [keys], ({ editor }) => actions.toggleList(editor, style), {
      icon,
      isOn: ({ editor }) => actions.selectedTexts(editor).length > 0,
    }),
  ),
  arrange('group', ['Mod+G'], actions.group),
  arrange('ungroup', ['Mod+Shift+G'], actions.ungroup, {
    isOn: ({ editor }) => actions.groupsIn(editor).length > 0,
  }),
  row('component', 'arrange', ['Mod+Alt+K'], ({ makeComponent }) => makeComponent?.(), {
    isThere: ({ makeComponent }) => makeComponent !== null,
    isOn: hasSelection,
  }),
  row('detach', 'arrange', ['Mod+Alt+B'], (context) => context.detach(selection(context)[0] ?? ''), {
    isOn: ({ editor }) => isComponent(editor),
  }),
  row(
    'go-to-component',
    'arrange',
    [],
    ({ editor, goToComponent }) =>
      goToComponent?.(String(editor.selectedLayers.peek()[0]?.template).split('@')[0] ?? ''),
    { isThere: ({ goToComponent }) => goToComponent !== null, isOn: ({ editor }) => isComponent(editor) },
  ),
  edit('split-svg', [], (context) => context.splitSvg(selection(context)[0] ?? ''), {
    isOn: ({ editor }) => isDrawing(editor),
  }),
  arrange('forward', ['Mod+]'], (editor) => actions.order(editor, 'forward')),
  arrange('backward', ['Mod+['], (editor) => actions.order(editor, 'backward')),
  arrange('front', [']'], (editor) => actions.order(editor, 'front')),
  arrange('back', ['['], (editor) => actions.order(editor, 'back')),
  arrange('align-left', ['Alt+A'], (editor) => actions.align(editor, 'left')),
  arrange('align-right', ['Alt+D'], (editor) => actions.align(editor, 'right')),
  arrange('align-top', ['Alt+W'], (editor) => actions.align(editor, 'top')),
  arrange('align-bottom', ['Alt+S'], (editor) => actions.align(editor, 'bottom')),
  arrange('align-centre', ['Alt+H'], (editor) => actions.align(editor, 'centre')),
  arrange('align-middle', ['Alt+V'], (editor) => actions.align(editor, 'middle')),
  arrange('distribute-x', ['Alt+Shift+H'], (editor) => actions.distribute(editor, 'x'), { isOn: hasMany }),
  arrange('distribute-y', ['Alt+Shift+V'], (editor) => actions.distribute(editor, 'y'), { isOn: hasMany }),
  arrange('flip-x', ['Shift+H'], (editor) => actions.flip(editor, 'x')),
  arrange('flip-y', ['Shift+V'], (editor) => actions.flip(editor, 'y')),
  arrange('turn-right', ['Alt+ArrowRight'], (editor) => turnBy(editor, 15)),
  arrange('turn-left', ['Alt+ArrowLeft'], (editor) => turnBy(editor, -15)),
  ...moves,
  select('select-all', ['Mod+A'], actions.selectAll, { scope: 'page' }),
  select('next', ['Tab'], (editor) => actions.selectBeside(editor, 1)),
  select('previous', ['Shift+Tab'], (editor) => actions.selectBeside(editor, -1)),
  row(
    'insert',
    'tools',
    ['Enter'],
    ({ editor }) => {
      const chosen = editor.tool.peek();
      if (chosen !== 'select' && chosen !== 'hand') insertInMiddle(editor, chosen);
    },
    { isOn: ({ editor }) => editor.tool.peek() !== 'select' && editor.tool.peek() !== 'hand' },
  ),
  select('enter', ['Enter'], enter, { isOn: hasSelection }),
  select('parent', ['Shift+Enter'], actions.selectParent, { isOn: ({ editor }) => actions.hasParent(editor) }),
  page('page-add', ['Mod+Enter'], pages.insertPage, ({ editor }) => mayHavePages(editor.document.peek())),
  page('page-duplicate', [], pages.duplicatePage, hasPage),
  page('page-delete', [], pages.deletePage, hasPages),
  page('page-earlier', [], (editor, viewport) => orderBy(editor, viewport, -1), hasPages),
  page('page-later', [], (editor, viewport) => orderBy(editor, viewport, 1), hasPages),
  page('page-next', ['PageDown'], (editor, viewport) => goBy(editor, viewport, 1), isDocument),
  page('page-previous', ['PageUp'], (editor, viewport) => goBy(editor, viewport, -1), isDocument),
  view('fit', ['Shift+1'], ({ editor, viewport }) => {
    const { width, height } = editor.document.peek();
    const y = editor.picture.peek()?.pages[editor.pageInSight.peek()] ?? 0;
    viewport.fit({ x: 0, y, width, height });
  }),
  view('fit-selection', ['Shift+2'], ({ editor, viewport }) => {
    const around = boundsOfAll(editor.selectedBoxes.peek());
    if (around) viewport.fit(around, 8);
  }),
  view('actual', ['Mod+0', 'Shift+0'], ({ viewport }) => viewport.zoomTo(1)),
  view('zoom-in', ['Mod+=', 'Mod++', '+'], ({ viewport }) => viewport.step(1), { icon: 'plus' }),
  view('zoom-out', ['Mod+-', '-'], ({ viewport }) => viewport.step(-1), { icon: 'minus' }),
  view('panels', ['Mod+\\'], ({ editor }) => toggle(editor.preferences.showPanels)),
  ...LIBRARY_PARTS.map((part) =>
    view(
      `library-${part}`,
      part === 'components' ? ['Shift+I'] : [],
      ({ editor, library }) => {
        editor.preferences.showPanels.value = true;
        library.value = part;
      },
      { isThere: ({ editor }) => editor.limits?.mayDesign !== false },
    ),
  ),
  view('rulers', ['Shift+R'], ({ editor }) => toggle(editor.preferences.showRulers)),
  view('grid', ["Mod+'"], ({ editor }) => toggle(editor.preferences.showGrid)),
  view('snap', ["Mod+Shift+'"], ({ editor }) => toggle(editor.preferences.snap)),
  view('exact', ['Shift+E'], ({ exact }) => {
    exact.value = exact.peek() === 'off' ? 'exact' : 'off';
  }),
  row('save', 'file', ['Mod+S'], ({ save }) => save(), { scope: 'always' }),
  row('publish', 'file', ['Mod+Shift+P'], ({ publish }) => publish?.(), {
    scope: 'always',
    isThere: ({ publish }) => publish !== null,
  }),
  row('pdf', 'file', [], ({ previewPdf }) => previewPdf()),
  row('download', 'file', ['Mod+Shift+E'], ({ download }) => download?.(), {
    icon: 'download',
    isThere: ({ download }) => download !== null,
  }),
  view('region', ['F6'], ({ focusRegion }) => focusRegion(1), { scope: 'always' }),
  view('region-back', ['Shift+F6'], ({ focusRegion }) => focusRegion(-1), { scope: 'always' }),
  view('palette', ['Mod+K', 'Mod+/'], ({ shown }) => show(shown, 'palette'), { scope: 'always', icon: 'search' }),
  view('sheet', ['?'], ({ shown }) => show(shown, 'sheet'), { icon: 'keyboard' }),
];

/** The commands of an editor. */
export const commandsOf = (context: CommandContext): readonly Command[] =>
  COMMANDS.filter(({ isThere }) => isThere?.(context) ?? true).map(({ isThere: _, ...command }) => ({
    ...command,
    isOn: () => command.isOn?.(context) ?? true,
    run: () => command.run(context),
  }));

function show(shown: CommandContext['shown'], list: 'palette' | 'sheet'): void {
  shown.value = list;
}

/** Whether one component is selected. */
function isComponent(editor: EditorState): boolean {
  const [layer, ...others] = editor.selectedLayers.peek();
  return layer?.type === 'template' && others.length === 0 && !editor.isLocked(layer.name);
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

const goBy = (editor: EditorState, viewport: Viewport, step: 1 | -1): void =>
  pages.goToPage(editor, viewport, editor.pageInSight.peek() + step);

/** Moves the current page one place. */
function orderBy(editor: EditorState, viewport: Viewport, step: 1 | -1): void {
  const name = pages.currentPage(editor);
  const at = pagesOf(editor.document.peek()).findIndex((one) => one.name === name);
  if (name !== null) pages.orderPage(editor, viewport, name, at + step);
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
  const boxes = editor.selectedBoxes.peek().filter(({ name }) => !editor.isLocked(name) && !isPage(editor.layer(name)));
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

/** The command for a key press; of several, the first that can do something. */
export function commandFor(press: Press, commands: readonly Command[]): Command | null {
  const found = commands.filter(({ keys }) => keys.some((one) => isPressOf(press, one)));
  return found.find(({ isOn }) => isOn()) ?? found[0] ?? null;
}
