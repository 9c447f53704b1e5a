// The layers as a tree, front on top: chosen, ordered and nested by dragging, renamed, locked, hidden.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Icon, type IconShapes } from '../../parts/icon.tsx';
import {
  chevronDown,
  chevronRight,
  circle,
  eye,
  eyeOff,
  frame,
  image,
  lock,
  lockOpen,
  qrCode,
  square,
  star,
  type as typeIcon,
} from '../../parts/icons.ts';
import { placeIn } from '../canvas/geometry-of.ts';
import { isMod } from '../canvas/pointer.ts';
import { framesAround, outermost, type RawLayer } from '../document/document.ts';
import { moveLayers, type Patch, renameLayer } from '../document/edits.ts';
import { barcode, columns, lineIcon, rows } from '../icons.ts';
import { toggleHidden, toggleLocked } from '../state/actions.ts';
import type { EditorState } from '../state/editor-state.ts';
import './layer-tree.css';

interface Row {
  readonly layer: RawLayer;
  readonly depth: number;
  readonly parent: string | null;
  /** Among its siblings, back to front. */
  readonly index: number;
}

/** Where something that is dragged would go: the frame, and among its children, back to front. */
interface Drop {
  readonly frame: string | null;
  readonly index: number;
  /** Of the line that shows it, in rows from the top; null = into the row. */
  readonly line: number | null;
  readonly depth: number;
}

const ROW = 28;
const INDENT = 14;

export function LayerTree({ editor, renaming }: { editor: EditorState; renaming: { value: string | null } }) {
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const drop = useSignal<Drop | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const document = editor.document.value;
  const selection = editor.selection.value;
  const rows = useMemo(() => rowsOf(document.layers ?? [], closed.value), [document, closed.value]);
  const selected = new Set(selection);
  const lastPicked = useRef<string | null>(null);

  // What is selected on the canvas shows in the tree.
  useEffect(() => {
    const [first] = selection;
    if (first === undefined) return;
    const around = framesAround(editor.document.peek(), first);
    if (around.some((name) => closed.peek().has(name))) {
      closed.value = new Set([...closed.peek()].filter((name) => !around.includes(name)));
    }
    list.current?.querySelector(`[data-layer="${CSS.escape(first)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [selection, editor, closed]);

  const pick = (event: MouseEvent, name: string) => {
    if (event.shiftKey && lastPicked.current !== null) {
      const names = rows.map(({ layer }) => layer.name);
      const [a, b] = [names.indexOf(lastPicked.current), names.indexOf(name)].sort((x, y) => x - y);
      editor.select(names.slice(a, (b ?? 0) + 1));
    } else if (isMod(event)) editor.toggle(name);
    else editor.select([name]);
    lastPicked.current = name;
  };

  const drag = useRef<{ readonly names: readonly string[]; readonly y: number; moved: boolean } | null>(null);
  const onMove = (event: PointerEvent) => {
    if (!drag.current || !list.current) return;
    if (!drag.current.moved && Math.abs(event.clientY - drag.current.y) < 4) return;
    drag.current.moved = true;
    const bounds = list.current.getBoundingClientRect();
    drop.value = dropAt(rows, event.clientY - bounds.top, event.clientX - bounds.left, drag.current.names, editor);
  };
  const onUp = () => {
    const target = drop.value;
    if (drag.current?.moved && target) moveTo(editor, drag.current.names, target);
    drag.current = null;
    drop.value = null;
  };

  const line = drop.value?.line;
  return (
    <div
      ref={list}
      class="layer-tree"
      role="tree"
      aria-label="Layers"
      aria-multiselectable
      tabIndex={0}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={() => {
        drag.current = null;
        drop.value = null;
      }}
      onKeyDown={(event) => onTreeKey(event, editor, rows, closed, renaming)}
    >
      {rows.map((row) => (
        <TreeRow
          key={row.layer.name}
          row={row}
          editor={editor}
          isSelected={selected.has(row.layer.name)}
          isClosed={closed.value.has(row.layer.name)}
          isInto={drop.value?.line === null && drop.value.frame === row.layer.name}
          isRenaming={renaming.value === row.layer.name}
          onRename={(to) => {
            if (to !== null) editor.rename(row.layer.name, to, renameLayer(row.layer.name, to));
            renaming.value = null;
            list.current?.focus();
          }}
          onStartRename={() => {
            renaming.value = row.layer.name;
          }}
          onToggle={() => {
            const next = new Set(closed.peek());
            if (!next.delete(row.layer.name)) next.add(row.layer.name);
            closed.value = next;
          }}
          onPress={(event) => {
            if (!selected.has(row.layer.name) || isMod(event) || event.shiftKey) pick(event, row.layer.name);
            const names = editor.selection.peek().includes(row.layer.name) ? editor.selection.peek() : [row.layer.name];
            drag.current = { names: outermost(editor.document.peek(), names), y: event.clientY, moved: false };
            list.current?.setPointerCapture(event.pointerId);
          }}
        />
      ))}
      {line !== null && line !== undefined && drop.value && (
        <div class="drop-line" style={{ top: `${line * ROW + 4}px`, left: `${10 + drop.value.depth * INDENT}px` }} />
      )}
      {rows.length === 0 && (
        <p class="tree-empty">Nothing here yet. Draw a text with T, a frame with F, or drop a picture.</p>
      )}
    </div>
  );
}

interface TreeRowProps {
  readonly row: Row;
  readonly editor: EditorState;
  readonly isSelected: boolean;
  readonly isClosed: boolean;
  readonly isInto: boolean;
  readonly isRenaming: boolean;
  readonly onRename: (to: string | null) => void;
  readonly onStartRename: () => void;
  readonly onToggle: () => void;
  readonly onPress: (event: PointerEvent) => void;
}

function TreeRow({
  row,
  editor,
  isSelected,
  isClosed,
  isInto,
  isRenaming,
  onRename,
  onStartRename,
  onToggle,
  onPress,
}: TreeRowProps) {
  const { layer, depth } = row;
  const isHidden = layer.visible === false;
  const isLocked = editor.preferences.locked.value.has(layer.name);
  const isOver = editor.hovered.value === layer.name;
  const hasChildren = (layer.children?.length ?? 0) > 0;
  return (
    <div
      class={`tree-row${isSelected ? ' is-selected' : ''}${isHidden ? ' is-hidden' : ''}${isOver ? ' is-over' : ''}${isInto ? ' is-into' : ''}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      {...(hasChildren && { 'aria-expanded': !isClosed })}
      data-layer={layer.name}
      tabIndex={-1}
      style={{ paddingLeft: `${6 + depth * INDENT}px` }}
      onPointerDown={(event) => {
        if (event.button === 0 && !(event.target instanceof Element && event.target.closest('button, input')))
          onPress(event);
      }}
      onPointerEnter={() => {
        editor.hovered.value = layer.name;
      }}
      onPointerLeave={() => {
        editor.hovered.value = null;
      }}
      onDblClick={onStartRename}
    >
      {hasChildren ? (
        <button
          type="button"
          class="tree-chevron"
          tabIndex={-1}
          aria-label={isClosed ? 'Open' : 'Close'}
          onClick={onToggle}
        >
          <Icon of={isClosed ? chevronRight : chevronDown} size={14} />
        </button>
      ) : (
        <span class="tree-chevron" />
      )}
      <span class="tree-icon">
        <Icon of={iconOf(layer)} size={14} />
      </span>
      {isRenaming ? (
        <input
          class="tree-name-input"
          aria-label="Name of the layer"
          defaultValue={layer.name}
          ref={(element) => {
            if (element && element !== window.document.activeElement) {
              element.focus();
              element.select();
            }
          }}
          onBlur={(event) => onRename(event.currentTarget.value)}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === 'Enter') event.currentTarget.blur();
            if (event.key === 'Escape') {
              event.currentTarget.value = layer.name;
              event.currentTarget.blur();
            }
          }}
        />
      ) : (
        <span class="tree-name truncate">{layer.name}</span>
      )}
      <span class="tree-tools">
        <button
          type="button"
          class={isLocked ? 'is-on' : ''}
          tabIndex={-1}
          aria-label={isLocked ? `Unlock ${layer.name}` : `Lock ${layer.name}`}
          title={isLocked ? 'Unlock' : 'Lock'}
          onClick={() => toggleLocked(editor, [layer.name])}
        >
          <Icon of={isLocked ? lock : lockOpen} size={14} />
        </button>
        <button
          type="button"
          class={isHidden ? 'is-on' : ''}
          tabIndex={-1}
          aria-label={isHidden ? `Show ${layer.name}` : `Hide ${layer.name}`}
          title={isHidden ? 'Show' : 'Hide'}
          onClick={() => toggleHidden(editor, [layer.name])}
        >
          <Icon of={isHidden ? eyeOff : eye} size={14} />
        </button>
      </span>
    </div>
  );
}

export function iconOf(layer: RawLayer): IconShapes {
  switch (layer.type) {
    case 'text':
      return typeIcon;
    case 'image':
      return image;
    case 'qr':
      return qrCode;
    case 'barcode':
      return barcode;
    case 'frame': {
      const layout = layer.layout as { readonly direction?: string; readonly type?: string } | null | undefined;
      if (!layout) return frame;
      return layout.direction?.startsWith('row') ? columns : rows;
    }
    default:
      return { ellipse: circle, line: lineIcon, star }[String(layer.shape)] ?? square;
  }
}

/** Front to back, as a designer reads a list of layers. */
function rowsOf(
  layers: readonly RawLayer[],
  closed: ReadonlySet<string>,
  depth = 0,
  parent: string | null = null,
): Row[] {
  return layers
    .map((layer, index) => [
      { layer, depth, parent, index },
      ...(layer.children && !closed.has(layer.name) ? rowsOf(layer.children, closed, depth + 1, layer.name) : []),
    ])
    .reverse()
    .flat();
}

function dropAt(
  rows: readonly Row[],
  y: number,
  x: number,
  names: readonly string[],
  editor: EditorState,
): Drop | null {
  const document = editor.document.peek();
  const at = Math.max(0, Math.min(rows.length, (y - 4) / ROW));
  const row = rows[Math.min(rows.length - 1, Math.floor(at))];
  if (!row) return null;
  const isOwn = (name: string | null) =>
    name !== null && (names.includes(name) || framesAround(document, name).some((one) => names.includes(one)));
  const part = at - Math.floor(at);
  if (isOwn(row.layer.name)) return null;
  if (row.layer.type === 'frame' && part > 0.25 && part < 0.75) {
    return { frame: row.layer.name, index: row.layer.children?.length ?? 0, line: null, depth: row.depth + 1 };
  }
  // Above a row is in front of it.
  if (part < 0.5 || row.layer.type === 'frame') {
    const above = part < 0.5;
    return {
      frame: row.parent,
      index: above ? row.index + 1 : row.index,
      line: Math.floor(at) + (above ? 0 : 1),
      depth: row.depth,
    };
  }
  // Below the last in a frame, further left means behind the frame.
  const around = framesAround(document, row.layer.name);
  const out = row.index === 0 && around.length > 0 && x < 10 + row.depth * INDENT ? around[0] : undefined;
  const target = out === undefined ? row : rows.find(({ layer }) => layer.name === out);
  return target ? { frame: target.parent, index: target.index, line: Math.floor(at) + 1, depth: target.depth } : null;
}

/** Layers that leave a frame stay where they are on the canvas. */
function moveTo(editor: EditorState, names: readonly string[], { frame: into, index }: Drop): void {
  const byName = editor.picture.peek()?.byName;
  const target = into === null ? null : (byName?.get(into) ?? null);
  const patches = new Map<string, Patch>();
  for (const name of names) {
    const box = byName?.get(name);
    const own = box?.parent?.name ?? null;
    if (box && own !== into) patches.set(name, placeIn(target, box, box.box.node.rotation));
  }
  editor.edit(moveLayers(names, into, index, patches));
}

function onTreeKey(
  event: KeyboardEvent,
  editor: EditorState,
  rows: readonly Row[],
  closed: { value: ReadonlySet<string> },
  renaming: { value: string | null },
): void {
  const [current] = editor.selection.peek();
  const at = rows.findIndex(({ layer }) => layer.name === current);
  const row = rows[at];
  const move = (to: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (next)
      editor.select(event.shiftKey ? [...new Set([...editor.selection.peek(), next.layer.name])] : [next.layer.name]);
  };
  const toggle = (isClosed: boolean) => {
    if (!row) return;
    const next = new Set(closed.value);
    if (isClosed) next.add(row.layer.name);
    else next.delete(row.layer.name);
    closed.value = next;
  };
  const act = {
    ArrowDown: () => move(at + 1),
    ArrowUp: () => move(at < 0 ? 0 : at - 1),
    Home: () => move(0),
    End: () => move(rows.length - 1),
    ArrowRight: () => (row?.layer.children?.length && closed.value.has(row.layer.name) ? toggle(false) : move(at + 1)),
    ArrowLeft: () => {
      if (row?.layer.children?.length && !closed.value.has(row.layer.name)) toggle(true);
      else if (row?.parent) editor.select([row.parent]);
    },
    F2: () => {
      renaming.value = current ?? null;
    },
  }[event.key];
  if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
