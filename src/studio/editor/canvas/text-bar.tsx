// A bar that floats over the selected words of a text and styles them.

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { MAX_FONT_SIZE } from '#core/template/style.ts';
import { IconButton } from '../../parts/button.tsx';
import { texts } from '../../texts/editor.ts';
import { isMod } from '../browser.ts';
import { setLayer } from '../core/document/edits.ts';
import {
  initialOf,
  isStyled,
  plainWords,
  type Range,
  styleOfWords,
  type Toggle,
} from '../core/document/word-styles.ts';
import { styleText, toggleTextStyle } from '../core/state/actions.ts';
import { brandOf, withTextStyle } from '../core/state/brand-names.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { bold, italic, removeFormatting, underline } from '../icons.ts';
import type { FillValue } from '../inspector/fill.ts';
import { FillField } from '../inspector/fill-field.tsx';
import { FontField } from '../inspector/font-field.tsx';
import { BrandContext } from '../inspector/inspector-context.ts';
import { NumberInput } from '../inspector/number-input.tsx';
import { weightName, weightsOf } from '../inspector/special-fields.tsx';
import { swatchesOf } from '../inspector/swatches.ts';
import '../inspector/inspector.css';
import './text-bar.css';

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

const TOGGLES = [
  ['bold', bold],
  ['italic', italic],
  ['underline', underline],
] as const satisfies readonly (readonly [Toggle, unknown])[];

export function TextBar({ editor, name, range, around, onLeave }: TextBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const swatches = useMemo(() => () => swatchesOf(editor.document.peek()), [editor]);
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
    <BrandContext.Provider value={brand}>
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
        <select
          class="input is-dense"
          aria-label={texts.value.common.weight}
          title={texts.value.common.weight}
          value={weight === undefined ? '' : String(weight)}
          onChange={(event) => styleText(editor, { fontWeight: Number(event.currentTarget.value) })}
        >
          {weight === undefined && <option value="">{texts.value.common.mixed}</option>}
          {weightsOf(editor, family, weight).map((one) => (
            <option key={one} value={String(one)}>
              {weightName(one) ?? one}
            </option>
          ))}
        </select>
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
          {TOGGLES.map(([toggle, icon]) => (
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
          swatches={swatches}
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
    </BrandContext.Provider>
  );
}
