// The layers as a tree, front on top: selected, reordered and nested by dragging, renamed, locked, hidden.
//
// It is rendered again only when what it shows changes, not at each movement of a layer.

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { setSignal } from '../../parts/action.ts';
import { contextMenu } from '../../parts/context-menu.tsx';
import type { MenuEntry } from '../../parts/menu.tsx';
import { isMod, keysIn } from '../browser.ts';
import { framesAround, outermost } from '../core/document/document.ts';
import { renameLayer, renameProblem } from '../core/document/edits.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import './layer-tree.css';
import { texts } from '../../texts/editor.ts';
import { type Drop, dropAt, INDENT, moveTo, pickRow, placeByKey, ROW, type Row, rowsOf } from '../core/state/rows.ts';
import { type TreeActions, TreeRow } from './tree-row.tsx';

const NONE: readonly Row[] = [];

interface LayerTreeProps {
  readonly editor: EditorState;
  /** The layer that is being renamed. */
  readonly renaming: { value: string | null };
  /** The entries of the menu of the selected layers. */
  readonly menu: () => readonly MenuEntry[];
}

export function LayerTree({ editor, renaming, menu: entriesOfMenu }: LayerTreeProps) {
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const drop = useSignal<Drop | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const known = useRef(NONE);
  const shown = useComputed(() => {
    known.current = rowsOf(editor.document.value, closed.value, known.current);
    return known.current;
  });
  const rows = shown.value;
  const selection = editor.selection.value;
  const selected = new Set(selection);
  const lastPicked = useRef<string | null>(null);

  // Scrolls to the layer that is selected on the canvas.
  useEffect(() => {
    const [first] = selection;
    if (first === undefined) return;
    const around = framesAround(editor.document.peek(), first);
    if (around.some((name) => closed.peek().has(name))) {
      closed.value = new Set([...closed.peek()].filter((name) => !around.includes(name)));
    }
    list.current?.querySelector(`[data-layer="${CSS.escape(first)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [selection, editor, closed]);

  const drag = useRef<Pressed | null>(null);
  // Whether the tree was reached by keys, which then stay in it: its arrows go from row to row. After a press of the
  // pointer they are the canvas's, where they move what is selected.
  const isByKeys = useRef(false);
  const actions = useMemo((): TreeActions => {
    const pick = (event: MouseEvent, name: string) => {
      pickRow(editor, shown.peek(), name, lastPicked.current, keysIn(event));
      lastPicked.current = name;
    };
    return {
      rename: (name, to) => {
        const problem = to === null ? null : renameProblem(editor.document.peek(), name, to);
        if (problem) editor.host.tell(problem, { tone: 'bad' });
        else if (to !== null) editor.rename(name, to, renameLayer(name, to));
        renaming.value = null;
        if (isByKeys.current) list.current?.focus();
        else focusCanvas(list.current);
      },
      startRename: (name) => setSignal(renaming, name),
      toggle: (name) => {
        const next = new Set(closed.peek());
        if (!next.delete(name)) next.add(name);
        closed.value = next;
      },
      press: (name, event) => {
        isByKeys.current = false;
        const isKept = editor.selection.peek().includes(name) && !isMod(event) && !event.shiftKey;
        if (!isKept) pick(event, name);
        const names = editor.selection.peek().includes(name) ? editor.selection.peek() : [name];
        const dragged = outermost(editor.document.peek(), names);
        drag.current = { names: dragged, y: event.clientY, moved: false, kept: isKept ? name : null };
      },
    };
  }, [editor, renaming, closed, shown]);
  const onMove = (event: PointerEvent) => {
    if (!drag.current || !list.current) return;
    // Released elsewhere.
    if (event.buttons === 0) drag.current = null;
    if (!drag.current || (!drag.current.moved && Math.abs(event.clientY - drag.current.y) < 4)) return;
    // Captured only now: a captured press would keep a double click from reaching its row.
    if (!drag.current.moved) list.current.setPointerCapture(event.pointerId);
    drag.current.moved = true;
    const bounds = list.current.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top + list.current.scrollTop];
    drop.value = dropAt(rows, y, x, drag.current.names, editor);
  };
  const onUp = () => {
    const target = drop.value;
    const { moved, names, kept } = drag.current ?? {};
    if (moved && target && names) moveTo(editor, names, target);
    // One of several that were selected and are not dragged.
    if (moved === false && kept && editor.selection.peek().length > 1) {
      lastPicked.current = kept;
      editor.select([kept]);
    }
    if (moved === false) focusCanvas(list.current);
    drag.current = null;
    drop.value = null;
  };

  const menu = contextMenu({
    label: texts.value.common.layer,
    entries: ({ target, type }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-layer]') : null;
      const name = row?.dataset.layer;
      if (type === 'contextmenu' && name === undefined) editor.select([]);
      else if (name !== undefined && !editor.selection.peek().includes(name)) editor.select([name]);
      return entriesOfMenu();
    },
    anchor: (tree) => tree.querySelector('[aria-selected="true"]'),
  });
  const line = drop.value?.line;
  return (
    <div
      ref={list}
      class="layer-tree"
      role="tree"
      aria-label={texts.value.common.layers}
      aria-multiselectable
      tabIndex={0}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={() => {
        drag.current = null;
        drop.value = null;
      }}
      onContextMenu={menu.onContextMenu}
      onKeyDown={(event) => {
        isByKeys.current = true;
        menu.onKeyDown(event);
        if (!event.defaultPrevented) onTreeKey(event, editor, rows, closed, renaming);
      }}
    >
      {rows.map((row) => (
        <TreeRow
          key={row.name}
          row={row}
          editor={editor}
          actions={actions}
          isSelected={selected.has(row.name)}
          isClosed={closed.value.has(row.name)}
          isInto={drop.value?.line === null && drop.value.frame === row.name}
          isRenaming={renaming.value === row.name}
        />
      ))}
      {line !== null && line !== undefined && drop.value && (
        <div class="drop-line" style={{ top: `${line * ROW + 4}px`, left: `${10 + drop.value.depth * INDENT}px` }} />
      )}
      {rows.length === 0 && <p class="tree-empty">{texts.value.tree.empty}</p>}
    </div>
  );
}

/** A row under the pointer. */
interface Pressed {
  /** What a drag moves. */
  readonly names: readonly string[];
  /** px of the window. */
  readonly y: number;
  moved: boolean;
  /** The row that was selected already, of which a click selects it alone; null: it was not, or stays beside the others. */
  readonly kept: string | null;
}

function focusCanvas(tree: HTMLElement | null): void {
  tree?.closest('.editor')?.querySelector<HTMLElement>('.canvas')?.focus({ preventScroll: true });
}

// Keys in the layer tree, by the ARIA tree pattern: arrows, Home, End, and F2 to rename. With Alt, arrows move the
// layer up and down, into the frame beside it, and out of its frame.

function onTreeKey(
  event: KeyboardEvent,
  editor: EditorState,
  rows: readonly Row[],
  closed: { value: ReadonlySet<string> },
  renaming: { value: string | null },
): void {
  const [current] = editor.selection.peek();
  const at = rows.findIndex(({ name }) => name === current);
  const row = rows[at];
  const move = (to: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (next) editor.select(event.shiftKey ? [...new Set([...editor.selection.peek(), next.name])] : [next.name]);
  };
  const toggle = (isClosed: boolean) => {
    if (!row) return;
    const next = new Set(closed.value);
    if (isClosed) next.add(row.name);
    else next.delete(row.name);
    closed.value = next;
  };
  const act = {
    ArrowDown: () => move(at + 1),
    ArrowUp: () => move(at < 0 ? 0 : at - 1),
    Home: () => move(0),
    End: () => move(rows.length - 1),
    ArrowRight: () => (row?.children && closed.value.has(row.name) ? toggle(false) : move(at + 1)),
    ArrowLeft: () => {
      if (row?.children && !closed.value.has(row.name)) toggle(true);
      else if (row?.parent) editor.select([row.parent]);
    },
    F2: () => setSignal(renaming, current ?? null),
  }[event.key];
  if (event.altKey && !event.ctrlKey && !event.metaKey && row) {
    const place = placeByKey(event.key, row, rows);
    if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    moveTo(editor, outermost(editor.document.peek(), editor.selection.peek()), place);
    return;
  }
  if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
