// The sheets of a document in the Design panel of the canvas: size, margins, and the language and currency of its values.

import { SHEETS } from '#core/template/page.ts';
import { inches } from '#core/template/page-setup.ts';
import { LayersTemplate } from '#core/template/template.ts';
import { texts } from '../../texts/editor.ts';
import { setDocument } from '../core/document/edits.ts';
import { mayHavePages } from '../core/document/hand-pages.ts';
import type { Viewport } from '../core/geometry/viewport.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { insertPage } from '../core/state/page-actions.ts';
import { Labelled } from './column-fields.tsx';
import { Select, TextButton, Toggle } from './controls.tsx';
import { LanguageSelect } from './language-select.tsx';
import { NumberInput } from './number-input.tsx';
import { PanelSection } from './panel-section.tsx';
import { misfit } from './schema.ts';
import { lookOf } from './sections.ts';
import { TypedField } from './typed-field.tsx';

type RawPage = Readonly<Record<string, unknown>>;

const MM_PER_INCH = 25.4;
const SIDES = ['top', 'right', 'bottom', 'left'] as const;

const toMm = (length: unknown): number => {
  if (typeof length !== 'number' && typeof length !== 'string') return 0;
  return Math.round(inches(length) * MM_PER_INCH * 100) / 100;
};

export function PageSection({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
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
      <PanelSection title={texts.value.inspector.pages} isOpen={page !== undefined}>
        {page ? (
          <PageFields page={page} set={set} />
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

interface PageFieldsProps {
  readonly page: RawPage;
  readonly set: (patch: RawPage) => void;
}

function PageFields({ page, set }: PageFieldsProps) {
  const { size, landscape, mirrored, cover, margin = 0 } = page;
  const own = Array.isArray(size) ? size : null;
  // A picture's pages are in px, as pictures are; sheets of paper in mm.
  const isPx = own?.every((side) => typeof side === 'number') === true;
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
              value={isPx ? (own[i] ?? 0) : toMm(own[i])}
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
