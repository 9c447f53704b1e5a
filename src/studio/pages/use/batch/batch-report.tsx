// The progress of a batch, then a report: each row with its picture, its warnings or its error, and the file.

import { useEffect, useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../../parts/button.tsx';
import { SelectField } from '../../../parts/field.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { download, fileText } from '../../../parts/icons.ts';
import { ErrorPanel, Skeleton, SkeletonRows } from '../../../parts/states.tsx';
import { ShowMore } from '../../../parts/table.tsx';
import { toastError } from '../../../parts/toast.tsx';
import { ApiError, accountPath, get } from '../../../shell/api.ts';
import { STUDIO } from '../../../shell/base.ts';
import type { Batch, BatchRow } from '../../../shell/contract.ts';
import { count } from '../../../shell/format.ts';
import { useList } from '../../../shell/list.ts';
import { texts } from '../../../texts/pages.ts';
import { warningText } from '../../../texts/room.ts';
import { RenderState } from '../../renders/render-state.tsx';

/** Polling interval of the progress, and the pause after a failed attempt, ms. */
const POLL = 700;
const PAUSE = 3_000;

interface BatchReportProps {
  readonly accountId: string;
  readonly id: string;
  /** The answer to the request that started it; null after a reload. */
  readonly started: Batch | null;
  readonly onClose: () => void;
}

export function BatchReport({ accountId, id, started, onClose }: BatchReportProps) {
  const path = accountPath(accountId, 'batches', id);
  const [batch, setBatch] = useState(started);
  const [failures, setFailures] = useState(0);
  const [gone, setGone] = useState<Error | null>(null);
  const ended = batch ? batch.done + batch.failed : 0;
  const isDone = batch !== null && ended >= batch.total;
  useEffect(() => {
    if (isDone || gone) return;
    const timer = setTimeout(
      () => {
        get<Batch>(path).then(
          (next) => {
            setFailures(0);
            setBatch(next);
          },
          (err: unknown) => {
            if (err instanceof ApiError && err.status === 404) return setGone(err);
            if (failures === 0) toastError(err);
            setFailures(failures + 1);
          },
        );
      },
      failures > 0 ? PAUSE : batch ? POLL : 0,
    );
    return () => clearTimeout(timer);
  }, [batch, isDone, gone, path, failures]);
  if (gone)
    return (
      <>
        <ErrorPanel error={gone} />
        <div class="form-row">
          <Button onClick={onClose}>{texts.value.common.otherRows}</Button>
        </div>
      </>
    );
  if (!batch) return <Skeleton height={60} />;
  return (
    <>
      <p role="status">
        <b>{batch.name ?? texts.value.common.pastedRows}</b>:{' '}
        {isDone ? summaryOf(batch) : texts.value.use.ofAll(ended, batch.total)}
        {!isDone && batch.failed > 0 && `, ${texts.value.use.failedCount(batch.failed)}`}
      </p>
      {!isDone && (
        <div
          class="progress"
          role="progressbar"
          aria-label={texts.value.use.rowsRendered}
          aria-valuenow={ended}
          aria-valuemin={0}
          aria-valuemax={batch.total}
        >
          <span style={{ width: `${(100 * ended) / Math.max(1, batch.total)}%` }} />
        </div>
      )}
      <div class="form-row">
        {isDone && batch.file && (
          <ButtonLink look="main" icon={download} href={batch.file} download target="_blank">
            {batch.archive === 'zip' ? texts.value.use.downloadZip : texts.value.use.downloadPdf}
          </ButtonLink>
        )}
        <Button onClick={onClose}>{isDone ? texts.value.common.otherRows : texts.value.use.letRunRender}</Button>
      </div>
      {isDone && <Rows accountId={accountId} batch={batch} />}
    </>
  );
}

/** Such as `18 files made, 2 with warnings, 1 row failed`. */
function summaryOf({ done, warned, failed, archive }: Batch): string {
  const { filesMade, inOnePdf, withWarnings, rowsFailed } = texts.value.batch;
  return [
    filesMade(done),
    archive === 'pdf' && inOnePdf,
    warned > 0 && withWarnings(warned),
    failed > 0 && rowsFailed(failed),
  ]
    .filter(Boolean)
    .join(', ');
}

function Rows({ accountId, batch }: { readonly accountId: string; readonly batch: Batch }) {
  const [shown, setShown] = useState(batch.failed > 0 ? 'failed' : batch.warned > 0 ? 'warned' : '');
  const list = useList<BatchRow>(accountPath(accountId, 'batches', batch.id, 'rows'), { rows: shown });
  return (
    <>
      <div class="batch-shown">
        <SelectField
          label={texts.value.use.rowsShown}
          value={shown}
          onChoose={setShown}
          options={[
            { value: '', label: texts.value.use.allCount(count(batch.total)) },
            { value: 'failed', label: texts.value.use.failedOnes(count(batch.failed)) },
            { value: 'warned', label: texts.value.use.warnedCount(count(batch.warned)) },
          ]}
        />
      </div>
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <SkeletonRows rows={3} />}
      {list.items?.length === 0 && <p class="muted">{texts.value.use.thereNone}</p>}
      <ul class="batch-report" aria-label={texts.value.use.rowsBatch}>
        {list.items?.map(({ id, row, name, status, error, warnings, url }) => (
          <li key={id}>
            <a
              class="batch-thumb"
              href={`${STUDIO}/a/${accountId}/renders?open=${id}`}
              aria-label={texts.value.use.renderRow(row + 1)}
            >
              {url && !url.endsWith('.pdf') ? (
                <img src={url} alt="" loading="lazy" decoding="async" />
              ) : (
                <Icon of={fileText} />
              )}
            </a>
            <div class="batch-told">
              <p>
                <b>{texts.value.use.rowNumbered(row + 1)}</b> <span class="muted">{name}</span>{' '}
                <RenderState status={error ? 'error' : (status ?? 'error')} warnings={warnings} />
              </p>
              {error && <p>{error}</p>}
              {warnings.map((sentence) => (
                <p key={sentence}>{warningText(sentence)}</p>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <ShowMore of={list} />
    </>
  );
}
