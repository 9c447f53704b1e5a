// Renders a CSV to pictures or PDFs: one per row, with file names from a column, as one zip or one PDF.

import { useEffect, useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { SelectField } from '../../parts/field.tsx';
import { download, table2 } from '../../parts/icons.ts';
import { Note } from '../../parts/states.tsx';
import { toastError } from '../../parts/toast.tsx';
import { accountPath, get, post } from '../../shell/api.ts';
import type { Bulk, TemplateDetail } from '../../shell/contract.ts';
import { count, plural } from '../../shell/format.ts';
import { parametersOf } from '../../shell/parameters.ts';
import { readSheet, rowOf, type Sheet, targetOf } from './csv.ts';

/** The most rows in one request, as on the server. */
const MOST_ROWS = 500;

interface BulkProps {
  readonly accountId: string;
  readonly template: TemplateDetail;
}

export function BulkSection({ accountId, template }: BulkProps) {
  const [sheet, setSheet] = useState<(Sheet & { readonly file: string }) | null>(null);
  const [output, setOutput] = useState('png');
  const [naming, setNaming] = useState('');
  const [bulk, setBulk] = useState<Bulk | null>(null);
  const [isBusy, setBusy] = useState(false);
  const properties = new Map(parametersOf(template.document).map(({ name, property }) => [name, property]));

  const take = async ([file]: readonly File[]) => {
    if (!file) return;
    try {
      const read = readSheet(await file.text());
      if (read.rows.length > MOST_ROWS)
        throw new Error(`The file has ${count(read.rows.length)} rows; at most ${MOST_ROWS} go at once`);
      setSheet({ ...read, file: file.name });
      setNaming(read.columns.find((column) => /^(file ?)?name$|^id$|^slug$/i.test(column)) ?? '');
      setBulk(null);
    } catch (err) {
      toastError(err);
    }
  };
  const start = async () => {
    if (!sheet) return;
    setBusy(true);
    try {
      setBulk(
        await post<Bulk>(accountPath(accountId, 'templates', template.id, 'bulk'), {
          rows: sheet.rows.map((cells) => rowOf(sheet.columns, cells, naming, properties)),
          output: output === 'one-pdf' ? 'pdf' : output,
          archive: output === 'one-pdf' ? 'pdf' : 'zip',
        }),
      );
    } catch (err) {
      toastError(err);
    } finally {
      setBusy(false);
    }
  };
  const unknown = sheet?.columns.filter((column) => !targetOf(column, properties) && column !== naming) ?? [];
  return (
    <section class="section" aria-labelledby="bulk">
      <header>
        <div>
          <h2 id="bulk">Many at once</h2>
          <p>A CSV whose first row names layers. Each row below it becomes one picture or PDF.</p>
        </div>
        <ButtonLink dense icon={download} href={exampleCsv(template)} download={`${template.name}.csv`}>
          Example CSV
        </ButtonLink>
      </header>
      {!sheet && (
        <DropZone
          icon={table2}
          choose="Choose a CSV"
          hint="one here"
          accept=".csv,text/csv"
          onFiles={(files) => void take(files)}
        />
      )}
      {sheet && !bulk && (
        <>
          <p>
            <b>{sheet.file}</b>: {plural(sheet.rows.length, 'row')},{' '}
            {plural(sheet.columns.length - unknown.length, 'column')} used
          </p>
          {unknown.length > 0 && (
            <Note warn>No layer is called {unknown.map((column) => `“${column}”`).join(', ')}: left out.</Note>
          )}
          <div class="form-row">
            <SelectField
              label="Make"
              value={output}
              onChoose={setOutput}
              options={[
                { value: 'png', label: 'PNGs in a zip' },
                { value: 'jpeg', label: 'JPEGs in a zip' },
                { value: 'webp', label: 'WebPs in a zip' },
                { value: 'pdf', label: 'PDFs in a zip' },
                { value: 'one-pdf', label: 'One PDF, a page each' },
              ]}
            />
            <SelectField
              label="Names from"
              value={naming}
              disabled={output === 'one-pdf'}
              onChoose={setNaming}
              options={[
                { value: '', label: 'The number of the row' },
                ...sheet.columns.map((value) => ({ value, label: value })),
              ]}
            />
            <Button onClick={() => setSheet(null)}>Another file</Button>
            <Button look="main" busy={isBusy} onClick={() => void start()}>
              Render {plural(sheet.rows.length, 'row')}
            </Button>
          </div>
        </>
      )}
      {bulk && (
        <Progress
          accountId={accountId}
          bulk={bulk}
          onChange={setBulk}
          onAgain={() => {
            setBulk(null);
            setSheet(null);
          }}
        />
      )}
    </section>
  );
}

interface ProgressProps {
  readonly accountId: string;
  readonly bulk: Bulk;
  readonly onChange: (bulk: Bulk) => void;
  readonly onAgain: () => void;
}

/** Polling interval of the progress, and the pause after a failed attempt, ms. */
const POLL = 700;
const PAUSE = 3_000;

function Progress({ accountId, bulk, onChange, onAgain }: ProgressProps) {
  const ended = bulk.done + bulk.failed;
  const isDone = ended >= bulk.total;
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    if (isDone) return;
    const timer = setTimeout(
      () => {
        get<Bulk>(accountPath(accountId, 'bulks', bulk.id)).then(
          (next) => {
            setFailures(0);
            onChange(next);
          },
          (err: unknown) => {
            if (failures === 0) toastError(err);
            setFailures(failures + 1);
          },
        );
      },
      failures === 0 ? POLL : PAUSE,
    );
    return () => clearTimeout(timer);
  }, [bulk, isDone, accountId, onChange, failures]);
  return (
    <>
      <p role="status">
        {isDone ? `${plural(bulk.done, 'file')} made` : `${count(ended)} of ${count(bulk.total)}`}
        {bulk.failed > 0 && `, ${count(bulk.failed)} failed`}
      </p>
      <div
        class="progress"
        role="progressbar"
        aria-label="Rows rendered"
        aria-valuenow={ended}
        aria-valuemin={0}
        aria-valuemax={bulk.total}
      >
        <span style={{ width: `${(100 * ended) / Math.max(1, bulk.total)}%` }} />
      </div>
      {bulk.errors.length > 0 && (
        <Note warn>
          {bulk.errors.slice(0, 5).map(({ row, error }) => (
            <div key={row}>
              Row {row + 1}: {error}
            </div>
          ))}
        </Note>
      )}
      {isDone && (
        <div class="form-row">
          {bulk.file && (
            <ButtonLink look="main" icon={download} href={bulk.file} download target="_blank">
              Download {bulk.archive === 'zip' ? 'the zip' : 'the PDF'}
            </ButtonLink>
          )}
          <Button onClick={onAgain}>Another file</Button>
        </div>
      )}
    </>
  );
}

/** The URL of an example CSV with two rows of the template's own values. */
function exampleCsv(template: TemplateDetail): string {
  const used = parametersOf(template.document).filter(({ type }) => type === 'text');
  const quote = (text: string) => (/[",\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (cells: readonly string[]) => cells.map(quote).join(',');
  const values = used.map(({ value }) => value ?? '');
  const text = [line(used.map(({ name }) => name)), line(values), line(values)].join('\n');
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
}
