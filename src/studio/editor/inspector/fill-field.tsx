// A field for a colour or a gradient: a swatch with its code, and a panel that edits both.

import { useContext } from 'preact/hooks';
import { onDemand } from '../../parts/on-demand.tsx';
import { texts } from '../../texts/editor.ts';
import { isReference, resolved, unknownName } from '../core/state/brand-names.ts';
import { cssOf, type FillValue, isGradient } from './fill.ts';
import { FillContext, useBrand } from './inspector-context.ts';
import { Popover } from './popover.tsx';
import { CssField } from './typed-field.tsx';

const FillPanel = onDemand(async () => (await import('./fill-panel.tsx')).FillPanel);

interface FillFieldProps {
  readonly label: string;
  /** undefined = several values. */
  readonly value: FillValue | undefined;
  readonly onFill: (value: FillValue) => void;
  /** One colour only. */
  readonly solid?: boolean;
}

export function FillField({ label, value, onFill, solid }: FillFieldProps) {
  const brand = useBrand();
  const editor = useContext(FillContext)?.editor;
  const problem = unknownName(value, brand, 'colors');
  const stands = resolved(value, brand?.colors) as FillValue | undefined;
  return (
    <span class="fill-field">
      <Popover
        label={label}
        // Its gradient has handles on the canvas.
        {...(editor && { stays: editor.isDragging })}
        button={(attributes) => (
          <button
            {...attributes}
            type="button"
            class="swatch"
            aria-label={texts.value.inspector.choose(label)}
            title={label}
          >
            <span class="swatch-color" style={{ background: stands === undefined ? 'transparent' : cssOf(stands) }} />
          </button>
        )}
      >
        {() => (
          <FillPanel
            label={label}
            value={stands ?? '#000000'}
            reference={value}
            onFill={onFill}
            solid={solid ?? false}
          />
        )}
      </Popover>
      {isReference(value) ? (
        <span
          class={problem === null ? 'fill-name is-reference' : 'fill-name is-reference is-unknown'}
          title={problem ?? texts.value.inspector.brandColor}
        >
          {problem ?? value}
        </span>
      ) : isGradient(value) ? (
        <span class="fill-name">{texts.value.gradients[value.type]}</span>
      ) : (
        <CssField label={label} value={value ?? ''} onColor={onFill} />
      )}
    </span>
  );
}
