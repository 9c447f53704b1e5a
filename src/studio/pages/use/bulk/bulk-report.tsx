// The progress of a bulk, then a report: each row with its picture, its warnings or its error, and the file.

import { useEffect, useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../../parts/button.tsx';
import { SelectField } from '../../../parts/field.tsx';
import { download } from '../../../parts/icons.ts';
import { ErrorPanel, Skeleton, SkeletonRows } from '../../../parts/states.tsx';
import { toastError } from '../../../parts/toast.tsx';
import { ApiError, accountPath, get } from '../../../shell/api.ts';
import { STUDIO } from '../../../shell/base.ts';
import type { Bulk, BulkRow } from '../../../shell/contract.ts';
import { count } from '../../../shell/format.ts';
import { useList } from '../../../shell/list.ts';
import { texts } from '../../../texts/pages.ts';
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
          <Button onClick={onClose}>{texts.value.common.otherRows}</Button>
        </div>
      </>
    );
  if (!bulk) return <Skeleton height={60} />;
  return (
    <>
      <p role="status">
        <b>{bulk.name ?? texts.value.common.pastedRows}</b>:{' '}
        {isDone ? summaryOf(bulk) : texts.value.use.ofAll(ended, bulk.total)}
        {!isDone && bulk.failed > 0 && `, ${texts.value.use.failedCount(bulk.failed)}`}
      </p>
      {!isDone && (
        <div
          class="progress"
          role="progressbar"
          aria-label={texts.value.use.rowsRendered}
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
            {bulk.archive === 'zip' ? texts.value.use.downloadZip : texts.value.use.downloadPdf}
          </ButtonLink>
        )}
        <Button onClick={onClose}>{isDone ? texts.value.common.otherRows : texts.value.use.letRunRender}</Button>
      </div>
      {isDone && <Rows accountId={accountId} bulk={bulk} />}
    </>
  );
}

/** Such as `18 files made, 2 with warnings, 1 row failed`. */
function summaryOf({ done, warned, failed }: Pick<Bulk, 'done' | 'warned' | 'failed'>): string {
  const { filesMade, withWarnings, rowsFailed } = texts.value.bulk;
  return [filesMade(done), warned > 0 && withWarnings(warned), failed > 0 && rowsFailed(failed)]
    .filter(Boolean)
    .join(', ');
}

function Rows({ accountId, bulk }: { readonly accountId: string; readonly bulk: Bulk }) {
  const [shown, setShown] = useState(bulk.failed > 0 ? 'failed' : bulk.warned > 0 ? 'warned' : '');
  const list = useList<BulkRow>(accountPath(accountId, 'bulks', bulk.id, 'rows'), { rows: shown });
  return (
    <>
      <div class="bulk-shown">
        <SelectField
          label={texts.value.use.rowsShown}
          value={shown}
          onChoose={setShown}
          options={[
            { value: '', label: texts.value.use.allCount(count(bulk.total)) },
            { value: 'failed', label: texts.value.use.failedOnes(count(bulk.failed)) },
            { value: 'warned', label: texts.value.use.warnedCount(count(bulk.warned)) },
          ]}
        />
      </div>
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <SkeletonRows rows={3} />}
      {list.items?.length === 0 && <p class="muted">{texts.value.use.thereNone}</p>}
      <ul class="bulk-report" aria-label={texts.value.use.rowsBulk}>
        {list.items?.map(({ id, row, name, status, error, warnings, url }) => (
          <li key={id}>
            <a
              class="bulk-thumb"
              href={`${STUDIO}/a/${accountId}/renders?open=${id}`}
              aria-label={texts.value.use.renderRow(row + 1)}
            >
              {url && !url.endsWith('.pdf') && <img src={url} alt="" loading="lazy" decoding="async" />}
            </a>
            <div class="bulk-told">
              <p>
                <b>{texts.value.use.rowNumbered(row + 1)}</b> <span class="muted">{name}</span>{' '}
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
            {texts.value.common.showMore}
          </Button>
        </div>
      )}
    </>
  );
}
