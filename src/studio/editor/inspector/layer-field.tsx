// One property of the selection with its control; rendered again only if its own value changes.

import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { z } from 'zod';
import { memo } from '../../parts/memo.ts';
import { onDemand } from '../../parts/on-demand.tsx';
import { texts } from '../../texts/editor.ts';
import type { RawLayer } from '../core/document/document.ts';
import { type Patch, setLayers, withLayout } from '../core/document/edits.ts';
import { textOf, textPatch } from '../core/document/text-edits.ts';
import { isWordStyle, type Range, styleOfWords } from '../core/document/word-styles.ts';
import { flows, paddingBox, tidy } from '../core/geometry/geometry-of.ts';
import { styleText } from '../core/state/actions.ts';
import { resolved, withTextStyle } from '../core/state/brand-names.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { resizeLayers } from '../core/state/resize.ts';
import { Labelled, TextButton } from './controls.tsx';
import type { FillValue } from './fill.ts';
import { FillField } from './fill-field.tsx';
import { FontField } from './font-field.tsx';
import { ImageField } from './image-field.tsx';
import { FillContext, type InspectorContext, useBrand } from './inspector-context.ts';
import { LayoutField } from './layout-field.tsx';
import { NumberInput } from './number-input.tsx';
import { labelOf, propertyOf } from './schema.ts';
import { lookOf, UNLABELLED } from './sections.ts';
import { RemoveButton } from './segments.tsx';
import { SidesField } from './sides-field.tsx';
import {
  ConstraintsField,
  DecorationField,
  FeaturesField,
  FlipField,
  FocusField,
  ListField,
  type SpecialProps,
  TagFields,
  WeightField,
  weightsOf,
} from './special-fields.tsx';
import { LabelledValue, ValueField } from './value-field.tsx';

/** The values of a property in the selected layers. */
interface Values {
  /** undefined if it is not set, or if layers differ. */
  readonly value: unknown;
  readonly isMixed: boolean;
  /** Whether exactly one layer is selected. */
  readonly isAlone: boolean;
  /** Whether all selected layers are texts. */
  readonly isText: boolean;
}

interface FieldProps extends InspectorContext, Values {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** @param words the selected words, if the property is theirs; null = the values of the layers */
export function valuesOf(name: string, layers: readonly RawLayer[], words: Range | null = null): Values {
  const [first, ...others] = layers;
  const isAlone = others.length === 0;
  if (words && first && isAlone) return { ...styleOfWords(first, words, name), isAlone, isText: true };
  const isText = layers.every(({ type }) => type === 'text');
  const value = name === 'text' && isAlone && first && isText ? textOf(first) : first?.[name];
  const isMixed = !isAlone && others.some((layer) => JSON.stringify(layer[name]) !== JSON.stringify(value));
  return { value: isMixed ? undefined : value, isMixed, isAlone, isText };
}

export const LayerField = memo(function LayerField(props: FieldProps) {
  const { name, schema, editor, value, isMixed } = props;
  const set = (patchOf: (layer: RawLayer) => Patch) => {
    const layers = editor.selectedLayers.peek();
    if (name === 'width' || name === 'height')
      return resizeLayers(editor, new Map(layers.map((layer) => [layer.name, patchOf(layer)])));
    editor.edit(setLayers(new Map(layers.map((layer) => [layer.name, patchOf(layer)]))), {
      kind: `set ${name} ${layers.map((layer) => layer.name).join()}`,
    });
  };
  const onValue = (next: unknown) => {
    if (isWordStyle(name) && editor.chosenWords.peek()) styleText(editor, { [name]: next });
    else set(() => ({ [name]: next }));
  };
  if ((name === 'x' || name === 'y') && props.isAlone) return <PlaceField {...props} axis={name} onValue={onValue} />;
  const field = specialField({ ...props, onValue, set });
  if (field === false) return null;
  // Those of codes are no styled words.
  const look = name === 'spans' && !props.isText ? undefined : lookOf(name);
  if (field)
    return UNLABELLED.has(name) ? (
      field
    ) : (
      <Labelled property={name} label={look?.label ?? labelOf(name)}>
        {field}
      </Labelled>
    );
  const own = (
    <FillContext.Provider value={{ editor, property: name }}>
      <ValueField
        name={name}
        schema={schema}
        value={value}
        isMixed={isMixed}
        onValue={onValue}
        {...(look && { look })}
      />
    </FillContext.Provider>
  );
  const isCompact = look?.prefix !== undefined || look?.icons !== undefined || UNLABELLED.has(name);
  if (isCompact)
    return (
      <div class="bare" data-property={name}>
        {own}
      </div>
    );
  return (
    <LabelledValue name={name} schema={schema} {...(look?.label && { label: look.label })}>
      {own}
    </LabelledValue>
  );
});

/** X or Y: a layer that a layout places shows where that is, and cannot be moved by it. */
function PlaceField({ axis, editor, schema, value, onValue }: FieldProps & PlaceProps) {
  const placed = useComputed(() => {
    const [layer] = editor.selectedLayers.value;
    const box = layer && editor.picture.value?.byName.get(layer.name);
    return box && flows(box) ? tidy(box.rect[axis] - paddingBox(box.parent)[axis]) : null;
  }).value;
  return (
    <div class="bare" data-property={axis} title={placed === null ? undefined : texts.value.inspector.isPlaced}>
      {placed === null ? (
        <ValueField name={axis} schema={schema} value={value} onValue={onValue} look={{ prefix: axis.toUpperCase() }} />
      ) : (
        <NumberInput
          label={axis.toUpperCase()}
          prefix={axis.toUpperCase()}
          value={placed}
          disabled
          onNumber={onValue}
        />
      )}
    </div>
  );
}

interface PlaceProps {
  readonly axis: 'x' | 'y';
  readonly onValue: (value: unknown) => void;
}

interface Special extends FieldProps {
  readonly onValue: (value: unknown) => void;
  readonly set: (patchOf: (layer: RawLayer) => Patch) => void;
}

const ChartDataField = onDemand(async () => (await import('./table-panel.tsx')).ChartDataField);
const PointsField = onDemand(async () => (await import('./points-field.tsx')).PointsField);
const RunsField = onDemand(async () => (await import('./runs-field.tsx')).RunsField);
const ChartSource = onDemand(async () => (await import('./table-panel.tsx')).ChartSource);

/** Controls written for a property; null = use the control of the property's kind; false = show none. */
function specialField(props: Special): ComponentChildren | null {
  const { name, schema, value, isMixed, isAlone, isText, onValue, set, editor } = props;
  const label = lookOf(name)?.label ?? name;
  const { initial } = propertyOf(schema);
  const common = { label, schema, value: isMixed ? undefined : (value ?? initial), isMixed, onValue };
  switch (name) {
    case 'fontFamily':
      return (
        <div data-property="fontFamily">
          <FontField editor={editor} value={common.value} onValue={onValue} />
        </div>
      );
    case 'constraints':
      return <ConstraintsField {...common} editor={editor} />;
    case 'fontWeight':
      return <WeightOf {...common} label={texts.value.common.weight} editor={editor} />;
    case 'text':
      return isAlone ? (
        <textarea
          class="input is-dense"
          aria-label={texts.value.inspector.words}
          rows={3}
          spellcheck={false}
          data-property="text"
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => {
            const words = event.currentTarget.value;
            set((one) => textPatch(one, words));
          }}
        />
      ) : null;
    case 'points':
      return <PointsField {...common} editor={editor} />;
    case 'spans':
      return isAlone && isText ? <RunsField editor={editor} schema={schema} /> : null;
    case 'layout':
      return (
        <LayoutField
          {...common}
          label={texts.value.sections.layout}
          onValue={(layout) => set((layer) => withLayout(layer, layout))}
        />
      );
    case 'focus':
      return <FocusField {...common} label={texts.value.foci.point} />;
    case 'textDecoration':
      return <DecorationField {...common} label={texts.value.inspector.decoration} />;
    case 'flip':
      return <FlipField {...common} label={labelOf(name)} editor={editor} />;
    case 'listStyle':
      return <ListField {...common} label={labelOf(name)} />;
    case 'fontFeatures':
      return (
        <div data-property="fontFeatures">
          <FeaturesField label={texts.value.inspector.openTypeFeatures} value={common.value} onValue={onValue} />
        </div>
      );
    case 'fontVariations': {
      const axes = (common.value ?? {}) as Readonly<Record<string, number>>;
      return (
        <TagFields
          label={texts.value.inspector.axes}
          example="wdth"
          values={axes}
          onSet={(tag, next) => {
            const { [tag]: _before, ...others } = axes;
            onValue(next === null ? others : { ...others, [tag]: next });
          }}
        />
      );
    }
    case 'src':
    case 'fallback':
      return (
        <ImageField
          {...common}
          name={name}
          editor={editor}
          onUpload={() => {
            const names = editor.selection.peek();
            return (src) => editor.edit(setLayers(new Map(names.map((one) => [one, { [name]: src }]))));
          }}
        />
      );
    case 'from':
      return isAlone ? <ChartSource editor={editor} value={value as never} onFrom={onValue} /> : false;
    case 'data':
      // Those of a table are edited there.
      if (editor.selectedLayers.value[0]?.from) return false;
      return isAlone ? (
        <ChartDataField
          data={value}
          series={editor.selectedLayers.value[0]?.series}
          onPatch={(patch) => set(() => patch)}
        />
      ) : null;
    case 'background':
      return isText ? <TextBackgroundField {...common} /> : null;
    default:
      return null;
  }
}

/** The weights of the family of the selected words, or of the first selected text. */
function WeightOf({ editor, ...common }: SpecialProps & { readonly editor: EditorState }) {
  const brand = useBrand();
  const family = useComputed(() => {
    const [selected] = editor.selectedLayers.value;
    const layer = selected && withTextStyle(selected, brand);
    const words = editor.chosenWords.value;
    const named = layer && words ? styleOfWords(layer, words.range, 'fontFamily').value : layer?.fontFamily;
    return String([resolved(named ?? 'Inter', brand?.fonts) ?? 'Inter'].flat()[0]);
  }).value;
  return <WeightField {...common} weights={weightsOf(editor, family, common.isMixed ? null : (common.value ?? 400))} />;
}

// The background of each line of a text: a colour, or one with padding and round corners.

interface LineBackground {
  readonly color: FillValue;
  readonly padding?: number | readonly number[];
  readonly borderRadius?: number | readonly number[];
}

function TextBackgroundField({ value, isMixed, onValue }: SpecialProps) {
  const label = texts.value.inspector.behindLines;
  if (value === null || value === undefined) {
    return (
      <TextButton onClick={() => onValue({ color: '#ffe600', padding: [2, 6, 2, 6], borderRadius: 4 })}>
        {label}
      </TextButton>
    );
  }
  const background = (typeof value === 'object' ? value : { color: value }) as LineBackground;
  const set = (part: Partial<LineBackground>) => onValue({ ...background, ...part });
  return (
    <span class="stack">
      <span class="removable">
        <FillField label={label} value={background.color} onFill={(color) => set({ color })} />
        <RemoveButton label={label} onRemove={() => onValue(null)} />
      </span>
      <SidesField
        kind="edges"
        label={texts.value.inspector.linePadding}
        value={background.padding ?? 0}
        isMixed={isMixed}
        onValue={(padding) => set({ padding: padding as number | readonly number[] })}
      />
      <SidesField
        kind="corners"
        label={texts.value.inspector.lineCorners}
        value={background.borderRadius ?? 0}
        isMixed={isMixed}
        onValue={(borderRadius) => set({ borderRadius: borderRadius as number | readonly number[] })}
      />
    </span>
  );
}
