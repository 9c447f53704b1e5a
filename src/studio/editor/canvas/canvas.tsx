// The canvas: the picture as core lays it out, with the editing overlay above it.

import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { contextMenu } from '../../parts/context-menu.tsx';
import { deferred } from '../../parts/deferred.tsx';
import type { MenuEntry } from '../../parts/menu.tsx';
import type { EditorState } from '../state/editor-state.ts';
import './canvas.css';
import { ui } from '../../parts/ui-root.ts';
import { texts } from '../../texts/editor.ts';
import { type Marks, NO_MARKS } from './gesture.ts';
import { PointerInput } from './pointer.ts';
import { SvgPatcher } from './svg-patcher.ts';
import { fetchTableTools, tableTools } from './table-tools.ts';
import type { Viewport } from './viewport.ts';

const CropEditor = deferred(async () => (await import('./crop-editor.tsx')).CropEditor);
const Overlay = deferred(async () => (await import('./overlay.tsx')).Overlay);
const Rulers = deferred(async () => (await import('./rulers.tsx')).Rulers);
const TextEditor = deferred(async () => (await import('./text-editor.tsx')).TextEditor);

interface CanvasProps {
  readonly editor: EditorState;
  readonly viewport: Viewport;
  /** Receives the pointer input, so that keys can end a gesture. */
  readonly onInput: (input: PointerInput) => void;
  /** The server's picture, shown above the canvas in the exact pixels mode. */
  readonly children?: ComponentChildren;
  /** The entries of the menu at a point of the canvas; null = opened by a key. */
  readonly menu: (at: { readonly x: number; readonly y: number } | null) => readonly MenuEntry[];
  readonly onDropFiles: (files: readonly File[], at: { readonly x: number; readonly y: number }) => void;
}

export function Canvas({ editor, viewport, onInput, onDropFiles, menu, children }: CanvasProps) {
  const view = useRef<HTMLDivElement>(null);
  const root = useRef<SVGGElement>(null);
  const artboard = useRef<SVGSVGElement>(null);
  const paperRef = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => signal<Marks>(NO_MARKS), []);
  const alt = useMemo(() => signal(false), []);
  const input = useRef<PointerInput | null>(null);
  const latest = useRef(onInput);
  latest.current = onInput;

  useEffect(() => {
    if (!view.current || !root.current || !artboard.current || !paperRef.current) return;
    const element = view.current;
    const pointer = new PointerInput({ editor, viewport, marks }, element);
    input.current = pointer;
    latest.current(pointer);
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
        const picture = editor.picture.value;
        const zoom = viewport.zoom.value;
        const { x, y } = viewport.offset.value;
        if (!picture) return;
        for (const { style } of [paper, sheet]) {
          style.width = `${picture.scene.width * zoom}px`;
          style.height = `${picture.scene.height * zoom}px`;
          style.transform = `translate(${x}px, ${y}px)`;
        }
      }),
      effect(() => {
        for (const seen of [viewport.zoom, viewport.offset, viewport.size]) void seen.value;
        patcher.settle();
      }),
      effect(() => {
        if (editor.selectedLayers.value.some(({ type }) => type === 'table')) fetchTableTools();
      }),
      effect(() => {
        element.dataset.tool = editor.tool.value;
        pointer.setSpace(false);
      }),
    ];
    const onWheel = (event: WheelEvent) => {
      // Lists in the bar of a text scroll by themselves.
      if (!(event.target instanceof Element && event.target.closest('.text-bar'))) pointer.wheel(event);
    };
    // Preact adds wheel listeners as passive, which cannot prevent scrolling.
    element.addEventListener('wheel', onWheel, { passive: false });
    const resize = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      const { width: w, height: h } = editor.document.peek();
      viewport.resize({ width, height }, { width: w, height: h });
    });
    resize.observe(element);
    const onAlt = (event: KeyboardEvent) => {
      alt.value = event.altKey;
    };
    ui.keys.addEventListener('keydown', onAlt);
    ui.keys.addEventListener('keyup', onAlt);
    // For measurements and tests.
    (element as HTMLElement & { patcher?: SvgPatcher }).patcher = patcher;
    return () => {
      for (const stop of stops) stop();
      resize.disconnect();
      element.removeEventListener('wheel', onWheel);
      ui.keys.removeEventListener('keydown', onAlt);
      ui.keys.removeEventListener('keyup', onAlt);
    };
  }, [editor, viewport, marks, alt]);

  const CellEditor = tableTools.value?.CellEditor;
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
          if (editor.editingText.peek() !== null) return [];
          return menu(event instanceof MouseEvent ? (input.current?.pressMenu(event) ?? null) : null);
        },
        anchor: (canvas) => canvas.querySelector('.overlay .outline'),
      })}
      onBlur={(event) => event.currentTarget.classList.remove('is-reached')}
      onPointerDown={(event) => input.current?.down(event)}
      onPointerMove={(event) => input.current?.move(event)}
      onPointerUp={() => input.current?.up()}
      onPointerCancel={() => input.current?.cancel()}
      onPointerLeave={() => {
        editor.hovered.value = null;
      }}
      onDblClick={(event) => input.current?.doubleClick(event)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const files = [...(event.dataTransfer?.files ?? [])];
        const bounds = view.current?.getBoundingClientRect();
        if (files.length === 0 || !bounds) return;
        onDropFiles(files, viewport.toCanvas({ x: event.clientX - bounds.left, y: event.clientY - bounds.top }));
      }}
    >
      <div ref={paperRef} class="paper" />
      <svg ref={artboard} class="artboard" role="img" aria-label={texts.value.canvas.template} data-artboard>
        <g ref={root} />
      </svg>
      {children}
      <Overlay editor={editor} viewport={viewport} marks={marks} alt={alt} />
      {CellEditor && editor.editingCell.value !== null && <CellEditor editor={editor} viewport={viewport} />}
      {editor.editingCrop.value !== null && <CropEditor editor={editor} viewport={viewport} />}
      {editor.editingText.value !== null && <TextEditor editor={editor} viewport={viewport} />}
      <Rulers editor={editor} viewport={viewport} />
    </div>
  );
}
