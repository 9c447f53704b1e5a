// The Design panel of the canvas, shown if no layer is selected: its size and background, PDF properties, guides and
// grid.

import { useComputed } from '@preact/signals';
import { LayersTemplate } from '#core/template/template.ts';
import { useLoad } from '../../shell/load.ts';
import { texts } from '../../texts/editor.ts';
import { guidesOf, type RawLayer } from '../core/document/document.ts';
import { setDocument, setGuides } from '../core/document/edits.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { resizeCanvas } from '../core/state/resize.ts';
import { NewerComponents } from '../design/newer-components.tsx';
import { LanguagesSection, SizesSection } from '../design/sizes-section.tsx';
import { Select, TextButton, Toggle } from './controls.tsx';
import type { InspectorContext } from './inspector-context.ts';
import { PageSection } from './page-section.tsx';
import { PanelSection } from './panel-section.tsx';
import { lookOf } from './sections.ts';
import { noSwatches } from './swatches.ts';
import { LabelledValue, ValueField } from './value-field.tsx';

/** Template properties beside the layers, without `name`, `layers` and those that only the JSON panel shows. */
const CANVAS_ROWS = ['width', 'height', 'background'] as const;

export function CanvasSections({ editor, viewport, swatches }: InspectorContext) {
  const document = editor.document.value;
  const { shape } = LayersTemplate;
  const set = (name: string) => (value: unknown) =>
    editor.edit(setDocument({ [name]: value }), { kind: `canvas ${name}` });
  return (
    <>
      <PanelSection title={texts.value.inspector.canvas}>
        {/* A document has the size of its page. */}
        {document.page === undefined && (
          <div class="row is-pair">
            {CANVAS_ROWS.slice(0, 2).map((name) => (
              <div key={name} class="bare" data-property={name}>
                <ValueField
                  name={name}
                  schema={shape[name]}
                  value={document[name]}
                  onValue={(value) => typeof value === 'number' && resizeCanvas(editor, { [name]: value })}
                  swatches={swatches}
                  look={lookOf(name) ?? {}}
                />
              </div>
            ))}
          </div>
        )}
        <LabelledValue name="background" schema={shape.background}>
          <ValueField
            name="background"
            schema={shape.background}
            value={document.background}
            onValue={set('background')}
            swatches={swatches}
          />
        </LabelledValue>
      </PanelSection>
      <SizesSection editor={editor} viewport={viewport} />
      <LanguagesSection editor={editor} viewport={viewport} />
      <BrandSection editor={editor} />
      {document.layers?.some(isOrHoldsComponent) && <NewerComponents editor={editor} />}
      <PageSection editor={editor} viewport={viewport} />
      <PanelSection title={texts.value.inspector.pdfDocument} isOpen={document.pdf !== undefined}>
        <ValueField
          name="pdf"
          schema={shape.pdf}
          value={document.pdf}
          onValue={set('pdf')}
          swatches={swatches}
          look={{ label: texts.value.inspector.metadata }}
        />
      </PanelSection>
      <PanelSection title={texts.value.inspector.guidesAndGrid}>
        <Preferences editor={editor} />
      </PanelSection>
    </>
  );
}

const isOrHoldsComponent = ({ type, children }: RawLayer): boolean =>
  type === 'template' || (children?.some(isOrHoldsComponent) ?? false);

function Preferences({ editor }: { editor: EditorState }) {
  const { snap, showGrid, showRulers, grid } = editor.preferences;
  const guides = useComputed(() => guidesOf(editor.document.value).length).value;
  const toggles = [
    [texts.value.inspector.snapTo, snap],
    [texts.value.inspector.showTheGrid, showGrid],
    [texts.value.inspector.showRulers, showRulers],
  ] as const;
  return (
    <>
      {toggles.map(([label, signal]) => (
        <Toggle
          key={label}
          label={label}
          isOn={signal.value}
          onToggle={(isOn) => {
            signal.value = isOn;
          }}
        />
      ))}
      <div class="row is-pair">
        <ValueField
          name="grid"
          schema={LayersTemplate.shape.width}
          value={grid.value}
          swatches={noSwatches}
          look={{ prefix: texts.value.inspector.grid, unit: 'px' }}
          onValue={(value) => {
            if (typeof value === 'number') grid.value = value;
          }}
        />
        {guides > 0 && (
          <TextButton onClick={() => editor.edit(setGuides([]))}>
            {texts.value.inspector.clearGuides(guides)}
          </TextButton>
        )}
      </div>
    </>
  );
}

// The brand of the template: which one, and whether there is a newer version of it.

function BrandSection({ editor }: { editor: EditorState }) {
  const store = editor.host.brands;
  const { data } = useLoad(store && `brands ${store.address('')}`, async () => store?.list() ?? []);
  const brand = editor.document.value.brand;
  const reference = typeof brand === 'string' ? brand : '';
  const [name = '', version] = reference.split('@');
  const brands = data ?? [];
  if (!store || (brands.length === 0 && name === '')) return null;
  const newest = brands.find((one) => one.name === name);
  const isOld = newest !== undefined && version !== undefined && Number(version) < newest.version;
  const choose = async (next: string) => {
    if (next !== '') {
      const chosen = brands.find((one) => one.name === next);
      editor.edit(setDocument({ brand: chosen ? `${next}@${chosen.version}` : next }));
      return;
    }
    const { withoutBrand } = await import('../core/design/without-brand.ts');
    const plain = withoutBrand(editor.stored.peek(), editor.compositor.designs);
    editor.editStored(() => plain);
  };
  return (
    <PanelSection title={texts.value.inspector.brand}>
      <div class="labelled" data-property="brand">
        <span class="labelled-name">{texts.value.inspector.brand}</span>
        <Select
          label={texts.value.inspector.brand}
          value={name}
          options={[
            ['', texts.value.common.none],
            name !== '' && !newest && [name, name],
            ...brands.map((one) => [one.name, one.name] as const),
          ]}
          onChoose={(next) => void choose(next).catch(editor.host.tellError)}
        />
      </div>
      {name !== '' && (
        <p class="faint">
          {version === undefined ? texts.value.inspector.newestVersion : texts.value.inspector.versionIs(version)}{' '}
          <a href={store.address(name)} target="_blank" rel="noreferrer">
            {texts.value.inspector.openTheBrand}
          </a>
        </p>
      )}
      {isOld && (
        <TextButton onClick={() => void choose(name)}>{texts.value.inspector.takeVersion(newest.version)}</TextButton>
      )}
    </PanelSection>
  );
}
