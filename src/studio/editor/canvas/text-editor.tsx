// Edits a text in place: a hidden field receives the keys, and the caret and the selection are drawn on the picture.

import { setSignal } from '../../parts/action.ts';
import './text-editor.css';
import '../inspector/inspector.css';
import './text-bar.css';
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { centreOf, IDENTITY, invert, type Point, type Rect, transformPoint } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { MAX_FONT_SIZE } from '#core/template/style.ts';
import { IconButton } from '../../parts/button.tsx';
import { rootOf } from '../../parts/ui-root.ts';
import { useDrag } from '../../parts/use-drag.ts';
import { texts } from '../../texts/editor.ts';
import { isMod } from '../browser.ts';
import { removeLayers, setLayer } from '../core/document/edits.ts';
import { textOf, textPatch } from '../core/document/text-edits.ts';
import {
  initialOf,
  isStyled,
  plainWords,
  type Range,
  styleOfWords,
  type Toggle,
} from '../core/document/word-styles.ts';
import { CaretMap } from '../core/geometry/caret-map.ts';
import type { Viewport } from '../core/geometry/viewport.ts';
import type { EditorParts } from '../core/open-editor.ts';
import { styleText, toggleList, toggleTextStyle } from '../core/state/actions.ts';
import { brandOf, withTextStyle } from '../core/state/brand-names.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { bold, italic, removeFormatting, underline } from '../icons.ts';
import { Select } from '../inspector/controls.tsx';
import { DocumentContexts } from '../inspector/document-contexts.tsx';
import type { FillValue } from '../inspector/fill.ts';
import { FillField } from '../inspector/fill-field.tsx';
import { FontField } from '../inspector/font-field.tsx';
import { NumberInput } from '../inspector/number-input.tsx';
import { weightName, weightsOf } from '../inspector/special-fields.tsx';

type Props = Pick<EditorParts, 'editor' | 'viewport'>;

export function TextEditor(props: Props) {
  const { task } = props.editor;
  const name = useComputed(() => (task.value.kind === 'text' ? task.value.layer : null)).value;
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
    if (editor.setValue(name, undefined)) editor.host.tell(texts.value.common.testDataIsOff);
    element.focus();
    element.setSelectionRange(0, element.value.length);
    const root = rootOf(element);
    const note = () => {
      if (root.activeElement === element) editor.selectWords([element.selectionStart, element.selectionEnd]);
    };
    note();
    // Browsers tell it to the document, or to the tree that the field is in.
    const heard = new Set([document, root]);
    for (const root of heard) root.addEventListener('selectionchange', note);
    return () => {
      for (const root of heard) root.removeEventListener('selectionchange', note);
      // A text layer that is left empty is removed.
      const left = editor.layer(name);
      if (left && textOf(left) === '') editor.edit(removeLayers([name]));
    };
  }, [editor, name]);

  // Words are selected from outside too, such as by the list of styled words.
  useSignalEffect(() => {
    const element = field.current;
    const range = editor.takeWantedWords();
    if (!element || !range) return;
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

  const { task } = editor;
  const [from, to] = useComputed(() => (task.value.kind === 'text' ? task.value.range : null)).value ?? [0, 0];
  const caret = map?.caret(from).map((point) => toView(viewport, located, point));
  const drag = useDrag<{ readonly anchor: number }>();

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
    editor.selectWords([Math.min(start, offset), Math.max(start, offset)]);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const element = field.current;
    if (!element) return;
    event.stopPropagation();
    if (event.key === 'Escape' || (event.key === 'Enter' && isMod(event))) {
      event.preventDefault();
      editor.leave();
      element.closest<HTMLElement>('.canvas')?.focus();
      return;
    }
    const toggle = TOGGLES[event.key.toLowerCase()];
    if (isMod(event) && toggle) {
      event.preventDefault();
      toggleTextStyle(editor, toggle);
      return;
    }
    const list = isMod(event) && event.shiftKey ? LISTS[event.code] : undefined;
    if (list) {
      event.preventDefault();
      toggleList(editor, list);
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
  const release = () => setSignal(isPressed, false);
  return (
    <>
      <svg class="text-marks" width="100%" height="100%" aria-hidden="true">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; keys go to the field. */}
        <path
          class="text-surface"
          d={pathOf(surface)}
          {...drag({
            start: (event) => {
              event.preventDefault();
              field.current?.focus();
              const anchor = event.shiftKey ? from : offsetAt(event);
              selectTo(offsetAt(event), anchor);
              isPressed.value = true;
              return { anchor };
            },
            move: ({ anchor }, event) => selectTo(offsetAt(event), anchor),
            end: release,
            cancel: release,
          })}
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

const LISTS: Readonly<Record<string, 'disc' | 'decimal'>> = { Digit8: 'disc', Digit7: 'decimal' };

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

// A bar that floats over the selected words of a text and styles them.

interface TextBarProps {
  readonly editor: EditorState;
  readonly name: string;
  readonly range: Range;
  /** The selected words' bounds, view px. */
  readonly around: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  /** Gives the keys back to the text. */
  readonly onLeave: () => void;
}

/** Between the words and the bar, and between the bar and the edges of the view, px. */
const GAP = 10;

const BUTTONS = [
  ['bold', bold],
  ['italic', italic],
  ['underline', underline],
] as const satisfies readonly (readonly [Toggle, unknown])[];

function TextBar({ editor, name, range, around, onLeave }: TextBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    const view = element?.parentElement;
    if (!element || !view) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const above = around.top - height - GAP;
    const below = Math.min(around.bottom + GAP, view.clientHeight - height - GAP);
    const left = (around.left + around.right - width) / 2;
    element.style.left = `${Math.max(GAP, Math.min(left, view.clientWidth - width - GAP))}px`;
    element.style.top = `${above >= GAP ? above : Math.max(GAP, below)}px`;
  }, [around.left, around.top, around.right, around.bottom]);
  const brand = brandOf(editor);
  const own = editor.layer(name);
  if (!own) return null;
  const layer = withTextStyle(own, brand);
  const shownValue = (property: string) => {
    const { value, isMixed } = styleOfWords(layer, range, property);
    return isMixed ? undefined : (value ?? initialOf(property));
  };
  const family = shownValue('fontFamily');
  const weight = shownValue('fontWeight');
  const size = shownValue('fontSize');
  return (
    <DocumentContexts editor={editor}>
      <div
        ref={bar}
        class="text-bar"
        role="toolbar"
        tabIndex={-1}
        aria-label={texts.value.canvas.wordStyle}
        // The canvas behind it hears neither presses nor keys; undo and the like go on.
        onPointerDown={(event) => event.stopPropagation()}
        onDblClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (!isMod(event)) event.stopPropagation();
          const isDone = event.key === 'Enter' && event.target instanceof HTMLInputElement;
          const isLeft = event.key === 'Escape' && !event.currentTarget.querySelector('[popover]:popover-open');
          if (!isDone && !isLeft) return;
          event.preventDefault();
          if (event.target instanceof HTMLInputElement) event.target.blur();
          onLeave();
        }}
      >
        <FontField editor={editor} value={family} onValue={(next) => styleText(editor, { fontFamily: next })} />
        <Select
          label={texts.value.common.weight}
          value={weight === undefined ? '' : String(weight)}
          options={[
            weight === undefined && ['', texts.value.common.mixed],
            ...weightsOf(editor, family, weight).map((one) => [String(one), weightName(one) ?? one] as const),
          ]}
          onChoose={(next) => styleText(editor, { fontWeight: Number(next) })}
        />
        <NumberInput
          label={texts.value.canvas.fontSize}
          prefix={texts.value.common.size}
          value={typeof size === 'number' ? size : null}
          min={1}
          max={MAX_FONT_SIZE}
          placeholder={texts.value.common.mixed}
          onNumber={(next) => styleText(editor, { fontSize: next })}
        />
        <span class="text-bar-toggles">
          {BUTTONS.map(([toggle, icon]) => (
            <IconButton
              key={toggle}
              icon={icon}
              label={texts.value.commands[toggle]}
              dense
              aria-pressed={isStyled(layer, range, toggle)}
              onPointerDown={(event: PointerEvent) => event.preventDefault()}
              onClick={() => toggleTextStyle(editor, toggle)}
            />
          ))}
        </span>
        <FillField
          label={texts.value.canvas.wordColor}
          value={shownValue('color') as FillValue | undefined}
          onFill={(color) => styleText(editor, { color })}
        />
        <IconButton
          icon={removeFormatting}
          label={texts.value.canvas.removeStyle}
          dense
          onClick={() => {
            editor.edit(setLayer(name, plainWords(layer, range)));
            onLeave();
          }}
        />
      </div>
    </DocumentContexts>
  );
}
