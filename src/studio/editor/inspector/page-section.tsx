// The sheets of a document in the Design panel of the canvas: size, margins, and the language and currency of its values.

import { SHEETS } from '#core/template/page.ts';
import { inches } from '#core/template/page-setup.ts';
import { LayersTemplate } from '#core/template/template.ts';
import { texts } from '../../texts/editor.ts';
import { setDocument } from '../document/edits.ts';
import type { EditorState } from '../state/editor-state.ts';
import { NumberInput } from './number-input.tsx';
import { misfit } from './schema.ts';
import { lookOf } from './sections.ts';
import { useTyped } from './typed-text.ts';

type RawPage = Readonly<Record<string, unknown>>;

const MM_PER_INCH = 25.4;
const SIDES = ['top', 'right', 'bottom', 'left'] as const;

const toMm = (length: unknown): number => {
  if (typeof length !== 'number' && typeof length !== 'string') return 0;
  return Math.round(inches(length) * MM_PER_INCH * 100) / 100;
};

export function PageSection({ editor }: { editor: EditorState }) {
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
  return (
    <>
      <details class="panel-section" open={page !== undefined}>
        <summary class="panel-section-title">{texts.value.inspector.pages}</summary>
        <div class="panel-section-body">
          {page ? (
            <PageFields page={page} set={set} />
          ) : (
            <button
              type="button"
              class="add-button"
              onClick={() => editor.edit(setDocument({ page: { size: 'A4', margin: '20mm' } }))}
            >
              {texts.value.inspector.makePages}
            </button>
          )}
        </div>
      </details>
      <details class="panel-section" open={document.lang !== undefined || document.currency !== undefined}>
        <summary class="panel-section-title">{texts.value.common.language}</summary>
        <div class="panel-section-body row is-pair">
          <Word
            editor={editor}
            name="lang"
            label={texts.value.common.language}
            placeholder="en-IE"
            value={document.lang}
          />
          <Word
            editor={editor}
            name="currency"
            label={texts.value.inspector.currency}
            placeholder="EUR"
            value={document.currency}
          />
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
  const own = Array.isArray(size) ? size.map(toMm) : null;
  const sides = Object.fromEntries(
    SIDES.map((side) => [side, toMm(typeof margin === 'object' ? (margin as RawPage)[side] : margin)]),
  );
  const toggle = (name: string, label: string, value: unknown) => (
    <label class="toggle">
      <input
        type="checkbox"
        checked={value === true}
        onChange={(event) => set({ [name]: event.currentTarget.checked || undefined })}
      />
      <span>{label}</span>
    </label>
  );
  return (
    <>
      <select
        class="input is-dense"
        aria-label={texts.value.inspector.sheet}
        value={own ? 'own' : String(size)}
        onChange={(event) => {
          const next = event.currentTarget.value;
          set({ size: next === 'own' ? ['210mm', '297mm'] : next });
        }}
      >
        {Object.entries(SHEETS).map(([name, [width, height]]) => (
          <option key={name} value={name}>
            {name}, {width} × {height} mm
          </option>
        ))}
        <option value="own">{texts.value.inspector.ownSize}</option>
      </select>
      {own && (
        <div class="row is-pair">
          {(['width', 'height'] as const).map((name, i) => (
            <NumberInput
              key={name}
              label={texts.value.sheet[name]}
              prefix={lookOf(name)?.prefix}
              unit="mm"
              min={1}
              max={2_600}
              value={own[i] ?? 0}
              onNumber={(next) => set({ size: own.with(i, next).map((side) => `${side}mm`) })}
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

interface WordProps {
  readonly editor: EditorState;
  readonly name: 'lang' | 'currency';
  readonly label: string;
  readonly placeholder: string;
  readonly value: unknown;
}

function Word({ editor, name, label, placeholder, value }: WordProps) {
  const [typed, setTyped] = useTyped();
  const wanted = typed?.trim() ?? '';
  const problem = wanted === '' ? null : misfit(LayersTemplate.shape[name], wanted);
  const commit = () => {
    if (typed === null || problem !== null) return;
    editor.edit(setDocument({ [name]: wanted === '' ? undefined : wanted }));
    setTyped(null);
  };
  return (
    <label class="labelled">
      <span class="labelled-name">{label}</span>
      <input
        class="input is-dense"
        placeholder={placeholder}
        spellcheck={false}
        aria-invalid={problem !== null}
        value={typed ?? (typeof value === 'string' ? value : '')}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') setTyped(null);
        }}
      />
      {problem && (
        <span class="field-error" role="alert">
          {problem}
        </span>
      )}
    </label>
  );
}
