// Webhook deliveries: state, attempts with time, status and duration, next attempt; send again.

import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { refreshCw, send, webhook } from '../../parts/icons.ts';
import { Fact } from '../../parts/section.tsx';
import { Badge, EmptyState, type Tone } from '../../parts/states.tsx';
import { ListTable, Table, timeColumn } from '../../parts/table.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, post } from '../../shell/api.ts';
import { BASE, STUDIO } from '../../shell/base.ts';
import type { Delivery } from '../../shell/contract.ts';
import { duration, exactTime } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { texts } from '../../texts/pages.ts';

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'info',
  delivered: 'good',
  failed: 'bad',
  refused: 'warn',
};

export default function Deliveries({ accountId }: PageProps) {
  const [status, setStatus] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const list = useList<Delivery>(accountPath(accountId, 'deliveries'), { status });
  const chosen = list.items?.find(({ id }) => id === open);
  const again = async ({ id }: Delivery) => {
    await post(`${accountPath(accountId, 'deliveries', id)}/again`);
    toast(texts.value.deliveries.sendingAgain);
    setOpen(null);
    list.reload();
  };
  return (
    <>
      <PageHead
        title={texts.value.deliveries.deliveries}
        intro={texts.value.deliveries.intro}
        actions={
          <Button icon={refreshCw} onClick={list.reload} busy={list.isLoading && list.items !== null}>
            {texts.value.common.refresh}
          </Button>
        }
      />
      <div class="bar">
        <SelectField
          label={texts.value.common.status}
          hideLabel
          value={status}
          onChoose={setStatus}
          options={[
            { value: '', label: texts.value.common.anyStatus },
            ...Object.entries(texts.value.deliveryStates).map(([value, label]) => ({ value, label })),
          ]}
        />
      </div>
      <ListTable
        label={texts.value.deliveries.deliveries}
        list={list}
        empty={
          <EmptyState
            icon={webhook}
            title={status === '' ? texts.value.deliveries.noneYet : texts.value.deliveries.noneWithStatus}
            action={
              <ButtonLink href={`${BASE}/docs/webhooks`} target="_blank">
                {texts.value.deliveries.readAboutWebhooks}
              </ButtonLink>
            }
          >
            {texts.value.deliveries.noneYetNote}
          </EmptyState>
        }
        onOpen={({ id }) => setOpen(id)}
        columns={[
          {
            header: texts.value.deliveries.to,
            render: (row) => (
              <button type="button" class="text-button truncate" onClick={() => setOpen(row.id)}>
                {row.url}
              </button>
            ),
          },
          {
            header: texts.value.common.status,
            width: '150px',
            render: (row) => <Badge tone={TONES[row.status]}>{texts.value.deliveryStates[row.status]}</Badge>,
          },
          {
            header: texts.value.deliveries.attempts,
            width: '90px',
            align: 'end',
            render: ({ attempts }) => attempts,
          },
          timeColumn<Delivery>(texts.value.deliveries.nextAttempt, ({ nextAttemptAt }) => nextAttemptAt, {
            ...{ width: '140px', align: 'end' },
          }),
          timeColumn<Delivery>(texts.value.common.when, ({ createdAt }) => createdAt, { align: 'end' }),
        ]}
      />
      {chosen && (
        <Dialog
          title={texts.value.deliveries.delivery}
          wide
          onClose={() => setOpen(null)}
          foot={
            mayDo(accountId, 'editor') && (
              <Button look="main" icon={send} onClick={() => void again(chosen).catch(toastError)}>
                {texts.value.deliveries.sendAgain}
              </Button>
            )
          }
        >
          <dl class="facts">
            <Fact term={texts.value.deliveries.to}>{chosen.url}</Fact>
            <Fact term={texts.value.common.status}>
              <Badge tone={TONES[chosen.status]}>{texts.value.deliveryStates[chosen.status]}</Badge>
            </Fact>
            {chosen.nextAttemptAt && (
              <Fact term={texts.value.deliveries.nextAttempt}>{exactTime(chosen.nextAttemptAt)}</Fact>
            )}
            <Fact term="webhook-id">
              <code>{chosen.id}</code>
            </Fact>
            {chosen.renderId.startsWith('blk_') ? (
              <Fact term={texts.value.common.batch}>
                <code>{chosen.renderId}</code>
              </Fact>
            ) : (
              <Fact term={texts.value.common.render}>
                <a href={`${STUDIO}/a/${accountId}/renders?open=${chosen.renderId}`}>
                  <code>{chosen.renderId}</code>
                </a>
              </Fact>
            )}
          </dl>
          <h3>{texts.value.deliveries.attempts}</h3>
          {chosen.log.length === 0 && <p class="muted">{texts.value.deliveries.noAttemptsYet}</p>}
          {chosen.log.length > 0 && (
            <Table
              label={texts.value.deliveries.attempts}
              rows={chosen.log}
              rowKey={({ at }) => at}
              columns={[
                { header: texts.value.common.when, width: '180px', render: ({ at }) => exactTime(at) },
                {
                  header: texts.value.deliveries.response,
                  render: ({ status: code, error }) =>
                    code === null
                      ? (error ?? texts.value.deliveries.noResponse)
                      : `${code}${error ? `: ${error}` : ''}`,
                },
                {
                  header: texts.value.common.duration,
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
