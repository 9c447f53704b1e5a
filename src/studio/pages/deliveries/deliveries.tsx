// Webhook deliveries: state, attempts with time, status and duration, next attempt; send again.

import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { refreshCw, send, webhook } from '../../parts/icons.ts';
import { Badge, EmptyState, ErrorPanel, SkeletonRows, type Tone } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, post } from '../../shell/api.ts';
import type { Delivery } from '../../shell/contract.ts';
import { duration, exactTime } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';

const STATES: Readonly<Record<Delivery['status'], { readonly label: string; readonly tone: Tone }>> = {
  pending: { label: 'In progress', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  refused: { label: 'Refused', tone: 'warn' },
};

export default function Deliveries({ accountId }: PageProps) {
  const [status, setStatus] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const list = useList<Delivery>(accountPath(accountId, 'deliveries'), { status });
  const chosen = list.items?.find(({ id }) => id === open);
  const again = async ({ id }: Delivery) => {
    try {
      await post(`${accountPath(accountId, 'deliveries', id)}/again`);
      toast('Sending again with the same webhook-id');
      setOpen(null);
      list.reload();
    } catch (err) {
      toastError(err);
    }
  };
  return (
    <>
      <PageHead
        title="Deliveries"
        intro="What was sent to the webhookUrl of your jobs. A failed delivery is retried for three days, at growing intervals."
        actions={
          <Button icon={refreshCw} onClick={list.reload} busy={list.isLoading && list.items !== null}>
            Refresh
          </Button>
        }
      />
      <div class="bar">
        <SelectField
          label="Status"
          hideLabel
          value={status}
          onChoose={setStatus}
          options={[
            { value: '', label: 'Any status' },
            ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
          ]}
        />
      </div>
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <SkeletonRows />}
      {list.items?.length === 0 && (
        <EmptyState
          icon={webhook}
          title={status === '' ? 'No deliveries yet' : 'No deliveries with this status'}
          action={
            <ButtonLink href="/docs/webhooks" target="_blank">
              Read about webhooks
            </ButtonLink>
          }
        >
          Add <code>"webhookUrl"</code> to a render: the response comes at once, and the result is sent there when it is
          ready.
        </EmptyState>
      )}
      {list.items && list.items.length > 0 && (
        <Table
          label="Deliveries"
          rows={list.items}
          rowKey={({ id }) => id}
          onOpen={({ id }) => setOpen(id)}
          more={list.hasMore ? { isLoading: list.isLoadingMore, load: list.loadMore } : null}
          columns={[
            {
              key: 'url',
              header: 'To',
              render: (row) => (
                <button type="button" class="text-button truncate" onClick={() => setOpen(row.id)}>
                  {row.url}
                </button>
              ),
            },
            {
              key: 'status',
              header: 'Status',
              width: '120px',
              render: (row) => <Badge tone={STATES[row.status].tone}>{STATES[row.status].label}</Badge>,
            },
            { key: 'attempts', header: 'Attempts', width: '90px', align: 'end', render: ({ attempts }) => attempts },
            {
              key: 'next',
              header: 'Next attempt',
              width: '120px',
              align: 'end',
              render: ({ nextAttemptAt }) =>
                nextAttemptAt && (
                  <span class="muted">
                    <Time at={nextAttemptAt} />
                  </span>
                ),
            },
            {
              key: 'when',
              header: 'When',
              width: '120px',
              align: 'end',
              render: ({ createdAt }) => (
                <span class="muted">
                  <Time at={createdAt} />
                </span>
              ),
            },
          ]}
        />
      )}
      {chosen && (
        <Dialog
          title="Delivery"
          wide
          onClose={() => setOpen(null)}
          foot={
            mayDo(accountId, 'editor') && (
              <Button look="main" icon={send} onClick={() => void again(chosen)}>
                Send again
              </Button>
            )
          }
        >
          <dl class="facts">
            <dt>To</dt>
            <dd>{chosen.url}</dd>
            <dt>Status</dt>
            <dd>
              <Badge tone={STATES[chosen.status].tone}>{STATES[chosen.status].label}</Badge>
            </dd>
            {chosen.nextAttemptAt && (
              <>
                <dt>Next attempt</dt>
                <dd>{exactTime(chosen.nextAttemptAt)}</dd>
              </>
            )}
            <dt>webhook-id</dt>
            <dd>
              <code>{chosen.id}</code>
            </dd>
            {chosen.renderId.startsWith('blk_') ? (
              <>
                <dt>Batch</dt>
                <dd>
                  <code>{chosen.renderId}</code>
                </dd>
              </>
            ) : (
              <>
                <dt>Render</dt>
                <dd>
                  <a href={`/studio/a/${accountId}/renders?open=${chosen.renderId}`}>
                    <code>{chosen.renderId}</code>
                  </a>
                </dd>
              </>
            )}
          </dl>
          <h3>Attempts</h3>
          {chosen.log.length === 0 && <p class="muted">None yet. It is sent as soon as a worker is free.</p>}
          {chosen.log.length > 0 && (
            <Table
              label="Attempts"
              rows={chosen.log}
              rowKey={({ at }) => at}
              columns={[
                { key: 'at', header: 'When', width: '180px', render: ({ at }) => exactTime(at) },
                {
                  key: 'status',
                  header: 'Response',
                  render: ({ status: code, error }) =>
                    code === null ? (error ?? 'none') : `${code}${error ? `: ${error}` : ''}`,
                },
                {
                  key: 'duration',
                  header: 'Duration',
                  width: '90px',
                  align: 'end',
                  render: ({ duration: ms }) => duration(ms),
                },
              ]}
            />
          )}
        </Dialog>
      )}
    </>
  );
}
