// The progress of a bulk, then a report: each row with its picture, its warnings or its error, and the file.

import { useEffect, useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../../parts/button.tsx';
import { SelectField } from '../../../parts/field.tsx';
import { download } from '../../../parts/icons.ts';
import { ErrorPanel, Skeleton, SkeletonRows } from '../../../parts/states.tsx';
import { toastError } from '../../../parts/toast.tsx';
import { ApiError, accountPath, get } from '../../../shell/api.ts';
import type { Bulk, BulkRow } from '../../../shell/contract.ts';
import { count, plural } from '../../../shell/format.ts';
import { useList } from '../../../shell/list.ts';
import { RenderState } from '../../renders/render-state.tsx';

/** Polling interval of the progress, and the pause after a failed attempt, ms. */
const POLL = 700;
const PAUSE = 3_000;

interface BulkReportProps {
  readonly accountId: string;
  readonly id: string;
  /** The answer to the request that started it; null after a reload. */
  readonly started: Bulk | null;
  readonly onClose: () => void;
}

export function BulkReport({ accountId, id, started, onClose }: BulkReportProps) {
  const path = accountPath(accountId, 'bulks', id);
  const [bulk, setBulk] = useState(started);
  const [failures, setFailures] = useState(0);
  const [gone, setGone] = useState<Error | null>(null);
  const ended = bulk ? bulk.done + bulk.failed : 0;
  const isDone = bulk !== null && ended >= bulk.total;
  useEffect(() => {
    if (isDone || gone) return;
    const timer = setTimeout(
      () => {
        get<Bulk>(path).then(
          (next) => {
            setFailures(0);
            setBulk(next);
          },
          (err: unknown) => {
            if (err instanceof ApiError && err.status === 404) return setGone(err);
            if (failures === 0) toastError(err);
            setFailures(failures + 1);
          },
        );
      },
      failures > 0 ? PAUSE : bulk ? POLL : 0,
    );
    return () => clearTimeout(timer);
  }, [bulk, isDone, gone, path, failures]);
  if (gone)
    return (
      <>
        <ErrorPanel error={gone} />
        <div class="form-row">
          <Button onClick={onClose}>Other rows</Button>
        </div>
      </>
    );
  if (!bulk) return <Skeleton height={60} />;
  return (
    <>
      <p role="status">
        <b>{bulk.name ?? 'Pasted rows'}</b>: {isDone ? summaryOf(bulk) : `${count(ended)} of ${count(bulk.total)}`}
        {!isDone && bulk.failed > 0 && `, ${count(bulk.failed)} failed`}
      </p>
      {!isDone && (
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
      )}
      <div class="form-row">
        {isDone && bulk.file && (
          <ButtonLink look="main" icon={download} href={bulk.file} download target="_blank">
            Download {bulk.archive === 'zip' ? 'the zip' : 'the PDF'}
          </ButtonLink>
        )}
        <Button onClick={onClose}>{isDone ? 'Other rows' : 'Let it run, and render other rows'}</Button>
      </div>
      {isDone && <Rows accountId={accountId} bulk={bulk} />}
    </>
  );
}

/** Such as `18 files made, 2 with warnings, 1 row failed`. */
export function summaryOf({ done, warned, failed }: Pick<Bulk, 'done' | 'warned' | 'failed'>): string {
  const parts = [`${plural(done, 'file')} made`];
  if (warned > 0) parts.push(`${count(warned)} with warnings`);
  if (failed > 0) parts.push(`${plural(failed, 'row')} failed`);
  return parts.join(', ');
}

function Rows({ accountId, bulk }: { readonly accountId: string; readonly bulk: Bulk }) {
  const [shown, setShown] = useState(bulk.failed > 0 ? 'failed' : bulk.warned > 0 ? 'warned' : '');
  const list = useList<BulkRow>(accountPath(accountId, 'bulks', bulk.id, 'rows'), { rows: shown });
  return (
    <>
      <div class="bulk-shown">
        <SelectField
          label="Rows shown"
          value={shown}
          onChoose={setShown}
          options={[
            { value: '', label: `All (${count(bulk.total)})` },
            { value: 'failed', label: `Failed (${count(bulk.failed)})` },
            { value: 'warned', label: `With warnings (${count(bulk.warned)})` },
          ]}
        />
      </div>
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <SkeletonRows rows={3} />}
      {list.items?.length === 0 && <p class="muted">There are none.</p>}
      <ul class="bulk-report" aria-label="Rows of the bulk">
        {list.items?.map(({ id, row, name, status, error, warnings, url }) => (
          <li key={id}>
            <a
              class="bulk-thumb"
              href={`/studio/a/${accountId}/renders?open=${id}`}
              aria-label={`The render of row ${row + 1}`}
            >
              {url && !url.endsWith('.pdf') && <img src={url} alt="" loading="lazy" decoding="async" />}
            </a>
            <div class="bulk-told">
              <p>
                <b>Row {count(row + 1)}</b> <span class="muted">{name}</span>{' '}
                <RenderState status={error ? 'error' : (status ?? 'error')} warnings={warnings} />
              </p>
              {error && <p>{error}</p>}
              {warnings.map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <div class="table-more">
          <Button onClick={list.loadMore} busy={list.isLoadingMore}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
