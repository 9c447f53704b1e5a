// Design: every property of what is selected, or of the canvas where nothing is.

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { z } from 'zod';
import { LAYER_SCHEMAS, type LayerType } from '#core/template/layer.ts';
import { LayersTemplate } from '#core/template/template.ts';
import { IconButton } from '../../parts/button.tsx';
import { eye, eyeOff } from '../../parts/icons.ts';
import { type RawDocument, type RawLayer, walk } from '../document/document.ts';
import { type Patch, renameLayer, setDocument, setLayers } from '../document/edits.ts';
import { textOf, textPatch } from '../document/text-edits.ts';
import {
  alignBottom,
  alignLeftEdge,
  alignMiddleX,
  alignMiddleY,
  alignRightEdge,
  alignTop,
  distributeX,
  distributeY,
} from '../icons.ts';
import { align, distribute, toggleHidden } from '../state/actions.ts';
import type { EditorState } from '../state/editor-state.ts';
import { FeaturesField, TagFields } from './features-field.tsx';
import { FontField } from './font-field.tsx';
import { ImageField } from './image-field.tsx';
import './inspector.css';
import { layerProperties, propertyOf } from './schema.ts';
import { LOOKS, type Section, sectionsOf, UNLABELLED } from './sections.ts';
import { DecorationField, FocusField, LayoutField, WeightField } from './special-fields.tsx';
import { TextBackgroundField } from './text-background-field.tsx';
import { LabelledValue, ValueField } from './value-field.tsx';

export interface InspectorContext {
  readonly editor: EditorState;
  readonly accountId: string;
  readonly faceAddress: (id: string) => string;
}

export function DesignPanel(context: InspectorContext) {
  const { editor } = context;
  const layers = editor.selectedLayers.value;
  const swatches = useSwatches(editor.document.value);
  if (layers.length === 0) return <CanvasSections {...context} swatches={swatches} />;
  return <LayerSections {...context} layers={layers} swatches={swatches} />;
}

interface LayerProps extends InspectorContext {
  readonly layers: readonly RawLayer[];
  readonly swatches: readonly string[];
}

function LayerSections({ layers, ...context }: LayerProps) {
  const { editor } = context;
  const types = [...new Set(layers.map(({ type }) => type as LayerType))].filter((type) => type in LAYER_SCHEMAS);
  const [type] = types;
  if (!type) return null;
  const all = layerProperties(type);
  // Of several types, what they have in common.
  const shared = Object.entries(all).filter(([name]) => types.every((other) => name in layerProperties(other)));
  const properties = Object.fromEntries(shared);
  const [only, ...others] = layers;
  return (
    <>
      <div class="inspector-head">
        {only && others.length === 0 ? (
          <span class="inspector-title">
            <NameField editor={editor} layer={only} />
            <VisibleToggle editor={editor} layer={only} />
          </span>
        ) : (
          <span class="inspector-count">{layers.length} layers</span>
        )}
        <AlignBar editor={editor} many={layers.length} />
      </div>
      {sectionsOf(type, Object.keys(all)).map((section) => (
        <SectionView
          key={`${types.join()} ${section.title}`}
          section={section}
          properties={properties}
          layers={layers}
          {...context}
        />
      ))}
    </>
  );
}

function NameField({ editor, layer }: { editor: EditorState; layer: RawLayer }) {
  return (
    <input
      key={layer.name}
      class="input is-dense inspector-name"
      aria-label="Name of the layer, which is its parameter"
      title="Name of the layer, which is its parameter"
      defaultValue={layer.name}
      spellcheck={false}
      data-property="name"
      onChange={(event) => {
        const to = event.currentTarget.value;
        editor.rename(layer.name, to, renameLayer(layer.name, to));
        event.currentTarget.value = editor.selection.peek()[0] ?? layer.name;
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}

function VisibleToggle({ editor, layer }: { editor: EditorState; layer: RawLayer }) {
  const isHidden = layer.visible === false;
  return (
    <span data-property="visible">
      <IconButton
        icon={isHidden ? eyeOff : eye}
        label={isHidden ? 'Show the layer' : 'Hide the layer'}
        dense
        aria-pressed={isHidden}
        onClick={() => toggleHidden(editor, [layer.name])}
      />
    </span>
  );
}

const ALIGNMENTS = [
  ['left', 'Align left', alignLeftEdge],
  ['centre', 'Align centres', alignMiddleX],
  ['right', 'Align right', alignRightEdge],
  ['top', 'Align top', alignTop],
  ['middle', 'Align middles', alignMiddleY],
  ['bottom', 'Align bottom', alignBottom],
] as const;

function AlignBar({ editor, many }: { editor: EditorState; many: number }) {
  return (
    <div class="align-bar" role="toolbar" aria-label="Align">
      {ALIGNMENTS.map(([to, label, icon]) => (
        <IconButton key={to} icon={icon} label={label} dense onClick={() => align(editor, to)} />
      ))}
      <IconButton
        icon={distributeX}
        label="Distribute across"
        dense
        disabled={many < 3}
        onClick={() => distribute(editor, 'x')}
      />
      <IconButton
        icon={distributeY}
        label="Distribute down"
        dense
        disabled={many < 3}
        onClick={() => distribute(editor, 'y')}
      />
    </div>
  );
}

interface SectionProps extends LayerProps {
  readonly section: Section;
  readonly properties: Readonly<Record<string, z.ZodType>>;
}

function SectionView({ section, properties, layers, ...context }: SectionProps) {
  const present = (rows: readonly (readonly string[])[]) =>
    rows.map((row) => row.filter((name) => name in properties)).filter((row) => row.length > 0);
  const rows = present(section.rows);
  const more = present(section.more ?? []);
  if (rows.length === 0 && more.length === 0) return null;
  const isSet = more.flat().some((name) => layers.some((layer) => layer[name] !== undefined));
  const fields = (list: readonly (readonly string[])[]) =>
    list.map((row) => (
      <div key={row.join()} class={row.length === 2 ? 'row is-pair' : 'row'}>
        {row.map((name) => (
          <LayerField key={name} name={name} schema={properties[name] as z.ZodType} layers={layers} {...context} />
        ))}
      </div>
    ));
  if (rows.length === 0) {
    return (
      <details class="section" open={isSet}>
        <summary class="section-title">{section.title}</summary>
        <div class="section-body">{fields(more)}</div>
      </details>
    );
  }
  return (
    <section class="section">
      <h3 class="section-title">{section.title}</h3>
      <div class="section-body">
        {fields(rows)}
        {more.length > 0 && (
          <details class="more" open={isSet}>
            <summary>More</summary>
            <div class="section-body">{fields(more)}</div>
          </details>
        )}
      </div>
    </section>
  );
}

interface FieldProps extends LayerProps {
  readonly name: string;
  readonly schema: z.ZodType;
}

function LayerField({ name, schema, layers, ...context }: FieldProps) {
  const { editor, swatches } = context;
  const values = layers.map((layer) => layer[name]);
  const isMixed = values.some((value) => JSON.stringify(value) !== JSON.stringify(values[0]));
  const value = isMixed ? undefined : values[0];
  const set = (patchOf: (layer: RawLayer) => Patch) =>
    editor.edit(setLayers(new Map(layers.map((layer) => [layer.name, patchOf(layer)]))), {
      kind: `set ${name} ${layers.map((layer) => layer.name).join()}`,
    });
  const onValue = (next: unknown) => set(() => ({ [name]: next }));
  const field = specialField({ name, schema, layers, value, isMixed, onValue, set, ...context });
  const look = LOOKS[name];
  if (field)
    return UNLABELLED.has(name) ? (
      field
    ) : (
      <Labelled name={name} label={look?.label}>
        {field}
      </Labelled>
    );
  const own = (
    <ValueField
      name={name}
      schema={schema}
      value={value}
      isMixed={isMixed}
      onValue={onValue}
      swatches={swatches}
      {...(look && { look })}
    />
  );
  const isCompact = look?.prefix !== undefined || look?.icons !== undefined || UNLABELLED.has(name);
  const { control } = propertyOf(schema);
  if (isCompact || control.kind === 'choice')
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
}

function Labelled({
  name,
  label,
  children,
}: {
  name: string;
  label?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <div class="labelled" data-property={name}>
      <span class="labelled-name">
        {label ?? name.replace(/([A-Z])/g, ' $1').replace(/^./, (first) => first.toUpperCase())}
      </span>
      {children}
    </div>
  );
}

interface SpecialProps extends FieldProps {
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly onValue: (value: unknown) => void;
  readonly set: (patchOf: (layer: RawLayer) => Patch) => void;
}

/** Controls by hand; null = the one of the property's kind. */
function specialField(props: SpecialProps): ComponentChildren | null {
  const { name, schema, layers, value, isMixed, onValue, set, editor, swatches } = props;
  const label = LOOKS[name]?.label ?? name;
  const { initial } = propertyOf(schema);
  const common = { label, schema, value: isMixed ? undefined : (value ?? initial), isMixed, onValue };
  switch (name) {
    case 'fontFamily':
      return (
        <div data-property="fontFamily">
          <FontField editor={editor} value={common.value} onValue={onValue} faceAddress={props.faceAddress} />
        </div>
      );
    case 'fontWeight':
      return <WeightField {...common} label="Weight" weights={weightsOf(editor, layers)} />;
    case 'text': {
      const [layer] = layers;
      if (!layer || layers.length > 1) return null;
      return (
        <textarea
          class="input is-dense"
          aria-label="Words"
          rows={3}
          spellcheck={false}
          data-property="text"
          value={textOf(layer)}
          onInput={(event) => {
            const words = event.currentTarget.value;
            set((one) => textPatch(one, words));
          }}
        />
      );
    }
    case 'layout':
      return <LayoutField {...common} label="Layout" />;
    case 'focus':
      return <FocusField {...common} label="Focal point" />;
    case 'textDecoration':
      return <DecorationField {...common} label="Decoration" />;
    case 'fontFeatures':
      return (
        <div data-property="fontFeatures">
          <FeaturesField label="OpenType features" value={common.value} onValue={onValue} />
        </div>
      );
    case 'fontVariations': {
      const axes = (common.value ?? {}) as Readonly<Record<string, number>>;
      return (
        <TagFields
          label="Axes"
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
      return <ImageField {...common} name={name} accountId={props.accountId} editor={editor} />;
    case 'background':
      return layers.every(({ type }) => type === 'text') ? (
        <TextBackgroundField {...common} swatches={swatches} />
      ) : null;
    default:
      return null;
  }
}

function weightsOf(editor: EditorState, layers: readonly RawLayer[]): readonly number[] {
  const family = layers[0]?.fontFamily ?? 'Inter';
  const name = Array.isArray(family) ? String(family[0]) : String(family);
  const faces = editor.compositor.fonts.families.find(name)?.faces ?? [];
  const isVariable = faces.some(({ axes }) => axes.wght);
  return isVariable ? [100, 200, 300, 400, 500, 600, 700, 800, 900] : faces.map(({ weight }) => weight);
}

/** What stands beside the layers in a template, apart from `name`, `layers` and what only JSON says. */
const CANVAS_ROWS = ['width', 'height', 'background'] as const;

function CanvasSections({ editor, swatches }: InspectorContext & { readonly swatches: readonly string[] }) {
  const document = editor.document.value;
  const { shape } = LayersTemplate;
  const set = (name: string) => (value: unknown) =>
    editor.edit(setDocument({ [name]: value }), { kind: `canvas ${name}` });
  return (
    <>
      <section class="section">
        <h3 class="section-title">Canvas</h3>
        <div class="section-body">
          <div class="row is-pair">
            {CANVAS_ROWS.slice(0, 2).map((name) => (
              <div key={name} class="bare" data-property={name}>
                <ValueField
                  name={name}
                  schema={shape[name]}
                  value={document[name]}
                  onValue={(value) => value !== undefined && set(name)(value)}
                  swatches={swatches}
                  look={{ prefix: name === 'width' ? 'W' : 'H' }}
                />
              </div>
            ))}
          </div>
          <LabelledValue name="background" schema={shape.background}>
            <ValueField
              name="background"
              schema={shape.background}
              value={document.background}
              onValue={set('background')}
              swatches={swatches}
            />
          </LabelledValue>
        </div>
      </section>
      <details class="section" open={document.pdf !== undefined}>
        <summary class="section-title">PDF document</summary>
        <div class="section-body">
          <ValueField
            name="pdf"
            schema={shape.pdf}
            value={document.pdf}
            onValue={set('pdf')}
            swatches={swatches}
            look={{ label: 'Metadata' }}
          />
        </div>
      </details>
      <section class="section">
        <h3 class="section-title">Guides and grid</h3>
        <div class="section-body">
          <Preferences editor={editor} />
        </div>
      </section>
    </>
  );
}

function Preferences({ editor }: { editor: EditorState }) {
  const { snap, showGrid, showRulers, grid, guides } = editor.preferences;
  const toggles = [
    ['Snap to layers, guides and gaps', snap],
    ['Show the grid', showGrid],
    ['Show rulers', showRulers],
  ] as const;
  return (
    <>
      {toggles.map(([label, signal]) => (
        <label key={label} class="toggle">
          <input
            type="checkbox"
            checked={signal.value}
            onChange={(event) => {
              signal.value = event.currentTarget.checked;
            }}
          />
          <span>{label}</span>
        </label>
      ))}
      <div class="row is-pair">
        <ValueField
          name="grid"
          schema={LayersTemplate.shape.width}
          value={grid.value}
          swatches={[]}
          look={{ prefix: 'Grid', unit: 'px' }}
          onValue={(value) => {
            if (typeof value === 'number') grid.value = value;
          }}
        />
        <button
          type="button"
          class="add-button"
          disabled={guides.value.length === 0}
          onClick={() => {
            guides.value = [];
          }}
        >
          Clear {guides.value.length} {guides.value.length === 1 ? 'guide' : 'guides'}
        </button>
      </div>
    </>
  );
}

/** The colours that the template uses, the most frequent first. */
function useSwatches(document: RawDocument): readonly string[] {
  return useMemo(() => {
    const counts = new Map<string, number>();
    const count = (value: unknown): void => {
      if (typeof value === 'string' && /^#[0-9a-f]{3,8}$/i.test(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
      else if (Array.isArray(value)) value.forEach(count);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(count);
    };
    count(document.background);
    for (const { layer } of walk(document.layers)) {
      const { children: _children, src: _src, text: _text, ...own } = layer;
      count(Object.values(own));
    }
    return [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 18)
      .map(([color]) => color);
  }, [document]);
}
