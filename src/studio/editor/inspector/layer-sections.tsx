// The Design panel of layers: every property that the selected ones share, in sections.

import { type ComponentChildren, Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { z } from 'zod';
import { LAYER_SCHEMAS, type LayerType } from '#core/template/layer.ts';
import { deferred } from '../../parts/deferred.tsx';
import { Differences, differing } from '../design/differences.tsx';
import type { RawLayer } from '../document/document.ts';
import { isWordStyle } from '../document/word-styles.ts';
import { useBrand, withTextStyle } from './brand-names.ts';
import type { InspectorContext } from './inspector-context.ts';
import { LayerField, valuesOf } from './layer-field.tsx';
import { PanelSection } from './panel-section.tsx';
import './layer-sections.css';
import { texts } from '../../texts/editor.ts';
import { InspectorHead } from './layer-head.tsx';
import { layerProperties } from './schema.ts';
import { type Section, sectionsOf } from './sections.ts';
import { SelectionColors } from './selection-colors.tsx';
import { TextStyleField } from './text-style-field.tsx';
import { ShownLayers } from './typed-text.ts';

const TablePanel = deferred(async () => (await import('./table-panel.tsx')).TablePanel);

interface LayerProps extends InspectorContext {
  readonly layers: readonly RawLayer[];
}

export function LayerSections({ layers, ...context }: LayerProps) {
  const { editor } = context;
  const brand = useBrand();
  const styled = useMemo(() => layers.map((layer) => withTextStyle(layer, brand)), [layers, brand]);
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
      <SelectionColors editor={editor} swatches={context.swatches} />
      {type === 'text' && types.length === 1 && <TextStyleField editor={editor} layers={layers} />}
      {sectionsOf(type, Object.keys(all)).map((section, i) => (
        <Fragment key={`${types.join()} ${section.name}`}>
          <SectionView section={section} properties={properties} layers={styled} {...context} />
          {i === 0 && type === 'table' && only && others.length === 0 && <TablePanel table={only} {...context} />}
        </Fragment>
      ))}
    </ShownLayers.Provider>
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
  // Read here, so that only what depends on the selected words is rendered with them.
  const words = context.editor.chosenWords.value?.range ?? null;
  const different = new Set(layers.flatMap((layer) => differing(context.editor, layer)));
  const isSet = more.flat().some((name) => layers.some((layer) => layer[name] !== undefined));
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
      <details class="panel-section" open={isSet && section.isClosed !== true}>
        <summary class="panel-section-title">{texts.value.sections[section.name]}</summary>
        <div class="panel-section-body">{fields(more)}</div>
      </details>
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
