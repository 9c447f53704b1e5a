// The Design panel of a component: the template that it shows, its version and size, and what is different here.

import { z } from 'zod';
import { ComponentLayer } from '#core/template/component-layer.ts';
import { onDemand } from '../../parts/on-demand.tsx';
import { useLoad } from '../../shell/load.ts';
import { sizeName } from '../../shell/views.ts';
import { texts } from '../../texts/editor.ts';
import { patchOf } from '../core/design/view.ts';
import { type Fields, type RawDocument, type RawLayer, sizesOf, walk } from '../core/document/document.ts';
import { setLayer } from '../core/document/edits.ts';
import { mainColorOf } from '../core/document/layer-colors.ts';
import { textOf } from '../core/document/text-edits.ts';
import { isReference, resolved } from '../core/state/brand-names.ts';
import { Labelled, Select, TextButton } from '../inspector/controls.tsx';
import type { FillValue } from '../inspector/fill.ts';
import { FillField } from '../inspector/fill-field.tsx';
import { ImageField } from '../inspector/image-field.tsx';
import type { InspectorContext } from '../inspector/inspector-context.ts';
import { LayerField, valuesOf } from '../inspector/layer-field.tsx';
import { InspectorHead } from '../inspector/layer-head.tsx';
import { PanelSection } from '../inspector/panel-section.tsx';
import { Popover } from '../inspector/popover.tsx';
import { humanized } from '../inspector/schema.ts';
import { LabelledValue, ValueField } from '../inspector/value-field.tsx';
import { Differences } from './differences.tsx';

const SwapList = onDemand(async () => (await import('../library/library-panel.tsx')).SwapList);
const TEXT = z.string().max(100_000);

interface ComponentProps extends InspectorContext {
  /** One or more components. */
  readonly layers: readonly RawLayer[];
}

const PLACE = [
  ['x', 'y'],
  ['width', 'height'],
  ['rotation', 'opacity'],
] as const;
/** What a component can be filled with, by type of layer. */
const FILLED: Readonly<Record<string, string>> = { text: 'text', image: 'src', qr: 'value', barcode: 'value' };

export function ComponentSections({ layers, ...context }: ComponentProps) {
  const { editor } = context;
  const [only, ...others] = layers;
  return (
    <>
      <InspectorHead editor={editor} layers={layers} count={texts.value.design.components(layers.length)} />
      <Differences editor={editor} layers={layers} />
      {only && others.length === 0 && <Component layer={only} {...context} />}
      <PanelSection title={texts.value.sections.position}>
        {PLACE.map((row) => (
          <div key={row.join()} class="row is-pair">
            {row.map((name) => (
              <LayerField
                key={name}
                name={name}
                schema={ComponentLayer.shape[name]}
                {...valuesOf(name, layers)}
                {...context}
              />
            ))}
          </div>
        ))}
      </PanelSection>
    </>
  );
}

function Component({ layer, ...context }: InspectorContext & { readonly layer: RawLayer }) {
  const { editor } = context;
  const reference = String(layer.template ?? '');
  const [id = '', version] = reference.split('@');
  const { templates } = editor.host;
  const { data, error } = useLoad(
    templates && `template ${templates.address(id)}`,
    async () => templates?.find(id) ?? null,
  );
  const { designs } = editor.compositor;
  const shown = designs.known.value >= 0 ? (designs.templates.get(reference) as RawDocument | undefined) : undefined;
  const set = (patch: Readonly<Record<string, unknown>>, kind: string | null = null) =>
    editor.edit(setLayer(layer.name, patch), { kind });
  const given = (layer.modifications ?? {}) as Readonly<Record<string, unknown>>;
  const sizes = Object.keys(shown ? sizesOf(shown) : {});
  const isOld = data !== null && version !== undefined && Number(version) < data.version;
  const colored = [...walk(shown?.layers)].filter(({ layer: inner }) => {
    const property = mainColorOf(inner);
    return property !== null && inner.locked !== true && inner[property] !== undefined;
  });
  const brand = shown ? designs.brand(shown.brand) : null;
  const fill = (inner: RawLayer, property: string, value: unknown) => {
    const { [inner.name]: before, ...rest } = given;
    const patch = { ...(before === undefined ? {} : patchOf(inner, before)), [property]: value };
    // As the component says it anyway.
    const isOwn = Object.keys(patch).length === 1 && value === (property === 'text' ? textOf(inner) : inner[property]);
    const short = Object.keys(patch).length === 1 && typeof value === 'string' ? value : patch;
    set({ modifications: isOwn ? rest : { ...rest, [inner.name]: short } }, `component ${layer.name} ${inner.name}`);
  };
  return (
    <>
      <PanelSection title={texts.value.design.component}>
        {error && <p class="field-error">{error.message}</p>}
        <p>
          {templates ? (
            <a href={templates.address(id)} target="_blank" rel="noreferrer">
              {data?.name ?? id}
            </a>
          ) : (
            id
          )}{' '}
          <span class="faint">
            {version === undefined ? texts.value.design.newestVersion : texts.value.design.version(version)}
          </span>
        </p>
        <div class="button-row">
          {templates && (
            <Popover
              label={texts.value.library.swap}
              button={(attributes) => (
                <button {...attributes} type="button" class="add-button">
                  {texts.value.library.swap}
                </button>
              )}
            >
              {(close) => (
                <SwapList
                  editor={editor}
                  onChoose={async (next) => {
                    close();
                    (await import('../core/state/library.ts')).swapComponent(editor, layer.name, next);
                  }}
                />
              )}
            </Popover>
          )}
          <TextButton
            onClick={async () => (await import('../core/state/library.ts')).detachComponent(editor, layer.name)}
          >
            {texts.value.commands.detach}
          </TextButton>
        </div>
        {isOld && (
          <TextButton
            onClick={() => {
              const next = `${id}@${data.version}`;
              // First, so that the canvas does not lose the component meanwhile.
              designs
                .load({ brands: [], templates: [next] })
                .then(() => set({ template: next }), editor.host.tellError);
            }}
          >
            {texts.value.inspector.takeVersion(data.version)}
          </TextButton>
        )}
        {sizes.length > 0 && (
          <LabelledValue name="size" schema={ComponentLayer.shape.size}>
            <Select
              label={texts.value.common.size}
              value={String(layer.size ?? '')}
              options={[['', sizeName(null)], ...sizes.map((size) => [size, size] as const)]}
              onChoose={(size) => set({ size: size || undefined })}
            />
          </LabelledValue>
        )}
      </PanelSection>
      {shown && (
        <PanelSection title={texts.value.design.hereItSays}>
          {[...walk(shown.layers)].map(({ layer: inner }) => {
            const property = FILLED[inner.type];
            if (property === undefined) return null;
            const own = property === 'text' ? textOf(inner) : inner[property];
            const change = given[inner.name];
            const value = (change === undefined ? undefined : patchOf(inner, change)[property]) ?? own;
            return (
              <Labelled
                key={inner.name}
                property={`modifications ${inner.name}`}
                label={humanized(inner.name)}
                title={inner.name}
                isLong
              >
                {property === 'src' ? (
                  <ImageField
                    {...{ name: 'src', label: inner.name, value, editor }}
                    isMixed={false}
                    onValue={(next) => fill(inner, property, next)}
                  />
                ) : (
                  <ValueField
                    name={inner.name}
                    schema={TEXT}
                    value={value}
                    look={{ label: inner.name, multiline: 'rare' }}
                    onValue={(next) => fill(inner, property, next ?? '')}
                  />
                )}
              </Labelled>
            );
          })}
        </PanelSection>
      )}
      {shown && colored.length > 0 && (
        <PanelSection title={texts.value.library.colorsHere}>
          {colored.map(({ layer: inner }) => {
            const property = mainColorOf(inner) ?? 'color';
            const change = given[inner.name];
            const here = change === undefined ? undefined : patchOf(inner, change)[property];
            return (
              <Labelled
                key={inner.name}
                property={`modifications ${inner.name} color`}
                label={humanized(inner.name)}
                title={inner.name}
                isLong
              >
                <FillField
                  label={texts.value.library.colorOf(inner.name)}
                  value={(here ?? ownColor(inner[property], brand)) as FillValue}
                  solid={inner.type !== 'shape' && inner.type !== 'frame'}
                  onFill={(next) => fill(inner, property, next)}
                />
              </Labelled>
            );
          })}
        </PanelSection>
      )}
    </>
  );
}

/** A colour of a component as it is drawn: its names are those of its own brand. */
const ownColor = (value: unknown, brand: Fields | null): unknown =>
  isReference(value) ? resolved(value, brand?.colors as Fields | undefined) : value;
