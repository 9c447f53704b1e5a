// The canvas: the picture as core lays it out, with the editing overlay above it.

import { setSignal } from '../../parts/action.ts';
import './canvas.css';
import './cell-editor.css';
import { effect, signal, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type Point, transformPoint } from '#core/geometry.ts';
import type { LayoutBox, TextBox } from '#core/layout/box.ts';
import { contextMenu } from '../../parts/context-menu.tsx';
import type { MenuEntry } from '../../parts/menu.tsx';
import { onDemand } from '../../parts/on-demand.tsx';
import { keysOf } from '../../parts/ui-root.ts';
import { texts } from '../../texts/editor.ts';
import { isMod, keysIn } from '../browser.ts';
import type { RawLayer } from '../core/document/document.ts';
import { changeLayer } from '../core/document/edits.ts';
import { addEntry, type CellPlace, editableCells, setTextAtCell, textAtCell } from '../core/document/table-edits.ts';
import { boundsOfAll } from '../core/geometry/geometry-of.ts';
import { cellBox } from '../core/geometry/table-places.ts';
import { RULER, type Viewport } from '../core/geometry/viewport.ts';
import type { Stroke } from '../core/gestures/pointer.ts';
import type { EditorParts } from '../core/open-editor.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { SELECT } from '../core/state/mode.ts';
import { Overlay } from './overlay.tsx';
import { SvgPatcher } from './svg-patcher.ts';
import { TextEditor } from './text-editor.tsx';

const CropEditor = onDemand(async () => (await import('./crop-editor.tsx')).CropEditor);

interface CanvasProps {
  readonly parts: EditorParts;
  /** The server's picture, shown above the canvas in the exact pixels mode. */
  readonly children?: ComponentChildren;
  /** The entries of the menu at a point of the canvas; null = opened by a key. */
  readonly menu: (at: Point | null) => readonly MenuEntry[];
  readonly onDropFiles: (files: readonly File[], at: Point) => void;
}

export function Canvas({ parts, onDropFiles, menu, children }: CanvasProps) {
  const { editor, viewport, pointer, marks } = parts;
  const view = useRef<HTMLDivElement>(null);
  const root = useRef<SVGGElement>(null);
  const artboard = useRef<SVGSVGElement>(null);
  const paperRef = useRef<HTMLDivElement>(null);
  const alt = useMemo(() => signal(false), []);

  useEffect(() => {
    if (!view.current || !root.current || !artboard.current || !paperRef.current) return;
    const element = view.current;
    const patcher = new SvgPatcher(root.current);
    const paper = artboard.current;
    const sheet = paperRef.current;
    const stops = [
      effect(() => {
        const picture = editor.picture.value;
        if (!picture) return;
        patcher.patch(picture.svg, picture, viewport.inSight());
        const { width, height } = picture.scene;
        paper.setAttribute('viewBox', `0 0 ${width} ${height}`);
      }),
      effect(() => {
        // An empty sheet, while fonts and pictures are loaded.
        const { width, height } = editor.picture.value?.scene ?? editor.document.value;
        const zoom = viewport.zoom.value;
        const { x, y } = viewport.offset.value;
        for (const { style } of [paper, sheet]) {
          style.width = `${width * zoom}px`;
          style.height = `${height * zoom}px`;
          style.transform = `translate(${x}px, ${y}px)`;
        }
      }),
      effect(() => {
        for (const seen of [viewport.zoom, viewport.offset, viewport.size]) void seen.value;
        patcher.settle();
      }),
      effect(() => {
        element.dataset.tool = editor.tool.value;
        element.style.cursor = pointer.cursor.value;
        element.classList.toggle('is-panning', pointer.isSpaceDown.value || editor.tool.value === 'hand');
      }),
    ];
    const onWheel = (event: WheelEvent) => {
      // Lists in the bar of a text scroll by themselves.
      if (event.target instanceof Element && event.target.closest('.text-bar')) return;
      event.preventDefault();
      const { deltaX: dx, deltaY: dy, deltaMode } = event;
      pointer.wheel({ ...keysIn(event), at: pointIn(element, event), dx, dy, isLines: deltaMode === 1 });
    };
    // Preact adds wheel listeners as passive, which cannot prevent scrolling.
    element.addEventListener('wheel', onWheel, { passive: false });
    const resize = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      const { width: w, height: h } = editor.document.peek();
      viewport.resize({ width, height }, { width: w, height: h });
    });
    resize.observe(element);
    const keys = keysOf(element);
    const onAlt = ((event: KeyboardEvent) => setSignal(alt, event.altKey)) as EventListener;
    keys.addEventListener('keydown', onAlt);
    keys.addEventListener('keyup', onAlt);
    // For measurements and tests.
    (element as HTMLElement & { patcher?: SvgPatcher }).patcher = patcher;
    return () => {
      for (const stop of stops) stop();
      resize.disconnect();
      element.removeEventListener('wheel', onWheel);
      keys.removeEventListener('keydown', onAlt);
      keys.removeEventListener('keyup', onAlt);
    };
  }, [editor, viewport, pointer, alt]);

  const kind = useComputed(() => editor.task.value.kind).value;
  return (
    <div
      ref={view}
      class="canvas"
      role="application"
      aria-label={texts.value.inspector.canvas}
      aria-roledescription={texts.value.canvas.canvasRole}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas takes keys as an application does.
      tabIndex={0}
      onKeyUp={(event) => {
        // Shows where the focus is after Tab has reached the canvas; the selection does so from then on.
        const hasArrived = event.key === 'Tab' && editor.selection.peek().length === 0;
        event.currentTarget.classList.toggle('is-reached', hasArrived);
      }}
      {...contextMenu({
        label: texts.value.inspector.canvas,
        entries: (event) => {
          // While words are edited, the browser's menu has what is wanted.
          if (editor.task.peek().kind === 'text') return [];
          const at = event instanceof MouseEvent && view.current ? pointIn(view.current, event) : null;
          return menu(at && pointer.pressMenu(at, isMod(event)));
        },
        anchor: (canvas) => canvas.querySelector('.overlay .outline'),
      })}
      onBlur={(event) => event.currentTarget.classList.remove('is-reached')}
      onPointerDown={(event) => {
        const { button, pointerId, currentTarget } = event;
        if (button === 0 || button === 1) currentTarget.setPointerCapture(pointerId);
        const stroke = {
          ...keysIn(event),
          at: pointIn(currentTarget, event),
          button,
          on: handleOf(event.target),
          finger: fingerOf(event),
        };
        if (pointer.down(stroke)) event.preventDefault();
      }}
      onPointerMove={(event) => {
        const at = pointIn(event.currentTarget, event);
        pointer.move({ ...keysIn(event), at, finger: fingerOf(event) }, event.buttons !== 0);
      }}
      onPointerUp={(event) => pointer.up(fingerOf(event))}
      onPointerCancel={() => pointer.cancel()}
      onPointerLeave={() => setSignal(editor.hovered, null)}
      onDblClick={(event) => pointer.doubleClick(pointIn(event.currentTarget, event))}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length > 0) onDropFiles(files, viewport.toCanvas(pointIn(event.currentTarget, event)));
      }}
    >
      <div ref={paperRef} class="paper" />
      <svg ref={artboard} class="artboard" role="img" aria-label={texts.value.canvas.template} data-artboard>
        <g ref={root} />
      </svg>
      {children}
      <Overlay {...{ editor, viewport, pointer, marks, alt }} />
      {kind === 'cell' && <CellEditor editor={editor} viewport={viewport} />}
      {kind === 'crop' && <CropEditor editor={editor} viewport={viewport} />}
      {kind === 'text' && <TextEditor editor={editor} viewport={viewport} />}
      <Rulers editor={editor} viewport={viewport} />
    </div>
  );
}

/** Names the finger of a touch; undefined: a mouse or a pen. */
const fingerOf = ({ pointerType, pointerId }: PointerEvent): number | undefined =>
  pointerType === 'touch' ? pointerId : undefined;

/** Where an event is in the view, px. */
function pointIn(view: Element, { clientX, clientY }: MouseEvent): Point {
  const { left, top } = view.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/** The ruler or the guide that is pressed. */
function handleOf(target: EventTarget | null): Stroke['on'] {
  if (!(target instanceof Element)) return null;
  const ruler = target.closest<SVGElement>('[data-ruler]')?.dataset.ruler;
  if (ruler) return { ruler: ruler === 'x' ? 'x' : 'y' };
  const guide = target.getAttribute('data-guide');
  return guide === null ? null : { guide: Number(guide) };
}

// Rulers along the top and the left: coordinates, the extent of the selection, and the source of new guides.

/** Least distance between two numbers, view px. */
const LEAST = 64;

function Rulers({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
  if (!editor.preferences.showRulers.value) return null;
  return (
    <div aria-hidden="true">
      <Ruler axis="x" editor={editor} viewport={viewport} />
      <Ruler axis="y" editor={editor} viewport={viewport} />
      <div class="ruler-corner" />
    </div>
  );
}

function Ruler({ axis, editor, viewport }: { axis: 'x' | 'y'; editor: EditorState; viewport: Viewport }) {
  const zoom = viewport.zoom.value;
  const offset = viewport.offset.value[axis];
  const length = axis === 'x' ? viewport.size.value.width : viewport.size.value.height;
  const step = stepOf(LEAST / zoom);
  const first = Math.floor(-offset / zoom / step) * step;
  const marks = Array.from({ length: Math.ceil(length / zoom / step) + 2 }, (_, i) => first + i * step);
  const isAcross = axis === 'x';
  return (
    <svg
      class={`ruler is-${axis}`}
      // A guide from the upper ruler is horizontal, so it has a y.
      data-ruler={isAcross ? 'y' : 'x'}
      width={isAcross ? length : RULER}
      height={isAcross ? RULER : length}
    >
      <Selected axis={axis} editor={editor} viewport={viewport} />
      {marks.map((value) => {
        const at = Math.round(value * zoom + offset) + 0.5;
        const small = Array.from(
          { length: 4 },
          (_, i) => Math.round((value + ((i + 1) * step) / 5) * zoom + offset) + 0.5,
        );
        return (
          <g key={value}>
            <path d={isAcross ? `M${at} 8V${RULER}` : `M8 ${at}H${RULER}`} />
            <path d={small.map((one) => (isAcross ? `M${one} 15V${RULER}` : `M15 ${one}H${RULER}`)).join('')} />
            <text transform={isAcross ? `translate(${at + 4} 10)` : `translate(10 ${at - 4}) rotate(-90)`}>
              {value}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** The extent of the selection. A component of its own, because only it changes during a drag. */
function Selected({ axis, editor, viewport }: { axis: 'x' | 'y'; editor: EditorState; viewport: Viewport }) {
  const around = boundsOfAll(editor.selectedBoxes.value);
  if (!around) return null;
  const zoom = viewport.zoom.value;
  const length = axis === 'x' ? around.width : around.height;
  const at = around[axis] * zoom + viewport.offset.value[axis];
  const size = Math.max(1, length * zoom);
  const place =
    axis === 'x' ? { x: at, y: 0, width: size, height: RULER } : { x: 0, y: at, width: RULER, height: size };
  return <rect class="ruler-selection" {...place} />;
}

/** The smallest of 1, 2, 5, 10, 20, … that is at least `least`. */
function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? least);
}

/** Edits a cell of a table in place: a field over the cell. Tab and Enter go on as in a spreadsheet. */
function CellEditor({ editor, viewport }: { readonly editor: EditorState; readonly viewport: Viewport }) {
  const task = editor.task.value;
  const open = task.kind === 'cell' ? task : null;
  const table = open && editor.document.value && editor.layer(open.layer);
  const picture = editor.picture.value;
  if (!open || !table || !picture) return null;
  const found = cellBox(picture, table, open.place);
  const text = textAtCell(table, open.place);
  if (!found || text === null) return null;
  const words = wordsIn(found.box);
  const zoom = viewport.zoom.value;
  // As high as its row, whatever its own text needs.
  const corner = transformPoint(found.matrix, { x: found.box.rect.x, y: found.row.y });
  const { x, y } = viewport.toView(corner);
  const { part, row, cell, entry } = open.place;
  return (
    <Field
      key={`${open.layer} ${part} ${entry} ${row} ${cell}`}
      editor={editor}
      table={table}
      place={open.place}
      text={text}
      style={{
        left: `${x - 4}px`,
        top: `${y + 1}px`,
        width: `${found.box.rect.width * zoom + 8}px`,
        height: `${found.row.height * zoom - 2}px`,
        paddingTop: `${Math.max(0, ((words?.content.y ?? found.row.y) - found.row.y) * zoom - 1)}px`,
        fontSize: `${(words?.node.strut.fontSize ?? 14) * zoom}px`,
        fontWeight: String(words?.node.strut.font.weight ?? 400),
        textAlign: words?.node.align ?? 'start',
      }}
    />
  );
}

/** The text of a cell's box, which a frame with its background may be around. */
function wordsIn(box: LayoutBox): TextBox | null {
  if (box.kind === 'text') return box;
  return box.kind === 'frame' ? (box.children.find((child) => child.kind === 'text') ?? null) : null;
}

interface FieldProps {
  readonly editor: EditorState;
  readonly table: RawLayer;
  readonly place: CellPlace;
  readonly text: string;
  readonly style: Readonly<Record<string, string>>;
}

function Field({ editor, table, place, text, style }: FieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isDone = useRef(false);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const { name } = table;
  const commit = () => {
    const typed = field.current?.value ?? text;
    if (isDone.current || typed === text) return;
    editor.edit((document) => changeLayer(document, name, (now) => setTextAtCell(now, place, typed)));
  };
  const leave = (next: CellPlace | null) => {
    isDone.current = true;
    if (!next) field.current?.closest<HTMLElement>('.canvas')?.focus({ preventScroll: true });
    editor.enter(next ? { kind: 'cell', layer: name, place: next } : SELECT);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      leave(null);
    } else if (event.key === 'Tab') {
      event.preventDefault();
      commit();
      leave(beside(editor, name, place, event.shiftKey ? -1 : 1));
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      commit();
      leave(event.ctrlKey || event.metaKey ? null : below(editor, name, place));
    }
  };
  return (
    <textarea
      ref={field}
      class="cell-editor"
      aria-label={texts.value.canvas.cellText}
      spellcheck={false}
      maxLength={10_000}
      rows={1}
      style={style}
      defaultValue={text}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
      onBlur={() => {
        commit();
        if (!isDone.current && editor.task.peek().kind === 'cell') editor.leave();
      }}
    />
  );
}

const isSame = (a: CellPlace, b: CellPlace) =>
  a.part === b.part && a.entry === b.entry && a.row === b.row && a.cell === b.cell;

/** The next cell that can be edited. After the last of the entries comes a new one. */
function beside(editor: EditorState, name: string, place: CellPlace, step: 1 | -1): CellPlace | null {
  const table = editor.layer(name);
  if (!table) return null;
  const cells = editableCells(table);
  const next = cells[cells.findIndex((one) => isSame(one, place)) + step] ?? null;
  if (step < 0 || place.part !== 'row' || next?.part === 'row') return next;
  editor.edit((document) => changeLayer(document, name, addEntry));
  const added = (place.entry ?? 0) + 1;
  return editableCells(editor.layer(name) ?? table).find(({ entry }) => entry === added) ?? next;
}

/** The cell below in the same part; null = there is none. */
function below(editor: EditorState, name: string, place: CellPlace): CellPlace | null {
  const table = editor.layer(name);
  const next = place.entry === null ? { ...place, row: place.row + 1 } : { ...place, entry: place.entry + 1 };
  return table && editableCells(table).some((one) => isSame(one, next)) ? next : null;
}
