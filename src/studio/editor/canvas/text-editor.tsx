// Edits a text in place: a hidden field receives the keys, and the caret and the selection are drawn on the picture.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { centreOf, IDENTITY, invert, type Point, type Rect, transformPoint } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { removeLayers, setLayer } from '../document/edits.ts';
import { stylePatch, textOf, textPatch } from '../document/text-edits.ts';
import type { EditorState } from '../state/editor-state.ts';
import { CaretMap } from './caret-map.ts';
import { isMod } from './pointer.ts';
import type { Viewport } from './viewport.ts';

interface Props {
  readonly editor: EditorState;
  readonly viewport: Viewport;
}

export function TextEditor({ editor, viewport }: Props) {
  const name = editor.editingText.value;
  return name === null ? null : <OpenTextEditor key={name} name={name} editor={editor} viewport={viewport} />;
}

function OpenTextEditor({ editor, viewport, name }: Props & { readonly name: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const range = useSignal<readonly [number, number]>([0, 0]);
  const located = editor.picture.value?.byName.get(name) ?? null;
  const layer = editor.document.value && editor.layer(name);
  const text = editor.values.value && layer ? shownText(editor, name) : '';
  const map = located?.box.kind === 'text' && located.box.node.arc === null ? new CaretMap(located.box) : null;

  useEffect(() => {
    const element = field.current;
    if (!element) return;
    element.focus();
    element.setSelectionRange(0, element.value.length);
    const note = () => {
      if (document.activeElement === element) range.value = [element.selectionStart, element.selectionEnd];
    };
    note();
    document.addEventListener('selectionchange', note);
    return () => {
      document.removeEventListener('selectionchange', note);
      // A text layer that is left empty is removed.
      const left = editor.layer(name);
      if (left && textOf(left) === '' && editor.values.peek()[name] === undefined) editor.edit(removeLayers([name]));
    };
  }, [editor, name, range]);

  // Keeps the caret in place when the text is changed elsewhere, such as by undo.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the words are others.
  useEffect(() => {
    const element = field.current;
    // Read again, because more may have been typed since `text` was read.
    const words = shownText(editor, name);
    if (!element || element.value === words) return;
    const at = Math.min(element.selectionStart, words.length);
    element.value = words;
    element.setSelectionRange(at, at);
  }, [text, editor, name]);

  const [from, to] = range.value;
  const caret = map?.caret(from).map((point) => toView(viewport, located, point));
  const anchor = useRef(0);

  const offsetAt = (event: PointerEvent | MouseEvent): number => {
    const view = field.current?.parentElement?.getBoundingClientRect();
    if (!map || !located || !view) return text.length;
    const point = viewport.toCanvas({ x: event.clientX - view.left, y: event.clientY - view.top });
    return map.offsetAt(transformPoint(invert(located.matrix) ?? IDENTITY, point));
  };
  const selectTo = (offset: number, start = offset) => {
    field.current?.setSelectionRange(
      Math.min(start, offset),
      Math.max(start, offset),
      offset < start ? 'backward' : 'forward',
    );
    range.value = [Math.min(start, offset), Math.max(start, offset)];
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const element = field.current;
    if (!element) return;
    event.stopPropagation();
    if (event.key === 'Escape' || (event.key === 'Enter' && isMod(event))) {
      event.preventDefault();
      editor.editingText.value = null;
      element.closest<HTMLElement>('.canvas')?.focus();
      return;
    }
    if (isMod(event) && /^[bi]$/i.test(event.key) && from < to && layer) {
      event.preventDefault();
      const style = event.key.toLowerCase() === 'b' ? { fontWeight: 700 } : { fontStyle: 'italic' };
      editor.edit(setLayer(name, stylePatch(layer, from, to, style)));
      return;
    }
    if (isMod(event) && event.key.toLowerCase() === 'z') {
      event.preventDefault();
      if (event.shiftKey) editor.redo();
      else editor.undo();
      return;
    }
    if (!map || isMod(event)) return;
    const isBackward = element.selectionDirection === 'backward';
    const [moving, fixed] = isBackward ? [from, to] : [to, from];
    const target = {
      ArrowUp: () => map.beside(moving, -1),
      ArrowDown: () => map.beside(moving, 1),
      Home: () => map.lineEnds(moving).start,
      End: () => map.lineEnds(moving).end,
    }[event.key];
    if (!target) return;
    event.preventDefault();
    selectTo(target(), event.shiftKey ? fixed : undefined);
  };

  const surface = located ? cornerPoints(located.rect).map((corner) => toView(viewport, located, corner)) : [];
  const isIn = (event: PointerEvent) => event.buttons === 1;
  return (
    <>
      <svg class="text-marks" width="100%" height="100%" aria-hidden="true">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; keys go to the field. */}
        <path
          class="text-surface"
          d={pathOf(surface)}
          onPointerDown={(event) => {
            event.preventDefault();
            event.stopPropagation();
            event.currentTarget.setPointerCapture(event.pointerId);
            field.current?.focus();
            anchor.current = event.shiftKey ? from : offsetAt(event);
            selectTo(offsetAt(event), anchor.current);
          }}
          onPointerMove={(event) => {
            event.stopPropagation();
            if (isIn(event)) selectTo(offsetAt(event), anchor.current);
          }}
          onDblClick={(event) => {
            event.stopPropagation();
            const word = wordAt(text, offsetAt(event));
            selectTo(word.end, word.start);
          }}
        />
        {from < to &&
          located &&
          map
            ?.selection(from, to)
            .map((rect) => (
              <path
                key={`${rect.x} ${rect.y}`}
                class="selected-text"
                d={pathOf(cornerPoints(rect).map((corner) => toView(viewport, located, corner)))}
              />
            ))}
        {from === to && caret?.[0] && caret[1] && (
          <line key={from} class="caret" x1={caret[0].x} y1={caret[0].y} x2={caret[1].x} y2={caret[1].y} />
        )}
      </svg>
      <textarea
        ref={field}
        class="text-editor"
        aria-label={`Text of ${name}`}
        defaultValue={text}
        spellcheck={false}
        style={{ left: `${caret?.[0]?.x ?? 0}px`, top: `${caret?.[0]?.y ?? 0}px` }}
        onInput={(event) => writeText(editor, name, event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.stopPropagation()}
      />
    </>
  );
}

/** The text that the canvas shows: the value from the data if there is one. */
function shownText(editor: EditorState, name: string): string {
  const value = editor.values.peek()[name];
  if (typeof value === 'string') return value;
  const layer = editor.layer(name);
  return layer ? textOf(layer) : '';
}

/** Writes to the data if the text comes from there, otherwise to the template. */
function writeText(editor: EditorState, name: string, text: string): void {
  const layer = editor.layer(name);
  if (typeof editor.values.peek()[name] === 'string') {
    editor.values.value = { ...editor.values.peek(), [name]: text };
    editor.schedule();
  } else if (layer) editor.edit(setLayer(name, textPatch(layer, text)), { kind: `text ${name}` });
}

function wordAt(text: string, offset: number): { readonly start: number; readonly end: number } {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  const word = words.containing(Math.min(offset, Math.max(0, text.length - 1)));
  return word ? { start: word.index, end: word.index + word.segment.length } : { start: 0, end: text.length };
}

const cornerPoints = (rect: Rect): readonly Point[] => {
  const { x, y } = centreOf(rect);
  const [w, h] = [rect.width / 2, rect.height / 2];
  return [
    { x: x - w, y: y - h },
    { x: x + w, y: y - h },
    { x: x + w, y: y + h },
    { x: x - w, y: y + h },
  ];
};
const toView = (viewport: Viewport, located: LocatedBox | null, point: Point): Point =>
  viewport.toView(transformPoint(located?.matrix ?? IDENTITY, point));
const pathOf = (points: readonly Point[]): string =>
  points.length > 0 ? `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}Z` : '';
