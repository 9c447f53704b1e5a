// Renders and jobs: filters, the picture or the error, the values; run again, open in the editor.

import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { externalLink, pencil, play, refreshCw, rotateCw } from '../../parts/icons.ts';
import { Badge, EmptyState, ErrorPanel, Skeleton, SkeletonRows, type Tone } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, get, post } from '../../shell/api.ts';
import type { PageProps } from '../../shell/app.tsx';
import type { Render, RenderDetail } from '../../shell/contract.ts';
import { bytes, duration, exactTime } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import { useLoad } from '../../shell/load.ts';
import { mayDo } from '../../shell/session.ts';
import './renders.css';

const STATES: Readonly<Record<Render['status'], { readonly label: string; readonly tone: Tone }>> = {
  queued: { label: 'Waiting', tone: 'neutral' },
  processing: { label: 'Under way', tone: 'info' },
  done: { label: 'Done', tone: 'good' },
  error: { label: 'Failed', tone: 'bad' },
};

/** ms until the list is loaded again while something is in progress. */
const POLL = 2_000;

export default function Renders({ accountId }: PageProps) {
  const { query, route } = useLocation();
  const [status, setStatus] = useState('');
  const [kind, setKind] = useState('');
  const [output, setOutput] = useState('');
  const list = useList<Render>(accountPath(accountId, 'renders'), { status, kind, output, template: query.template });
  const isMoving = list.items?.some((one) => one.status === 'queued' || one.status === 'processing') ?? false;
  const { reload, isLoading } = list;
  // Counted from the last answer: a load that is slower than the pause would otherwise never end.
  useEffect(() => {
    if (!isMoving || isLoading) return;
    const timer = setTimeout(reload, POLL);
    return () => clearTimeout(timer);
  }, [isMoving, isLoading, reload]);
  const isFiltered = status !== '' || kind !== '' || output !== '' || query.template !== undefined;
  const here = `/studio/a/${accountId}/renders`;
  const any = { value: '', label: '' };
  return (
    <>
      <PageHead
        title="Renders"
        actions={
          <Button icon={refreshCw} onClick={reload} busy={isLoading && list.items !== null && !isMoving}>
            Refresh
          </Button>
        }
      />
      <div class="bar">
        <SelectField
          label="State"
          hideLabel
          value={status}
          onChoose={setStatus}
          options={[
            { ...any, label: 'Any state' },
            ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
          ]}
        />
        <SelectField
          label="Kind"
          hideLabel
          value={kind}
          onChoose={setKind}
          options={[
            { ...any, label: 'Any kind' },
            { value: 'render', label: 'Renders' },
            { value: 'screenshot', label: 'Screenshots' },
          ]}
        />
        <SelectField
          label="Format"
          hideLabel
          value={output}
          onChoose={setOutput}
          options={[
            { ...any, label: 'Any format' },
            ...['png', 'jpeg', 'webp', 'pdf'].map((value) => ({ value, label: value.toUpperCase() })),
          ]}
        />
      </div>
      {list.error && <ErrorPanel error={list.error} onRetry={reload} />}
      {!list.items && !list.error && <SkeletonRows />}
      {list.items?.length === 0 &&
        (isFiltered ? (
          <EmptyState title="No render fits" icon={play}>
            Choose another state, kind or format.
          </EmptyState>
        ) : (
          <EmptyState
            icon={play}
            title="Nothing was rendered yet"
            action={
              <ButtonLink look="main" href={`/studio/a/${accountId}/templates`}>
                Choose a template
              </ButtonLink>
            }
          >
            Open a template and go to Use: there is the request to copy, as curl, JavaScript or Python.
          </EmptyState>
        ))}
      {list.items && list.items.length > 0 && (
        <Table
          label="Renders"
          rows={list.items}
          rowKey={({ id }) => id}
          onOpen={({ id }) => route(`${here}?open=${id}`)}
          more={list.hasMore ? { isLoading: list.isLoadingMore, load: list.loadMore } : null}
          columns={[
            {
              key: 'what',
              header: 'What',
              render: (row) => (
                <a class="cell-main" href={`${here}?open=${row.id}`} style={{ textDecoration: 'none' }}>
                  {nameOf(row)}
                  {row.template && <span class="faint"> v{row.template.version}</span>}
                </a>
              ),
            },
            {
              key: 'status',
              header: 'State',
              width: '34%',
              render: ({ status: state, error }) => (
                <>
                  <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
                  {error && <span class="muted"> {error}</span>}
                </>
              ),
            },
            { key: 'output', header: 'Format', width: '90px', render: (row) => row.output.toUpperCase() },
            {
              key: 'size',
              header: 'Size',
              width: '90px',
              align: 'end',
              render: ({ size }) => <span class="muted">{size === null ? '' : bytes(size)}</span>,
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
      {query.open && (
        <RenderDialog accountId={accountId} id={query.open} onClose={() => route(here, true)} onAgain={reload} />
      )}
    </>
  );
}

const nameOf = ({ kind, page, template }: Render) =>
  kind === 'screenshot' ? (page ?? 'Screenshot') : (template?.name ?? 'A template that is gone');

interface RenderDialogProps {
  readonly accountId: string;
  readonly id: string;
  readonly onClose: () => void;
  readonly onAgain: () => void;
}

function RenderDialog({ accountId, id, onClose, onAgain }: RenderDialogProps) {
  const path = accountPath(accountId, 'renders', id);
  const { data, error, reload } = useLoad(path, () => get<RenderDetail>(path));
  const [isBusy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    try {
      await post(`${path}/again`);
      toast('Rendering it again');
      onAgain();
      onClose();
    } catch (err) {
      toastError(err);
      setBusy(false);
    }
  };
  const mayEdit = mayDo(accountId, 'editor');
  return (
    <Dialog
      title={data ? nameOf(data) : 'Render'}
      onClose={onClose}
      wide
      foot={
        data && (
          <>
            {data.template && data.modifications && mayEdit && (
              <ButtonLink
                icon={pencil}
                href={`/studio/a/${accountId}/templates/${data.template.id}/edit?values=${data.id}`}
              >
                Open in the editor
              </ButtonLink>
            )}
            {data.url && (
              <ButtonLink icon={externalLink} href={data.url} target="_blank" rel="noreferrer">
                Open the file
              </ButtonLink>
            )}
            {mayEdit && data.modifications && (
              <Button look="main" icon={rotateCw} busy={isBusy} onClick={() => void again()}>
                Run again
              </Button>
            )}
          </>
        )
      }
    >
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <Skeleton height={240} />}
      {data && (
        <div class="detail">
          {data.error && <ErrorPanel error={new Error(data.error)} />}
          {data.url && data.output !== 'pdf' && (
            <div class="detail-picture">
              <img src={data.url} alt="What was rendered" />
            </div>
          )}
          <dl class="facts">
            <dt>State</dt>
            <dd>
              <Badge tone={STATES[data.status].tone}>{STATES[data.status].label}</Badge>
            </dd>
            <dt>Id</dt>
            <dd>
              <code>{data.id}</code>
            </dd>
            {data.template && (
              <>
                <dt>Template</dt>
                <dd>
                  <code>
                    {data.template.id}@{data.template.version}
                  </code>
                </dd>
              </>
            )}
            <dt>Asked for</dt>
            <dd>{exactTime(data.createdAt)}</dd>
            {data.finishedAt && (
              <>
                <dt>Took</dt>
                <dd>{duration(Date.parse(data.finishedAt) - Date.parse(data.createdAt))}</dd>
              </>
            )}
          </dl>
          {data.modifications && <CodeBlock code={JSON.stringify(data.modifications, null, 2)} label="Its values" />}
        </div>
      )}
    </Dialog>
  );
}
