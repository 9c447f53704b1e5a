// The Design panel of layers: every property that the selected ones share, in sections.

import { type ComponentChildren, Fragment } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { z } from 'zod';
import { LAYER_SCHEMAS, type LayerType } from '#core/template/layer.ts';
import { setSignal } from '../../parts/action.ts';
import { onDemand } from '../../parts/on-demand.tsx';
import { outermost, parentOf, type RawDocument, type RawLayer } from '../core/document/document.ts';
import { isWordStyle } from '../core/document/word-styles.ts';
import { overrides, resolved, unknownName, withTextStyle } from '../core/state/brand-names.ts';
import { Difference, Differences, differing } from '../design/differences.tsx';
import type { InspectorContext } from './inspector-context.ts';
import { ShownLayers, useBrand } from './inspector-context.ts';
import { LayerField, valuesOf } from './layer-field.tsx';
import { PanelSection } from './panel-section.tsx';
import './layer-sections.css';
import { useComputed, useSignal } from '@preact/signals';
import { Problem } from '../../parts/field.tsx';
import { texts } from '../../texts/editor.ts';
import { type Patch, setLayers } from '../core/document/edits.ts';
import { colorsOf, replaceColor } from '../core/document/layer-colors.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { Select, TextButton } from './controls.tsx';
import { FillField } from './fill-field.tsx';
import { InspectorHead } from './layer-head.tsx';
import { isIdle, labelOf, layerProperties } from './schema.ts';
import { type Section, sectionsOf } from './sections.ts';
import { Folded } from './value-field.tsx';

const TablePanel = onDemand(async () => (await import('./table-panel.tsx')).TablePanel);

interface LayerProps extends InspectorContext {
  readonly layers: readonly RawLayer[];
}

export function LayerSections({ layers, ...context }: LayerProps) {
  const { editor } = context;
  const brand = useBrand();
  const styled = useMemo(() => layers.map((layer) => withTextStyle(layer, brand)), [layers, brand]);
  const inFrame = useComputed(() => {
    const document = editor.document.value;
    return editor.selection.value.some((name) => parentOf(document, name)?.layout);
  }).value;
  const hasPages = useComputed(() => editor.document.value.page !== undefined).value;
  const idle = new Set<Section['name']>([
    ...(inFrame ? [] : (['inItsFrame'] as const)),
    ...(hasPages ? [] : (['pages', 'linesOnPages', 'tableOnPages'] as const)),
  ]);
  const types = [...new Set(layers.map(({ type }) => type as LayerType))].filter((type) => type in LAYER_SCHEMAS);
  const [type] = types;
  if (!type) return null;
  const all = layerProperties(type);
  // For layers of several types, only the properties that all of them have.
  const shared = Object.entries(all).filter(([name]) => types.every((other) => name in layerProperties(other)));
  const properties = Object.fromEntries(shared);
  const [only, ...others] = layers;
  return (
    <ShownLayers.Provider value={JSON.stringify(layers.map(({ name }) => name))}>
      <InspectorHead editor={editor} layers={layers} count={texts.value.inspector.layers(layers.length)} />
      <Differences editor={editor} layers={layers} />
      <SelectionColors editor={editor} />
      {type === 'text' && types.length === 1 && <TextStyleField editor={editor} layers={layers} />}
      {sectionsOf(type, Object.keys(all)).map((section, i) => (
        <Fragment key={`${types.join()} ${section.name}`}>
          <SectionView section={section} properties={properties} layers={styled} idle={idle} {...context} />
          {i === 0 && type === 'table' && only && others.length === 0 && <TablePanel table={only} {...context} />}
        </Fragment>
      ))}
    </ShownLayers.Provider>
  );
}

interface SectionProps extends LayerProps {
  readonly section: Section;
  /** Sections that say nothing of these layers unless something there is set. */
  readonly idle: ReadonlySet<Section['name']>;
  readonly properties: Readonly<Record<string, z.ZodType>>;
}

function SectionView({ section, properties, layers, ...context }: SectionProps) {
  const present = (rows: readonly (readonly string[])[]) =>
    rows
      .map((row) => row.filter((name) => name in properties && !layers.every((layer) => isIdle(name, layer))))
      .filter((row) => row.length > 0);
  const rows = present(section.rows);
  const more = present(section.more ?? []);
  if (rows.length === 0 && more.length === 0) return null;
  const isSet = more.flat().some((name) => layers.some((layer) => layer[name] !== undefined));
  // Where nothing lays the layer out, and no pages divide it.
  if (!isSet && context.idle.has(section.name)) return null;
  // Read here, so that only what depends on the selected words is rendered with them.
  const words = context.editor.chosenWords.value?.range ?? null;
  const different = new Set(layers.flatMap((layer) => differing(context.editor, layer)));
  const fields = (list: readonly (readonly string[])[]) =>
    list.map((row) => (
      <div key={row.join()} class={row.length === 2 ? 'row is-pair' : 'row'}>
        {row.map((name) => (
          <Marked key={name} isDifferent={different.has(name)}>
            <LayerField
              name={name}
              schema={properties[name] as z.ZodType}
              {...valuesOf(name, layers, isWordStyle(name) ? words : null)}
              {...context}
            />
          </Marked>
        ))}
      </div>
    ));
  if (rows.length === 0) {
    return (
      <Folded
        look="panel-section"
        title={texts.value.sections[section.name]}
        isOpen={isSet && section.isClosed !== true}
      >
        {() => fields(more)}
      </Folded>
    );
  }
  return (
    <PanelSection title={texts.value.sections[section.name]}>
      {fields(rows)}
      {more.length > 0 && (
        <details class="more" open={isSet}>
          <summary>{texts.value.inspector.more}</summary>
          <div class="panel-section-body">{fields(more)}</div>
        </details>
      )}
    </PanelSection>
  );
}

/** A field of which the shown size has a value of its own. */
function Marked({ isDifferent, children }: { isDifferent: boolean; children: ComponentChildren }) {
  return <div class={isDifferent ? 'field-mark is-different' : 'field-mark'}>{children}</div>;
}

/** Chooses a text style of the brand for the selected texts. */
function TextStyleField({ editor, layers }: { editor: EditorState; layers: readonly RawLayer[] }) {
  const brand = useBrand();
  const names = Object.keys(brand?.textStyles ?? {});
  const [first] = layers;
  const value = first?.textStyle;
  const isMixed = layers.some(({ textStyle }) => textStyle !== value);
  if (names.length === 0 && value === undefined && !isMixed) return null;
  const shown = isMixed ? 'mixed' : typeof value === 'string' ? value : '';
  const problem = isMixed ? null : unknownName(value, brand, 'textStyles');
  const own = [...new Set(layers.flatMap((layer) => overrides(layer, brand)))];
  const propertiesOf = (reference: unknown) => (resolved(reference, brand?.textStyles) ?? {}) as Patch;
  const choose = (next: string) => {
    const patches = layers.map(({ name, textStyle, ...layer }): [string, Patch] => {
      // Without a style the text looks as before; with one, its own properties would hide it.
      if (next === '') return [name, { ...propertiesOf(textStyle), ...layer, textStyle: undefined }];
      const hidden = Object.keys(propertiesOf(next)).map((property) => [property, undefined]);
      return [name, { ...Object.fromEntries(hidden), textStyle: next }];
    });
    editor.edit(setLayers(new Map(patches)));
  };
  return (
    <section class="panel-section">
      <div class="panel-section-body">
        <div class="labelled" data-property="textStyle">
          <span class="labelled-name">{texts.value.inspector.textStyle}</span>
          <span class="json-field">
            <Select
              label={texts.value.inspector.textStyle}
              value={shown}
              aria-invalid={problem !== null}
              options={[
                isMixed && ['mixed', texts.value.common.mixed],
                ['', texts.value.common.none],
                problem !== null && [shown, shown],
                ...names.map((name) => [`$${name}`, name] as const),
              ]}
              onChoose={choose}
            />
            <Problem of={problem} />
          </span>
        </div>
        {own.length > 0 && (
          <div class="differences" role="group" aria-label={texts.value.inspector.notAsStyle}>
            {own.map((property) => (
              <Difference
                key={property}
                of={property}
                title={texts.value.inspector.asStyleSays(labelOf(property))}
                onClick={() =>
                  editor.edit(setLayers(new Map(layers.map(({ name }) => [name, { [property]: undefined }]))))
                }
              />
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

// The colours of a selection of several layers, or of a frame with what is in it: each is changed everywhere at once.

/** Colors that are listed at first, and at most: a picture made of shapes may have thousands. */
const [FEW, MOST] = [4, 60];

interface SelectionColorsProps {
  readonly editor: EditorState;
}

function SelectionColors({ editor }: SelectionColorsProps) {
  const colors = useComputed(() => {
    const document = editor.document.value;
    const names = outermost(document, editor.selection.value);
    const layers = names.flatMap((name) => editor.layer(name) ?? []);
    const isMany = layers.length > 1 || layers.some(({ children = [], spans }) => children.length > 0 || spans);
    const found = isMany ? colorsOf(layers) : [];
    // One layer's one color has a field already.
    return layers.length > 1 || layers[0]?.children || found.length > 1 ? found : [];
  }).value;
  const showsAll = useSignal(false);
  if (colors.length === 0) return null;
  const shown = colors.slice(0, showsAll.value ? MOST : FEW);
  return (
    <PanelSection title={texts.value.inspector.selectionColors}>
      {shown.map(({ color, count }, i) => (
        <SelectionColor key={i} editor={editor} color={color} count={count} />
      ))}
      {!showsAll.value && colors.length > FEW && (
        <TextButton onClick={() => setSignal(showsAll, true)}>
          {texts.value.inspector.allColors(colors.length)}
        </TextButton>
      )}
      {showsAll.value && colors.length > MOST && (
        <p class="faint">{texts.value.inspector.andMore(colors.length - MOST)}</p>
      )}
    </PanelSection>
  );
}

function SelectionColor({
  editor,
  color,
  count,
}: SelectionColorsProps & { readonly color: string; readonly count: number }) {
  // While a colour is dragged it may pass one that the selection has too, which must not change with it from then on.
  const change = useRef<{ readonly from: string; readonly before: RawDocument; after: RawDocument } | null>(null);
  const set = (next: string) => {
    const document = editor.document.peek();
    const names = editor.selection.peek();
    const { from, before } = change.current?.after === document ? change.current : { from: color, before: document };
    const after = replaceColor(names, from, next)(before);
    change.current = { from, before, after };
    editor.edit(() => after, { kind: `selection color ${from} ${names.join()}` });
  };
  return (
    <span class="removable">
      <FillField
        label={texts.value.inspector.color(color)}
        value={color}
        onFill={(next) => typeof next === 'string' && set(next)}
        solid
      />
      <span class="faint" title={texts.value.inspector.usedTimes(count)}>
        {count}×
      </span>
    </span>
  );
}
