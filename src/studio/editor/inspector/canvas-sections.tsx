// The Design panel of the canvas, shown if no layer is selected: its size and background, PDF properties, guides and
// grid.

import { useComputed } from '@preact/signals';
import type { z } from 'zod';
import { SHEETS } from '#core/template/page.ts';
import { inches } from '#core/template/page-setup.ts';
import { LayersTemplate } from '#core/template/template.ts';
import { setSignal } from '../../parts/action.ts';
import { FileButton } from '../../parts/button.tsx';
import { upload } from '../../parts/icons.ts';
import { onDemand } from '../../parts/on-demand.tsx';
import { type PdfFiles, PdfFilesFields } from '../../parts/pdf-files.tsx';
import { useLoad } from '../../shell/load.ts';
import { texts } from '../../texts/editor.ts';
import { guidesOf, type RawLayer } from '../core/document/document.ts';
import { type Patch, patched, setDocument, setGuides } from '../core/document/edits.ts';
import { mayHavePages } from '../core/document/hand-pages.ts';
import type { Viewport } from '../core/geometry/viewport.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { insertPage } from '../core/state/page-actions.ts';
import { resizeCanvas } from '../core/state/resize.ts';
import { LanguagesSection, SizesSection } from '../design/sizes-section.tsx';
import { addLetterPaper } from '../insert-images.ts';

import { Labelled, Select, TextButton, Toggle } from './controls.tsx';
import { FillContext, type InspectorContext } from './inspector-context.ts';
import { LanguageSelect } from './language-select.tsx';
import { NumberInput } from './number-input.tsx';
import { PanelSection } from './panel-section.tsx';
import { labelOf, misfit, propertyOf } from './schema.ts';
import { lookOf } from './sections.ts';
import { TypedField } from './typed-field.tsx';
import { LabelledValue, PropertyFields, ValueField } from './value-field.tsx';

const newer = () => import('../design/newer-components.tsx');
const NewerComponents = onDemand(async () => (await newer()).NewerComponents);
const NewerBrand = onDemand(async () => (await newer()).NewerBrand);

/** Template properties beside the layers, without `name`, `layers` and those that only the JSON panel shows. */
const CANVAS_ROWS = ['width', 'height', 'background'] as const;

export function CanvasSections({ editor, viewport }: InspectorContext) {
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
                  look={lookOf(name) ?? {}}
                />
              </div>
            ))}
          </div>
        )}
        <LabelledValue name="background" schema={shape.background}>
          <FillContext.Provider value={{ editor, property: 'background' }}>
            <ValueField
              name="background"
              schema={shape.background}
              value={document.background}
              onValue={set('background')}
            />
          </FillContext.Provider>
        </LabelledValue>
      </PanelSection>
      <SizesSection editor={editor} viewport={viewport} />
      <LanguagesSection editor={editor} viewport={viewport} />
      <BrandSection editor={editor} />
      {document.layers?.some(isOrHoldsComponent) && <NewerComponents editor={editor} />}
      <PageSection editor={editor} viewport={viewport} />
      <PdfSection editor={editor} />
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
        <Toggle key={label} label={label} isOn={signal.value} onToggle={(isOn) => setSignal(signal, isOn)} />
      ))}
      <div class="row is-pair">
        <ValueField
          name="grid"
          schema={LayersTemplate.shape.width}
          value={grid.value}
          look={{ prefix: texts.value.commands.grid, unit: 'px' }}
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

// What a PDF of the template says of itself, conforms to, and has within it.

const ARCHIVES = ['A-2b', 'A-2u', 'A-3b', 'A-4', 'A-4f'];
const ACCESSIBLE = ['UA-1', 'UA-2'];
/** Texts that may have values within them. */
const WORDS = ['title', 'author', 'subject'] as const;
/** Those with fields of their own. */
const OWN_FIELDS: readonly string[] = [...WORDS, 'conforms', 'invoice', 'attachments', 'outputIntent'];

function PdfSection({ editor }: { editor: EditorState }) {
  const { common, inspector } = texts.value;
  const document = editor.document.value;
  const pdf = (document.pdf ?? {}) as Patch;
  const write = (next: Patch, of: string) =>
    editor.edit(setDocument({ pdf: Object.keys(next).length === 0 ? undefined : next }), { kind: `pdf ${of}` });
  const set = (patch: Patch) => write(patched(pdf, patch), Object.keys(patch).join());
  const schemas = bareShape(LayersTemplate.shape.pdf);
  const levels = ([pdf.conforms ?? []] as unknown[]).flat() as readonly string[];
  const level = (label: string, all: readonly string[], kind: string) => (
    <Select
      labelled
      label={label}
      value={levels.find((one) => all.includes(one)) ?? ''}
      options={[['', common.none], ...all.map((one) => [one, `PDF/${one}`] as const)]}
      onChoose={(next) => {
        const others = levels.filter((one) => !all.includes(one));
        const chosen = next === '' ? others : kind === 'A' ? [next, ...others] : [...others, next];
        set({ conforms: chosen.length > 1 ? chosen : chosen[0] });
      }}
    />
  );
  const lacks = [
    pdf.title === undefined && labelOf('title'),
    (pdf.language ?? document.lang) === undefined && labelOf('language'),
  ].filter((one) => one !== false);
  return (
    <PanelSection title={inspector.pdfDocument} isOpen={document.pdf !== undefined}>
      {WORDS.map((name) => (
        <Labelled key={name} label={labelOf(name)}>
          <TypedField
            aria-label={labelOf(name)}
            title={inspector.valueHint}
            placeholder={inspector.valueHint}
            shown={textWithNames(pdf[name])}
            problemOf={(text) =>
              text.trim() === '' ? null : misfit(schemas[name] as z.ZodType, namesInText(text, pdf[name]))
            }
            onText={(text) => set({ [name]: text.trim() === '' ? undefined : namesInText(text, pdf[name]) })}
          />
        </Labelled>
      ))}
      {level(inspector.archive, ARCHIVES, 'A')}
      {level(inspector.accessible, ACCESSIBLE, 'UA')}
      {levels.some((one) => ACCESSIBLE.includes(one)) && lacks.length > 0 && (
        <p class="faint">{inspector.accessibleNeeds(lacks.join(', '))}</p>
      )}
      <PdfFilesFields files={pdf as PdfFiles} onChange={set} />
      <PropertyFields
        properties={Object.fromEntries(Object.entries(schemas).filter(([name]) => !OWN_FIELDS.includes(name)))}
        object={pdf}
        onObject={(next) => write(next, 'properties')}
      />
    </PanelSection>
  );
}

function bareShape(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const { control } = propertyOf(schema);
  return control.kind === 'object' ? control.properties : {};
}

/** A text with values as it is typed: `Invoice {number}`. */
function textWithNames(value: unknown): string {
  if (!Array.isArray(value)) return String(value ?? '');
  return (value as readonly Patch[]).map(({ name, text }) => (name === undefined ? text : `{${name}}`)).join('');
}

/** The text, or the list of texts and values, that is typed so; formats and the like of `before` stay. */
function namesInText(typed: string, before: unknown): unknown {
  const parts = typed.split(/\{([^{}]*)\}/);
  if (parts.length === 1) return typed;
  const known = Array.isArray(before) ? (before as readonly Patch[]) : [];
  return parts.flatMap((part, i): Patch[] => {
    if (i % 2 === 1) return [known.find(({ name }) => name === part.trim()) ?? { name: part.trim() }];
    return part === '' ? [] : [{ text: part }];
  });
}

/** The brand of the template: which one, and whether there is a newer version of it. */
function BrandSection({ editor }: { editor: EditorState }) {
  const store = editor.host.brands;
  const { data } = useLoad(store && `brands ${store.address('')}`, async () => store?.list() ?? []);
  const brand = editor.document.value.brand;
  const reference = typeof brand === 'string' ? brand : '';
  const [name = '', version] = reference.split('@');
  const brands = data ?? [];
  if (!store || (brands.length === 0 && name === '')) return null;
  const newest = brands.find((one) => one.name === name);
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
      <Select
        labelled
        property="brand"
        label={texts.value.inspector.brand}
        value={name}
        options={[
          ['', texts.value.common.none],
          name !== '' && !newest && [name, name],
          ...brands.map((one) => [one.name, one.name] as const),
        ]}
        onChoose={(next) => void choose(next).catch(editor.host.tellError)}
      />
      {name !== '' && (
        <p class="faint">
          {version === undefined ? texts.value.inspector.newestVersion : texts.value.inspector.versionIs(version)}{' '}
          <a href={store.address(name)} target="_blank" rel="noreferrer">
            {texts.value.inspector.openTheBrand}
          </a>
        </p>
      )}
      {name !== '' && <NewerBrand editor={editor} />}
    </PanelSection>
  );
}

// The sheets of a document in the Design panel of the canvas: size, margins, and the language and currency of its values.

type RawPage = Readonly<Record<string, unknown>>;

const MM_PER_INCH = 25.4;
const SIDES = ['top', 'right', 'bottom', 'left'] as const;

const toMm = (length: unknown): number => {
  if (typeof length !== 'number' && typeof length !== 'string') return 0;
  return Math.round(inches(length) * MM_PER_INCH * 100) / 100;
};

function PageSection({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
  const document = editor.document.value;
  const page = document.page as RawPage | undefined;
  const set = (patch: RawPage) => {
    const next = { ...page, ...patch };
    editor.edit(
      setDocument({ page: Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) }),
      {
        kind: `page ${Object.keys(patch).join()}`,
      },
    );
  };
  const own = editor.stored.value.lang;
  const { common, inspector } = texts.value;
  return (
    <>
      <PanelSection title={texts.value.sections.pages} isOpen={page !== undefined}>
        {page ? (
          <>
            <PageFields page={page} set={set} />
            <FileButton
              dense
              icon={upload}
              accept=".pdf,application/pdf"
              onFile={(file) => void addLetterPaper(editor, file)}
            >
              {inspector.letterPaper}
            </FileButton>
          </>
        ) : !mayHavePages(document) ? (
          <p class="faint">{inspector.pagesOrSizes}</p>
        ) : (
          <>
            <TextButton onClick={() => insertPage(editor, viewport)}>{texts.value.commands['page-add']}</TextButton>
            <TextButton onClick={() => editor.edit(setDocument({ page: { size: 'A4', margin: '20mm' } }))}>
              {texts.value.inspector.makePages}
            </TextButton>
          </>
        )}
      </PanelSection>
      <details class="panel-section" open={document.lang !== undefined || document.currency !== undefined}>
        <summary class="panel-section-title">{inspector.ownLanguage}</summary>
        <div class="panel-section-body row is-pair">
          <Labelled label={common.language}>
            <LanguageSelect
              label={common.language}
              value={typeof own === 'string' ? own : ''}
              none={common.none}
              onTag={(tag) => editor.editStored(setDocument({ lang: tag || undefined }))}
            />
          </Labelled>
          <Labelled label={inspector.currency}>
            <TypedField
              aria-label={inspector.currency}
              placeholder="EUR"
              shown={String(document.currency ?? '')}
              problemOf={(text) => (text.trim() === '' ? null : misfit(LayersTemplate.shape.currency, text.trim()))}
              onText={(text) => editor.edit(setDocument({ currency: text.trim() || undefined }))}
            />
          </Labelled>
        </div>
      </details>
    </>
  );
}

function PageFields({ page, set }: { readonly page: RawPage; readonly set: (patch: RawPage) => void }) {
  const { size, landscape, mirrored, cover, margin = 0 } = page;
  const own = Array.isArray(size) ? size : null;
  // A picture's pages are in px, as pictures are; sheets of paper in mm.
  const isPx = own?.every((side) => /^\d+(?:\.\d+)?(?:px)?$/.test(String(side))) === true;
  const sides = Object.fromEntries(
    SIDES.map((side) => [side, toMm(typeof margin === 'object' ? (margin as RawPage)[side] : margin)]),
  );
  const toggle = (name: string, label: string, value: unknown) => (
    <Toggle label={label} isOn={value === true} onToggle={(isOn) => set({ [name]: isOn || undefined })} />
  );
  return (
    <>
      <Select
        label={texts.value.inspector.sheet}
        value={own ? 'own' : String(size)}
        options={[
          ...Object.entries(SHEETS).map(
            ([name, [width, height]]) => [name, `${name}, ${width} × ${height} mm`] as const,
          ),
          ['own', texts.value.inspector.ownSize],
        ]}
        onChoose={(next) => set({ size: next === 'own' ? ['210mm', '297mm'] : next })}
      />
      {own && (
        <div class="row is-pair">
          {(['width', 'height'] as const).map((name, i) => (
            <NumberInput
              key={name}
              label={texts.value.sheet[name]}
              prefix={lookOf(name)?.prefix}
              unit={isPx ? 'px' : 'mm'}
              min={1}
              max={isPx ? 10_000 : 2_600}
              value={isPx ? Number.parseFloat(String(own[i])) : toMm(own[i])}
              onNumber={(next) => {
                if (isPx) set({ size: own.with(i, Math.round(next)) });
                else
                  set({
                    size: own
                      .map(toMm)
                      .with(i, next)
                      .map((side) => `${side}mm`),
                  });
              }}
            />
          ))}
        </div>
      )}
      {toggle('landscape', texts.value.inspector.landscape, landscape)}
      <fieldset class="group">
        <legend>
          <span>{texts.value.inspector.margins}</span>
        </legend>
        <div class="field-grid">
          {SIDES.map((side) => (
            <NumberInput
              key={side}
              label={texts.value.inspector.margin(texts.value.sides[side])}
              prefix={texts.value.sideLetters[side]}
              unit="mm"
              min={0}
              max={500}
              value={sides[side] ?? 0}
              onNumber={(next) => set({ margin: alike({ ...sides, [side]: next }) })}
            />
          ))}
        </div>
      </fieldset>
      {toggle('mirrored', texts.value.inspector.mirrored, mirrored)}
      {toggle('cover', texts.value.inspector.cover, cover)}
      <p class="faint">{texts.value.inspector.marginsNote}</p>
    </>
  );
}

/** Four margins in mm, as one where all are alike. */
function alike(margins: Readonly<Record<string, number>>): unknown {
  const all = SIDES.map((side) => margins[side] ?? 0);
  if (all.every((one) => one === all[0])) return `${all[0]}mm`;
  return Object.fromEntries(SIDES.map((side) => [side, `${margins[side]}mm`]));
}
