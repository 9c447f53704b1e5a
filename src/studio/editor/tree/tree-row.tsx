// A row of the layer tree: its icon, its name with renaming, its lock and its eye.

import { useComputed } from '@preact/signals';
import type { LayerType } from '#core/template/layer.ts';
import { setSignal } from '../../parts/action.ts';
import { Icon, type IconShapes } from '../../parts/icon.tsx';
import {
  chevronDown,
  chevronRight,
  circle,
  eye,
  eyeOff,
  frame,
  image,
  layoutTemplate,
  lock,
  lockOpen,
  qrCode,
  square,
  star,
  type as typeIcon,
} from '../../parts/icons.ts';
import { memo } from '../../parts/memo.ts';
import { rootOf } from '../../parts/ui-root.ts';
import { texts } from '../../texts/editor.ts';
import { sizesOf } from '../core/document/document.ts';
import { toggleHidden, toggleLocked } from '../core/state/actions.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { INDENT, type Row } from '../core/state/rows.ts';
import { barcode, chartColumn, columns, lineIcon, rows, tableIcon } from '../icons.ts';

/** What rows report to their tree, by layer name. */
export interface TreeActions {
  /** @param to null = keep the old name */
  rename(name: string, to: string | null): void;
  startRename(name: string): void;
  toggle(name: string): void;
  press(name: string, event: PointerEvent): void;
}

interface TreeRowProps {
  readonly row: Row;
  readonly editor: EditorState;
  readonly actions: TreeActions;
  readonly isSelected: boolean;
  readonly isClosed: boolean;
  readonly isInto: boolean;
  readonly isRenaming: boolean;
}

export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { row, editor, actions, isSelected, isClosed, isInto, isRenaming } = props;
  const { name, depth, isHidden, isLocked } = row;
  const isOver = useComputed(() => editor.hovered.value === name).value;
  const isDifferent = useComputed(() => {
    const { size } = editor.view.value;
    return size !== null && Object.hasOwn(sizesOf(editor.stored.value)[size]?.changes ?? {}, name);
  }).value;
  const hasChildren = row.children > 0;
  return (
    <div
      class={`tree-row${isSelected ? ' is-selected' : ''}${isHidden ? ' is-hidden' : ''}${isOver ? ' is-over' : ''}${isInto ? ' is-into' : ''}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      {...(hasChildren && { 'aria-expanded': !isClosed })}
      data-layer={name}
      tabIndex={-1}
      style={{ paddingLeft: `${6 + depth * INDENT}px` }}
      onPointerDown={(event) => {
        if (event.button === 0 && !(event.target instanceof Element && event.target.closest('button, input')))
          actions.press(name, event);
      }}
      onPointerEnter={() => setSignal(editor.hovered, name)}
      onPointerLeave={() => setSignal(editor.hovered, null)}
      onDblClick={() => actions.startRename(name)}
    >
      {hasChildren ? (
        <button
          type="button"
          class="tree-chevron"
          tabIndex={-1}
          aria-label={isClosed ? texts.value.tree.open : texts.value.tree.close}
          onClick={() => actions.toggle(name)}
        >
          <Icon of={isClosed ? chevronRight : chevronDown} size={14} />
        </button>
      ) : (
        <span class="tree-chevron" />
      )}
      <span class="tree-icon">
        <Icon of={iconOf(row.type, row.look)} size={14} />
      </span>
      {isRenaming ? (
        <input
          class="tree-name-input"
          aria-label={texts.value.tree.layerName}
          defaultValue={name}
          ref={(element) => {
            if (element && element !== rootOf(element).activeElement) {
              element.focus();
              element.select();
            }
          }}
          onBlur={(event) => actions.rename(name, event.currentTarget.value)}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === 'Enter') event.currentTarget.blur();
            if (event.key === 'Escape') {
              event.currentTarget.value = name;
              event.currentTarget.blur();
            }
          }}
        />
      ) : (
        <span class="tree-name truncate">
          {name}
          {isDifferent && <span class="tree-different" title={texts.value.tree.differs} />}
        </span>
      )}
      <span class="tree-tools">
        <button
          type="button"
          class={isLocked ? 'is-on' : ''}
          tabIndex={-1}
          aria-label={isLocked ? texts.value.tree.unlockNamed(name) : texts.value.tree.lockNamed(name)}
          title={isLocked ? texts.value.tree.unlock : texts.value.tree.lock}
          onClick={() => toggleLocked(editor, [name])}
        >
          <Icon of={isLocked ? lock : lockOpen} size={14} />
        </button>
        <button
          type="button"
          class={isHidden ? 'is-on' : ''}
          tabIndex={-1}
          aria-label={isHidden ? texts.value.tree.showNamed(name) : texts.value.tree.hideNamed(name)}
          title={isHidden ? texts.value.tree.show : texts.value.tree.hide}
          onClick={() => toggleHidden(editor, [name])}
        >
          <Icon of={isHidden ? eyeOff : eye} size={14} />
        </button>
      </span>
    </div>
  );
});

const ICONS: Readonly<Record<Exclude<LayerType, 'shape' | 'frame'> | 'template', IconShapes>> = {
  text: typeIcon,
  image,
  qr: qrCode,
  barcode,
  chart: chartColumn,
  table: tableIcon,
  template: layoutTemplate,
};

/** @param look as `lookOf` returns it */
export function iconOf(type: string, look: string): IconShapes {
  if (type === 'frame') return look === '' ? frame : look === 'row' ? columns : rows;
  return Object.hasOwn(ICONS, type)
    ? ICONS[type as keyof typeof ICONS]
    : ({ ellipse: circle, line: lineIcon, star }[look] ?? square);
}
