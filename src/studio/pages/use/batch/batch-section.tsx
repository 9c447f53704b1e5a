// Renders a table: one picture or PDF per row, with names from a column, as one zip or one PDF.
//
// The rows are mapped to layers and looked at one by one before they are rendered. The address holds the batch that is
// under way, so that its progress is still there after a reload.

import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { EVERY as ALL } from '#core/template/size.ts';
import { type Choice, choosingParameters } from '#design/choice.ts';
import { writeCsv } from '#design/csv-text.ts';
import { labelOf, OUTPUTS } from '#draw/output/formats.ts';
import {
  guessTargets,
  readSheet,
  rowOf,
  type Sheet,
  type Target,
  textOfSheet,
} from '../../../editor/core/document/sheet.ts';
import { useAction } from '../../../parts/action.ts';
import { Button, ButtonLink } from '../../../parts/button.tsx';
import { spokenName } from '../../../parts/download-fields.tsx';
import { DropZone } from '../../../parts/drop-zone.tsx';
import { SelectField, TextArea } from '../../../parts/field.tsx';
import { download, table2 } from '../../../parts/icons.ts';
import { PageSection } from '../../../parts/section.tsx';
import { Note } from '../../../parts/states.tsx';
import { Time } from '../../../parts/time.tsx';
import { toastError } from '../../../parts/toast.tsx';
import { accountPath, get, post } from '../../../shell/api.ts';
import type { Batch, BatchHead, ListPage, TemplateDetail } from '../../../shell/contract.ts';
import { forget, useLoad } from '../../../shell/load.ts';
import { parametersOf } from '../../../shell/parameters.ts';
import { sidesOf, sizeName, type TemplateViews, viewsOf } from '../../../shell/views.ts';
import { BatchReport } from './batch-report.tsx';
import { fittingLabels, type LabelFields, sheetOf } from './label-fields.ts';
import { LabelSheetFields } from './label-sheet-fields.tsx';
import { RowPreview } from './row-preview.tsx';
import './batch.css';
import { texts } from '../../../texts/pages.ts';

/** The largest file that is read, bytes: the server takes requests of 8 MiB. */
const MOST_BYTES = 8 * 1024 * 1024;

/** A sheet with what its user has chosen for it. */
interface Prepared extends Sheet {
  /** What it was read from: the name of a file; null: it was pasted. */
  readonly file: string | null;
  /** What each column sets. */
  readonly targets: readonly (Target | null)[];
  /** The column that names the files; null: the number of the row does. */
  readonly naming: number | null;
}

export function BatchSection({ accountId, template }: { accountId: string; template: TemplateDetail }) {
  const { query, path, route } = useLocation();
  const [sheet, setSheet] = useState<Prepared | null>(null);
  const [started, setStarted] = useState<Batch | null>(null);
  const parameters = useMemo(() => parametersOf(template.document), [template.document]);
  const properties = useMemo(() => {
    const own = new Map(parameters.map(({ name, property }) => [name, property]));
    // A column may choose a size, a language or a brand, too.
    for (const name of choosingParameters(template.document, new Set(own.keys()))) own.set(name, null);
    return own;
  }, [parameters, template.document]);

  const take = (text: string, file: string | null) => {
    try {
      const read = readSheet(text);
      const naming = read.columns.findIndex((column) => /^(file ?)?name$|^id$|^slug$/i.test(column));
      setSheet({
        ...read,
        file,
        targets: guessTargets(read.columns.map(meantColumn(properties)), properties),
        naming: naming < 0 ? null : naming,
      });
    } catch (err) {
      toastError(err);
    }
  };
  const close = () => {
    setSheet(null);
    route(path);
  };
  return (
    <PageSection
      id="batch"
      title={texts.value.use.manyOnce}
      intro={texts.value.use.tableWhoseFirst}
      actions={
        <ButtonLink dense icon={download} href={exampleCsv(template)} download={`${template.name}.csv`}>
          {texts.value.use.exampleCsv}
        </ButtonLink>
      }
    >
      {query.batch ? (
        <BatchReport
          key={query.batch}
          accountId={accountId}
          id={query.batch}
          started={started?.id === query.batch ? started : null}
          onClose={close}
        />
      ) : sheet ? (
        <Preparation
          accountId={accountId}
          template={template}
          sheet={sheet}
          properties={properties}
          onChange={setSheet}
          onClose={close}
          onStarted={(batch) => {
            setStarted(batch);
            forget(accountPath(accountId, 'batches'));
            route(`${path}?batch=${batch.id}`);
          }}
        />
      ) : (
        <Source accountId={accountId} templateId={template.id} onText={take} />
      )}
    </PageSection>
  );
}

/** What people call the columns that choose. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ language: 'lang', locale: 'lang', sprache: 'lang' },
  ...{ format: 'size', größe: 'size', marke: 'brand' },
};

/** The column's name, or that of a choice which it means and no layer has. */
const meantColumn = (properties: ReadonlyMap<string, unknown>) => (column: string) => {
  const meant = OTHER_NAMES[column.trim().toLowerCase()];
  return meant !== undefined && properties.has(meant) && !properties.has(column) ? meant : column;
};

interface SourceProps {
  readonly accountId: string;
  readonly templateId: string;
  readonly onText: (text: string, file: string | null) => void;
}

function Source({ accountId, templateId, onText }: SourceProps) {
  const { path } = useLocation();
  const [pasted, setPasted] = useState('');
  const listPath = accountPath(accountId, 'batches');
  const { data: earlier } = useLoad(`${listPath}?template=${templateId}`, () =>
    get<ListPage<BatchHead>>(listPath, { template: templateId, limit: 5 }),
  );
  const read = async ([file]: readonly File[]) => {
    if (!file) return;
    try {
      if (file.size > MOST_BYTES) throw new Error(texts.value.use.largerThan8(file.name));
      onText(await textOfSheet(file), file.name);
    } catch (err) {
      toastError(err);
    }
  };
  return (
    <>
      <DropZone
        icon={table2}
        choose={texts.value.use.chooseCsvTsv}
        hint={texts.value.use.oneHere}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        onFiles={(files) => void read(files)}
      />
      <TextArea
        label={texts.value.use.pasteRowsSpreadsheet}
        value={pasted}
        onText={setPasted}
        rows={3}
        mono
        maxLength={MOST_BYTES}
        placeholder={'title\tprice\nEspresso\t2.80'}
      />
      {pasted.trim() !== '' && (
        <div class="form-row">
          <Button look="main" onClick={() => onText(pasted, null)}>
            {texts.value.use.useRows}
          </Button>
        </div>
      )}
      {earlier && earlier.items.length > 0 && (
        <div class="batch-earlier">
          <h3>{texts.value.use.earlier}</h3>
          <ul>
            {earlier.items.map(({ id, name, createdAt }) => (
              <li key={id}>
                <a href={`${path}?batch=${id}`}>{name ?? texts.value.common.pastedRows}</a>{' '}
                <span class="muted">
                  <Time at={createdAt} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

interface PreparationProps {
  readonly accountId: string;
  readonly template: TemplateDetail;
  readonly sheet: Prepared;
  readonly properties: ReadonlyMap<string, string | null>;
  readonly onChange: (sheet: Prepared) => void;
  readonly onClose: () => void;
  readonly onStarted: (batch: Batch) => void;
}

function Preparation(props: PreparationProps) {
  const { accountId, template, sheet, properties, onChange, onClose, onStarted } = props;
  const [output, setOutput] = useState<string>('png');
  const [wanted, setWanted] = useState<Choice>({});
  const [labels, setLabels] = useState<LabelFields | null>(null);
  const { isBusy, run } = useAction(toastError);
  const [at, setAt] = useState(0);
  const { columns, rows, targets, naming, file } = sheet;
  const row = useMemo(
    () => rowOf(targets, rows[at] ?? [], naming, properties),
    [targets, rows, at, naming, properties],
  );
  const views = useMemo(() => viewsOf(template.document, template), [template]);
  const choices = useMemo(() => choicesFor(views, targets), [views, targets]);
  const chosen = Object.fromEntries(
    choices.flatMap(({ kind, isOfColumn }) => (wanted[kind] && !isOfColumn ? [[kind, wanted[kind]]] : [])),
  );
  const files = choices.reduce((all, { kind, count }) => (chosen[kind] === EVERY ? all * count : all), rows.length);
  const isOne = output === 'one-pdf' || output === 'numbered' || output === 'labels';
  const label = sidesOf(views, chosen.size ?? '');
  const shownLabels = labels ?? fittingLabels('A4', label);
  const start = async () => {
    const body = {
      ...chosen,
      name: file,
      rows: rows.map((cells) => rowOf(targets, cells, naming, properties)),
      output: isOne ? 'pdf' : output,
      archive: isOne ? 'pdf' : 'zip',
      ...(output === 'numbered' && { numbering: 'file' }),
      ...(output === 'labels' && { sheet: sheetOf(shownLabels) }),
    };
    onStarted(await post<Batch>(accountPath(accountId, 'templates', template.id, 'batch'), body));
  };
  const unused = columns.filter((_, index) => !targets[index] && index !== naming);
  return (
    <>
      <p>
        <b>{file ?? texts.value.common.pastedRows}</b>: {texts.value.use.rowsAndColumns(rows.length, columns.length)}
      </p>
      <div class="batch-look">
        <ColumnMapping
          document={template.document}
          columns={columns}
          cells={rows[at] ?? []}
          naming={naming}
          targets={targets}
          layers={[...properties.keys()]}
          onChange={(next) => onChange({ ...sheet, targets: next })}
        />
        <RowPreview {...{ accountId, template, row, chosen, at }} count={rows.length} onStep={setAt} />
      </div>
      {unused.length > 0 && (
        <Note warn>{texts.value.use.leftOutChoose(unused.map((column) => `“${column}”`).join(', '))}</Note>
      )}
      {choices.length > 0 && (
        <div class="form-row">
          {choices.map(({ kind, label, options, isOfColumn }) => (
            <SelectField
              key={kind}
              label={label}
              disabled={isOfColumn}
              value={isOfColumn ? '' : (wanted[kind] ?? '')}
              onChoose={(value) => setWanted({ ...wanted, [kind]: value })}
              options={isOfColumn ? [{ value: '', label: texts.value.use.fromColumn }] : options}
            />
          ))}
        </div>
      )}
      <div class="form-row">
        <SelectField
          label={texts.value.use.make}
          value={output}
          onChoose={setOutput}
          options={[
            ...OUTPUTS.map((value) => ({ value, label: texts.value.use.inAZip(labelOf(value)) })),
            { value: 'one-pdf', label: texts.value.use.onePdfPage },
            ...(template.document.page ? [{ value: 'numbered', label: texts.value.use.onePdfNumbered }] : []),
            { value: 'labels', label: texts.value.use.labelSheets },
          ]}
        />
        <SelectField
          label={texts.value.use.namesFrom}
          value={naming === null ? '' : String(naming)}
          disabled={isOne}
          onChoose={(value) => onChange({ ...sheet, naming: value === '' ? null : Number(value) })}
          options={[
            { value: '', label: texts.value.use.numberRow },
            ...columns.map((label, index) => ({
              value: String(index),
              label: label || texts.value.use.columnNumbered(index + 1),
            })),
          ]}
        />
      </div>
      {output === 'labels' && <LabelSheetFields fields={shownLabels} label={label} onChange={setLabels} />}
      <div class="form-row">
        <Button onClick={onClose}>{texts.value.common.otherRows}</Button>
        <Button look="main" busy={isBusy} onClick={() => void run(start)}>
          {files === rows.length ? texts.value.use.renderRows(files) : texts.value.use.renderFiles(files)}
        </Button>
      </div>
    </>
  );
}

/** What a request writes for every size, or every language, that there is. */
const EVERY: typeof ALL = 'all';

/** The fields that choose a size and a language for all rows, unless a column does. */
function choicesFor(views: TemplateViews, targets: readonly (Target | null)[]) {
  const { use, common } = texts.value;
  const known = views.languages.filter((lang) => lang !== null);
  const isOfColumn = (name: string) => targets.some((target) => target?.layer === name && target.property === null);
  const all =
    known.length === views.languages.length ? use.allLanguages(known.length) : use.allTranslations(known.length);
  const sizes = views.sizes.map(({ name, width, height }, at) => ({
    value: at === 0 ? '' : name,
    label: `${sizeName(name)}, ${width} × ${height}`,
  }));
  const languages = views.languages.map((lang, at) => ({
    value: at === 0 ? '' : (lang ?? ''),
    label: spokenName(lang),
  }));
  return [
    {
      kind: 'size',
      label: common.size,
      count: sizes.length,
      options: [...sizes, { value: EVERY, label: use.allSizes(sizes.length) }],
    },
    { kind: 'lang', label: use.language, count: known.length, options: [...languages, { value: EVERY, label: all }] },
  ]
    .filter(({ options }) => options.length > 2)
    .map((field) => ({ ...field, kind: field.kind as 'size' | 'lang', isOfColumn: isOfColumn(field.kind) }));
}

/** The URL of an example CSV with two rows of the template's own values. */
function exampleCsv(template: TemplateDetail): string {
  const used = parametersOf(template.document).filter(({ type }) => type === 'text');
  const values = used.map(({ value }) => value ?? '');
  const names = new Set(parametersOf(template.document).map(({ name }) => name));
  const own: Readonly<Record<string, string>> = { size: 'default', lang: String(template.document.lang ?? '') };
  const choosing = choosingParameters(template.document, names).filter((name) => own[name]);
  const row = [...values, ...choosing.map((name) => own[name] ?? '')];
  const text = writeCsv([[...used.map(({ name }) => name), ...choosing], row, row]);
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
}

// Chooses which layer each column of a table sets, beside the column's cell in the row that is shown.

interface ColumnMappingProps {
  readonly document: TemplateDetail['document'];
  readonly columns: readonly string[];
  /** Cells of the row that is shown. */
  readonly cells: readonly string[];
  /** The column that names the files; null = none. */
  readonly naming: number | null;
  readonly targets: readonly (Target | null)[];
  /** Names of the layers that take values. */
  readonly layers: readonly string[];
  readonly onChange: (targets: readonly (Target | null)[]) => void;
}

const written = ({ layer, property }: Target) => (property === null ? layer : `${layer}.${property}`);

function ColumnMapping({ document, columns, cells, naming, targets, layers, onChange }: ColumnMappingProps) {
  const { use, common } = texts.value;
  const said = { size: common.size, lang: use.language, brand: use.brand };
  const names = new Set(parametersOf(document).map(({ name }) => name));
  const choosing = new Map<string, string>(choosingParameters(document, names).map((name) => [name, said[name]]));
  const change = (at: number, value: string, dotted: Target | null) => {
    const chosen =
      dotted && value === written(dotted) ? dotted : value === '' ? null : { layer: value, property: null };
    onChange(targets.map((target, index) => (index === at ? chosen : target)));
  };
  return (
    <ul class="batch-columns" aria-label={texts.value.use.columns}>
      {columns.map((column, at) => {
        const target = targets[at] ?? null;
        const dotted = target?.property == null ? null : target;
        const label = column || texts.value.use.columnNumbered(at + 1);
        return (
          <li key={at}>
            <div class="batch-column">
              <b class="truncate">{label}</b>
              <span class="muted truncate">{cells[at] || texts.value.use.emptyCell}</span>
            </div>
            <SelectField
              label={texts.value.use.layerColumn(label)}
              hideLabel
              dense
              value={target ? written(target) : ''}
              onChoose={(value) => change(at, value, dotted)}
              options={[
                { value: '', label: at === naming ? texts.value.use.namesFiles : texts.value.use.leftOut },
                ...(dotted ? [{ value: written(dotted), label: written(dotted) }] : []),
                ...layers.map((value) => ({ value, label: choosing.get(value) ?? value })),
              ]}
            />
          </li>
        );
      })}
    </ul>
  );
}
