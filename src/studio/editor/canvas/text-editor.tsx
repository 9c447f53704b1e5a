// Edits a text in place: a hidden field receives the keys, and the caret and the selection are drawn on the picture.

import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { centreOf, IDENTITY, invert, type Point, type Rect, transformPoint } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { deferred } from '../../parts/deferred.tsx';
import { toast } from '../../parts/toast.tsx';
import { ui } from '../../parts/ui-root.ts';
import { texts } from '../../texts/editor.ts';
import { removeLayers, setLayer } from '../document/edits.ts';
import { textOf, textPatch } from '../document/text-edits.ts';
import type { Range, Toggle } from '../document/word-styles.ts';
import { toggleTextStyle } from '../state/actions.ts';
import type { EditorState } from '../state/editor-state.ts';
import { CaretMap } from './caret-map.ts';
import { isMod } from './pointer.ts';
import type { Viewport } from './viewport.ts';
import './text-editor.css';

const TextBar = deferred(async () => (await import('./text-bar.tsx')).TextBar);

interface Props {
  readonly editor: EditorState;
  readonly viewport: Viewport;
}

export function TextEditor(props: Props) {
  const name = props.editor.editingText.value;
  return name === null ? null : <OpenTextEditor key={name} name={name} {...props} />;
}

function OpenTextEditor({ editor, viewport, name }: Props & { readonly name: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isPressed = useSignal(false);
  const located = editor.picture.value?.byName.get(name) ?? null;
  const layer = editor.document.value && editor.layer(name);
  const text = layer ? textOf(layer) : '';
  const map = located?.box.kind === 'text' && located.box.node.arc === null ? new CaretMap(located.box) : null;

  // Before anything is painted: keys that are pressed at once must reach the field.
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    // What is typed goes to the template, so that is what has to show.
    if (editor.setValue(name, undefined)) toast(texts.value.common.testDataIsOff);
    element.focus();
    element.setSelectionRange(0, element.value.length);
    if (editor.typedEarly !== '') {
      element.setRangeText(editor.typedEarly, 0, element.value.length, 'end');
      editor.typedEarly = '';
      writeText(editor, name, element.value);
    }
    const note = () => {
      if (ui.root.activeElement === element) setRange(editor, [element.selectionStart, element.selectionEnd]);
    };
    note();
    // Browsers tell it to the document, or to the tree that the field is in.
    const heard = new Set([document, ui.root]);
    for (const root of heard) root.addEventListener('selectionchange', note);
    return () => {
      for (const root of heard) root.removeEventListener('selectionchange', note);
      editor.textRange.value = null;
      // A text layer that is left empty is removed.
      const left = editor.layer(name);
      if (left && textOf(left) === '') editor.edit(removeLayers([name]));
    };
  }, [editor, name]);

  // Words are selected from outside too, such as by the list of styled words.
  useSignalEffect(() => {
    const element = field.current;
    const range = editor.wantedRange.value;
    if (!element || !range) return;
    editor.wantedRange.value = null;
    element.focus();
    element.setSelectionRange(...range);
  });

  // Keeps the caret in place when the text is changed elsewhere, such as by undo.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the words are others.
  useEffect(() => {
    const element = field.current;
    // Read again, because more may have been typed since `text` was read.
    const now = editor.layer(name);
    const words = now ? textOf(now) : '';
    if (!element || element.value === words) return;
    const at = Math.min(element.selectionStart, words.length);
    element.value = words;
    element.setSelectionRange(at, at);
  }, [text, editor, name]);

  const [from, to] = editor.textRange.value ?? [0, 0];
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
    setRange(editor, [Math.min(start, offset), Math.max(start, offset)]);
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
    const toggle = TOGGLES[event.key.toLowerCase()];
    if (isMod(event) && toggle) {
      event.preventDefault();
      toggleTextStyle(editor, toggle);
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

  const chosen =
    from < to && located && map
      ? map.selection(from, to).map((rect) => cornerPoints(rect).map((corner) => toView(viewport, located, corner)))
      : [];
  const surface = located ? cornerPoints(located.rect).map((corner) => toView(viewport, located, corner)) : [];
  // Text on a circle has no caret map, and a bar above all of it.
  const around = from < to && located ? boundsOf(chosen.length > 0 ? chosen.flat() : surface) : null;
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
            isPressed.value = true;
          }}
          onPointerUp={() => {
            isPressed.value = false;
          }}
          onPointerCancel={() => {
            isPressed.value = false;
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
        {chosen.map((corners) => (
          <path key={pathOf(corners)} class="selected-text" d={pathOf(corners)} />
        ))}
        {from === to && caret?.[0] && caret[1] && (
          <g key={from} class="caret-marks">
            <line class="caret-edge" x1={caret[0].x} y1={caret[0].y} x2={caret[1].x} y2={caret[1].y} />
            <line class="caret" x1={caret[0].x} y1={caret[0].y} x2={caret[1].x} y2={caret[1].y} />
          </g>
        )}
      </svg>
      <textarea
        ref={field}
        class="text-editor"
        aria-label={texts.value.canvas.textOf(name)}
        defaultValue={text}
        spellcheck={false}
        style={{ left: `${caret?.[0]?.x ?? 0}px`, top: `${caret?.[0]?.y ?? 0}px` }}
        onInput={(event) => writeText(editor, name, event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.stopPropagation()}
      />
      {around && !isPressed.value && editor.limits?.mayDesign !== false && (
        <TextBar {...{ editor, name, around }} range={[from, to]} onLeave={() => field.current?.focus()} />
      )}
    </>
  );
}

const TOGGLES: Readonly<Record<string, Toggle>> = { b: 'bold', i: 'italic', u: 'underline' };

/** Keeps the signal's value if the range is the same, so that nothing is rendered again. */
function setRange(editor: EditorState, range: Range): void {
  const before = editor.textRange.peek();
  if (before?.[0] !== range[0] || before[1] !== range[1]) editor.textRange.value = range;
}

function writeText(editor: EditorState, name: string, text: string): void {
  const layer = editor.layer(name);
  if (layer) editor.edit(setLayer(name, textPatch(layer, text)), { kind: `text ${name}` });
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
const boundsOf = (points: readonly Point[]) => ({
  left: Math.min(...points.map(({ x }) => x)),
  top: Math.min(...points.map(({ y }) => y)),
  right: Math.max(...points.map(({ x }) => x)),
  bottom: Math.max(...points.map(({ y }) => y)),
});
const pathOf = (points: readonly Point[]): string =>
  points.length > 0 ? `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}Z` : '';
