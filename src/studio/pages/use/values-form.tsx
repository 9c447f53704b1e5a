// The form of a template's parameters: a field for each, of its kind, with its label, hint and error.

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { type ChartData, chartRows } from '#core/template/chart-rows.ts';
import { patchOfSheet, problemInSheet, writeChartSheet } from '../../editor/core/document/chart-data.ts';
import type { RawLayer } from '../../editor/core/document/document.ts';
import { entriesOf, type RawEntry } from '../../editor/core/document/table-edits.ts';
import { listColumns } from '../../editor/data/list-columns.ts';
import { RowsSheet } from '../../editor/data/rows-sheet.tsx';
import { Button } from '../../parts/button.tsx';
import { Check, Field, SearchField, SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { hexOf } from '../../parts/hex-of.ts';
import { Icon } from '../../parts/icon.tsx';
import { chevronRight, image as imageIcon } from '../../parts/icons.ts';
import { FilePicture } from '../../parts/picture-address.tsx';
import { PictureDialog } from '../../parts/picture-dialog.tsx';
import { accountPath } from '../../shell/api.ts';
import type { Brand } from '../../shell/contract.ts';
import type { Parameter } from '../../shell/parameters.ts';
import { mayDo } from '../../shell/session.ts';
import { texts } from '../../texts/pages.ts';
import type { NamedProblem, Value, Values } from './values.ts';

interface ValuesFormProps {
  readonly accountId: string;
  readonly parameters: readonly Parameter[];
  readonly values: Values;
  /** What is wrong, by parameter. */
  readonly problems: Readonly<Record<string, string>>;
  /** The cell of a list that is wrong, by parameter. */
  readonly wrongCells: Readonly<Record<string, NamedProblem['cell']>>;
  /** What `$name` stands for; null where the template has no brand, or it is still loaded. */
  readonly brand: Brand | null;
  /** @param value undefined = as in the design */
  readonly onValue: (parameter: Parameter, value: Value | undefined) => void;
}

/** The number of fields shown at first, and the most of a group. */
const [FEW, MOST_OF_GROUP] = [8, 12];

export function ValuesForm({ parameters, ...form }: ValuesFormProps) {
  const [search, setSearch] = useState('');
  const offered = parameters.filter(({ isOffered }) => isOffered);
  const isFirst = ({ name }: Parameter, index: number) => index < FEW || form.problems[name] !== undefined;
  const shown = offered.filter((one, index) => (search === '' ? isFirst(one, index) : isFound(one, search)));
  const rest = offered.filter((one, index) => !isFirst(one, index));
  const fields = (some: readonly Parameter[]) =>
    some.map((parameter) => <ValueField key={parameter.name} parameter={parameter} {...form} />);
  return (
    <div class="values">
      {rest.length > 0 && <SearchField label={texts.value.use.searchFields} value={search} onText={setSearch} />}
      {fields(shown)}
      {search === '' &&
        grouped(rest).map(([group, own]) => (
          <Folded key={group} title={group || texts.value.use.moreFields(own.length)} aside={group && own.length}>
            {() => fields(own)}
          </Folded>
        ))}
      {offered.length === 0 && <p class="muted">{texts.value.use.nothingTemplateMeant}</p>}
      {offered.length > 0 && shown.length === 0 && <p class="muted">{texts.value.use.thereNone}</p>}
    </div>
  );
}

/** Whether the name, the label or the value of a parameter has these words, in any case. */
export function isFound({ name, label, value }: Parameter, search: string): boolean {
  const text = [name, label, value].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** By the outermost frame that has few of them; '' = those of no such frame, which come last. */
function grouped(parameters: readonly Parameter[]): readonly (readonly [frame: string, own: readonly Parameter[]])[] {
  const sizes = new Map<string, number>();
  for (const { frames } of parameters) for (const frame of frames) sizes.set(frame, (sizes.get(frame) ?? 0) + 1);
  const isGroup = (frame: string) => (sizes.get(frame) ?? 0) > 1 && (sizes.get(frame) ?? 0) <= MOST_OF_GROUP;
  const groups = Map.groupBy(parameters, ({ frames }) => frames.find(isGroup) ?? '');
  return [...groups].toSorted(([a], [b]) => Number(a === '') - Number(b === ''));
}

interface FoldedProps {
  readonly title: string;
  readonly aside: ComponentChildren;
  /** Made when it is first opened. */
  readonly children: () => ComponentChildren;
}

function Folded({ title, aside, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="values-group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon of={chevronRight} size={14} /> {title} <span class="muted">{aside}</span>
      </summary>
      {isOpen && <div class="values">{children()}</div>}
    </details>
  );
}

type ValueFieldProps = Omit<ValuesFormProps, 'parameters'> & { readonly parameter: Parameter };

function ValueField({ accountId, parameter, values, problems, wrongCells, brand, onValue }: ValueFieldProps) {
  const { name, kind, required, choices, maxLength } = parameter;
  const label = required ? texts.value.use.mustBeGiven(parameter.label) : parameter.label;
  const given = values[name];
  const error = problems[name];
  // What must be given starts empty: the design's value is an example.
  const example = required ? (parameter.value ?? '') : '';
  const text = typeof given === 'string' ? given : required ? '' : (parameter.value ?? '');
  const set = (value: Value | undefined) => onValue(parameter, value);
  const left = maxLength === undefined ? null : texts.value.use.charactersOf([...text].length, maxLength);
  const hint = [parameter.help, left].filter(Boolean).join(' · ') || undefined;
  const common = { label, hint, error, 'aria-required': required } as const;
  if (parameter.isList) {
    return <RowsField {...common} parameter={parameter} given={given} wrong={wrongCells[name] ?? null} onValue={set} />;
  }
  if (kind === 'boolean') {
    return (
      <div class="field">
        <Check asSwitch label={label} checked={(given ?? parameter.isShown) === true} onToggle={set} />
        {error ? <p class="field-error">{error}</p> : hint && <p class="field-hint">{hint}</p>}
      </div>
    );
  }
  if (choices) {
    const isOwn = !required && !choices.includes(parameter.value ?? '');
    return (
      <SelectField
        {...common}
        value={text}
        onChoose={(value) => set(value === '' ? undefined : value)}
        options={[
          ...(required ? [{ value: '', label: texts.value.use.choose }] : []),
          ...(isOwn ? [{ value: parameter.value ?? '', label: texts.value.use.asDesign }] : []),
          ...choices.map((value) => ({ value, label: value })),
        ]}
      />
    );
  }
  if (kind === 'image') {
    return (
      <PictureField {...{ accountId, label, hint, error, brand }} parameter={parameter} given={given} onValue={set} />
    );
  }
  if (kind === 'color')
    return <ColorField {...{ label, hint, error, parameter, text, example, brand }} onValue={set} />;
  if (parameter.type === 'chart' && kind === 'text') {
    return <ChartField {...common} parameter={parameter} given={given} onValue={set} />;
  }
  if (kind === 'paragraph' || (kind === 'text' && /\n|.{60}/.test(`${example}${parameter.value ?? ''}`))) {
    return <TextArea {...common} rows={3} placeholder={example} value={text} onText={set} />;
  }
  const typing = { number: 'decimal', url: 'url' } as const;
  return (
    <TextField
      {...common}
      {...(kind === 'text' ? {} : { inputMode: typing[kind] })}
      placeholder={example}
      value={text}
      onText={set}
    />
  );
}

/** A field of one kind. */
interface KindProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly parameter: Parameter;
  readonly given: Value | undefined;
  readonly onValue: (value: Value | undefined) => void;
}

type PictureFieldProps = KindProps & Pick<ValuesFormProps, 'accountId' | 'brand'>;

function PictureField({ accountId, label, hint, error, parameter, given, brand, onValue }: PictureFieldProps) {
  const [isChoosing, setChoosing] = useState(false);
  const source = typeof given === 'string' ? given : parameter.required ? '' : (parameter.value ?? '');
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <div class="picture-value">
          <Thumbnail
            accountId={accountId}
            source={source.startsWith('$') ? (brand?.images?.[source.slice(1)] ?? source) : source}
          />
          <button
            {...attributes}
            type="button"
            class="button button-plain"
            aria-label={texts.value.use.choosePictureFor(label)}
            onClick={() => setChoosing(true)}
          >
            {texts.value.use.choosePicture}
          </button>
          {given !== undefined && (
            <Button look="quiet" onClick={() => onValue(undefined)}>
              {texts.value.use.reset}
            </Button>
          )}
          {isChoosing && (
            <PictureDialog
              accountId={accountId}
              label={parameter.label}
              mayUpload={mayDo(accountId, 'editor')}
              onChoose={(chosen) => {
                setChoosing(false);
                onValue(chosen);
              }}
              onClose={() => setChoosing(false)}
            />
          )}
        </div>
      )}
    </Field>
  );
}

/** Pictures elsewhere are not loaded into the studio, whose policy allows its own host alone. */
function Thumbnail({ accountId, source }: { accountId: string; source: string }) {
  const address = /^img_\w+$/.test(source)
    ? accountPath(accountId, 'images', source, 'file')
    : source.startsWith('data:image/')
      ? source
      : null;
  return (
    <span class="picture-thumb" title={address ? undefined : source}>
      {address ? <FilePicture src={address} /> : <Icon of={imageIcon} />}
    </span>
  );
}

interface ColorFieldProps extends Omit<KindProps, 'given'> {
  readonly text: string;
  readonly example: string;
  readonly brand: Brand | null;
}

function ColorField({ label, hint, error, parameter, text, example, brand, onValue }: ColorFieldProps) {
  // While nothing is typed, the swatch shows the template's own.
  const { fill } = parameter.stored;
  const shown = useMemo(() => hexOf(text || fill, brand?.colors), [text, fill, brand]);
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <div class="color-value">
          <input
            type="color"
            aria-label={texts.value.use.pick(label)}
            value={shown ?? '#808080'}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          <input
            {...attributes}
            class="input is-mono"
            spellcheck={false}
            placeholder={example || texts.value.use.aGradient}
            value={text}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
}

// The values of a chart in the form: a label and its values in each line, or rows pasted from a spreadsheet.

/** Lines that are shown without scrolling. */
const [FEWEST, MOST] = [3, 10];

function ChartField({ parameter, given, error, hint, onValue, ...field }: KindProps) {
  const { stored, required } = parameter;
  const [typed, setTyped] = useState('');
  const { rows, sheet } = useMemo(() => {
    const labels = Array.isArray(stored.labels) ? stored.labels.map(String) : [];
    const own = chartRows((stored.data ?? []) as ChartData);
    const rows = own.map((row, i) => ({ ...row, label: row.label || (labels[i] ?? '') }));
    return { rows, sheet: writeChartSheet(rows, Array.isArray(stored.series) ? stored.series.map(String) : []) };
  }, [stored]);
  const text = given !== undefined ? typed : required ? '' : sheet;
  const type = (next: string) => {
    setTyped(next);
    if (next === sheet && !required) onValue(undefined);
    // What is no sheet is a value too, which the server refuses as well.
    else if (problemInSheet(next) !== null) onValue(next);
    else {
      const { data, series } = patchOfSheet(next, rows);
      onValue(series ? { data, series } : data);
    }
  };
  return (
    <TextArea
      {...field}
      mono
      rows={Math.min(MOST, Math.max(FEWEST, text.split('\n').length + 1))}
      spellcheck={false}
      placeholder={sheet}
      hint={[hint, texts.value.use.chartRows].filter(Boolean).join(' · ')}
      error={(given === undefined ? null : problemInSheet(text)) ?? error}
      value={text}
      onText={type}
    />
  );
}

// The field for a list in the form of the page Use: a sheet with a row for each entry, at first those of the template.

type RowsFieldProps = KindProps & { readonly wrong: NamedProblem['cell'] };

function RowsField({ parameter, given, label, hint, error, wrong, onValue }: RowsFieldProps) {
  const layer = parameter.stored as RawLayer;
  const columns = useMemo(() => listColumns(layer), [layer]);
  const own = parameter.required ? [] : entriesOf(layer);
  const rows = Array.isArray(given) ? (given as readonly RawEntry[]) : own;
  const title = wrong && columns.find(({ name }) => name === wrong.name)?.title;
  return (
    <div class="field">
      <div class="rows-head">
        <span class="field-label">{label}</span>
        {given !== undefined && (
          <Button dense look="quiet" onClick={() => onValue(undefined)}>
            {texts.value.use.reset}
          </Button>
        )}
      </div>
      <RowsSheet label={label} columns={columns} rows={rows} onRows={onValue} wrong={wrong} />
      {error ? (
        <p class="field-error" role="alert">
          {wrong ? texts.value.use.wrongCell(wrong.row + 1, title || wrong.name, error) : error}
        </p>
      ) : (
        <p class="field-hint">{[hint, texts.value.use.rowsHint].filter(Boolean).join(' · ')}</p>
      )}
    </div>
  );
}
