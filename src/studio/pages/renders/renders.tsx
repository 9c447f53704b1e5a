// Renders and jobs: filters, the picture or the error, the values; run again, open in the editor.

import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { labelOf, OUTPUTS } from '#draw/output/formats.ts';
import { useAction } from '../../parts/action.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { copyText } from '../../parts/copy.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { copy, externalLink, eye, fileText, image, pencil, play, refreshCw, rotateCw } from '../../parts/icons.ts';
import type { MenuEntry } from '../../parts/menu.tsx';
import { Fact } from '../../parts/section.tsx';
import { EmptyState, ErrorPanel, Skeleton, WarningNote } from '../../parts/states.tsx';
import { ListTable, timeColumn } from '../../parts/table.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, get, post } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Render, RenderDetail, TemplateCard, TemplatePage } from '../../shell/contract.ts';
import { bytes, duration, exactTime } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import { useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { RenderState } from './render-state.tsx';
import './renders.css';
import { texts } from '../../texts/pages.ts';
import { warningText } from '../../texts/room.ts';

/** The filter for renders that have warnings. */
const WARNED = 'warned';
/** ms until the list is loaded again while something is in progress. */
const POLL = 2_000;

export default function Renders({ accountId }: PageProps) {
  const { query, route } = useLocation();
  const [status, setStatus] = useState('');
  const [kind, setKind] = useState('');
  const [output, setOutput] = useState('');
  const list = useList<Render>(accountPath(accountId, 'renders'), {
    ...(status === WARNED ? { warnings: 'true' } : { status }),
    ...{ kind, output, template: query.template, batch: query.batch },
  });
  const isMoving = list.items?.some((one) => one.status === 'queued' || one.status === 'processing') ?? false;
  const { reload, isLoading } = list;
  // Counted from the last answer: a load that is slower than the pause would otherwise never end.
  useEffect(() => {
    if (!isMoving || isLoading) return;
    const timer = setTimeout(reload, POLL);
    return () => clearTimeout(timer);
  }, [isMoving, isLoading, reload]);
  const isFiltered =
    status !== '' || kind !== '' || output !== '' || query.template !== undefined || query.batch !== undefined;
  const here = `${STUDIO}/a/${accountId}/renders`;
  const any = { value: '', label: '' };
  /** The address with its filters. */
  const address = (more: Readonly<Record<string, string | undefined>>) => {
    const wanted = Object.entries({ template: query.template, batch: query.batch, ...more });
    const search = new URLSearchParams(wanted.filter((one): one is [string, string] => Boolean(one[1]))).toString();
    return search === '' ? here : `${here}?${search}`;
  };
  const filtered = address({});
  const opening = (id: string) => address({ open: id });
  const templatesPath = accountPath(accountId, 'templates');
  const { data: templates } = useLoad(`${templatesPath}?all`, () => get<TemplatePage>(templatesPath, { limit: 200 }));
  const known = templates?.items ?? [];
  const mayEdit = mayDo(accountId, 'editor');
  const again = async (id: string) => {
    await post(accountPath(accountId, 'renders', id, 'again'));
    toast(texts.value.renders.renderingAgain);
    reload();
  };
  const menuOf = (row: Render): readonly (MenuEntry | false)[] => [
    { label: texts.value.renders.details, icon: eye, onSelect: () => route(opening(row.id)) },
    mayEdit &&
      row.template !== null && {
        label: texts.value.renders.openEditor,
        icon: pencil,
        href: `${STUDIO}/a/${accountId}/templates/${row.template.id}/edit?values=${row.id}`,
      },
    mayEdit && {
      label: texts.value.renders.runAgain,
      icon: rotateCw,
      onSelect: () => void again(row.id).catch(toastError),
    },
    'line',
    {
      label: texts.value.renders.copyId,
      icon: copy,
      onSelect: () => void copyText(row.id, texts.value.renders.idCopied),
    },
  ];
  return (
    <>
      <PageHead
        title={texts.value.common.renders}
        actions={
          <Button icon={refreshCw} onClick={reload} busy={isLoading && list.items !== null && !isMoving}>
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
            { ...any, label: texts.value.common.anyStatus },
            ...Object.entries(texts.value.renderStates).map(([value, label]) => ({ value, label })),
            { value: WARNED, label: texts.value.renders.doneWithWarnings },
          ]}
        />
        <SelectField
          label={texts.value.common.kind}
          hideLabel
          value={kind}
          onChoose={setKind}
          options={[
            { ...any, label: texts.value.renders.anyKind },
            { value: 'render', label: texts.value.common.renders },
            { value: 'screenshot', label: texts.value.renders.screenshots },
          ]}
        />
        <SelectField
          label={texts.value.common.format}
          hideLabel
          value={output}
          onChoose={setOutput}
          options={[
            { ...any, label: texts.value.renders.anyFormat },
            ...OUTPUTS.map((value) => ({ value, label: labelOf(value) })),
          ]}
        />
        <SelectField
          label={texts.value.common.template}
          hideLabel
          value={query.template ?? ''}
          onChoose={(template) => route(address({ template }))}
          options={[
            { ...any, label: texts.value.renders.anyTemplate },
            ...known.map(({ id, name }) => ({ value: id, label: name })),
            ...(query.template && !known.some(({ id }) => id === query.template)
              ? [{ value: query.template, label: texts.value.renders.oneTemplate }]
              : []),
          ]}
        />
        {query.batch && (
          <Button onClick={() => route(address({ batch: undefined }))}>{texts.value.renders.allBatches}</Button>
        )}
      </div>
      <ListTable
        label={texts.value.common.renders}
        list={list}
        empty={
          isFiltered ? (
            <EmptyState title={texts.value.renders.noMatch} icon={play}>
              {texts.value.renders.noMatchNote}
            </EmptyState>
          ) : (
            <EmptyState
              icon={play}
              title={texts.value.renders.noneYet}
              action={
                <ButtonLink look="main" href={`${STUDIO}/a/${accountId}/templates`}>
                  {texts.value.common.chooseTemplate}
                </ButtonLink>
              }
            >
              {texts.value.renders.noneYetNote}
            </EmptyState>
          )
        }
        onOpen={({ id }) => route(opening(id))}
        menuOf={menuOf}
        columns={[
          {
            header: texts.value.renders.picture,
            hideHeader: true,
            width: '64px',
            render: (row) => <Thumb {...row} />,
          },
          {
            header: texts.value.common.name,
            render: (row) => (
              <span class="cell-two">
                <a class="cell-main truncate" href={opening(row.id)} style={{ textDecoration: 'none' }}>
                  {nameOf(row)}
                  {row.template && <span class="faint"> v{row.template.version}</span>}
                </a>
                {row.values && (
                  <span class="muted truncate" title={row.values}>
                    {row.values}
                  </span>
                )}
              </span>
            ),
          },
          {
            header: texts.value.common.batch,
            width: '14%',
            render: ({ batch }) =>
              batch && (
                <span class="cell-two">
                  <a class="truncate" href={`${here}?batch=${batch.id}`} title={texts.value.renders.onlyThisBatch}>
                    {batch.name ?? texts.value.common.pastedRows}
                  </a>
                  <span class="muted">{texts.value.use.rowNumbered(batch.row + 1)}</span>
                </span>
              ),
          },
          {
            header: texts.value.common.status,
            width: '26%',
            render: ({ status: state, warnings, error }) => (
              <span>
                <RenderState status={state} warnings={warnings} />
                {(error || warnings[0]) && <span class="muted"> {error ?? warningText(warnings[0] ?? '')}</span>}
              </span>
            ),
          },
          { header: texts.value.common.format, width: '90px', render: (row) => labelOf(row.output) },
          {
            header: texts.value.common.size,
            width: '90px',
            align: 'end',
            render: ({ size }) => size !== null && <span class="muted">{bytes(size)}</span>,
          },
          timeColumn<Render>(texts.value.common.when, ({ createdAt }) => createdAt, { align: 'end' }),
        ]}
      />
      {query.open && (
        <RenderDialog accountId={accountId} id={query.open} onClose={() => route(filtered, true)} onAgain={reload} />
      )}
    </>
  );
}

/** A larger file is not loaded to be shown as small as here, bytes. */
const MOST_SHOWN = 2_000_000;

function Thumb({ url, output, size }: Render) {
  const isShown = url !== null && output !== 'pdf' && size !== null && size <= MOST_SHOWN;
  return (
    <span class="render-thumb">
      {isShown ? (
        <img src={url} alt="" loading="lazy" decoding="async" />
      ) : (
        <Icon of={output === 'pdf' ? fileText : image} />
      )}
    </span>
  );
}

const nameOf = ({ kind, page, template, inline }: Render) =>
  kind === 'screenshot'
    ? (page ?? texts.value.renders.screenshot)
    : (template?.name ?? inline?.name ?? texts.value.common.deletedTemplate);

interface RenderDialogProps {
  readonly accountId: string;
  readonly id: string;
  readonly onClose: () => void;
  readonly onAgain: () => void;
}

function RenderDialog({ accountId, id, onClose, onAgain }: RenderDialogProps) {
  const { route } = useLocation();
  const path = accountPath(accountId, 'renders', id);
  const { data, error, reload } = useLoad(path, () => get<RenderDetail>(path));
  const { isBusy, run } = useAction(toastError);
  const again = async () => {
    await post(`${path}/again`);
    toast(texts.value.renders.isRenderingAgain);
    onAgain();
    onClose();
  };
  /** Stores the template that sent with the request, and opens it with the render's values. */
  const keep = async (document: RenderDetail['document']) => {
    const { id: made } = await post<TemplateCard>(accountPath(accountId, 'templates'), { document });
    route(`${STUDIO}/a/${accountId}/templates/${made}/edit?values=${id}`);
  };
  const mayEdit = mayDo(accountId, 'editor');
  return (
    <Dialog
      title={data ? nameOf(data) : texts.value.common.render}
      onClose={onClose}
      wide
      foot={
        data && (
          <>
            {data.template && data.modifications && mayEdit && (
              <ButtonLink
                icon={pencil}
                href={`${STUDIO}/a/${accountId}/templates/${data.template.id}/edit?values=${data.id}`}
              >
                {texts.value.renders.openEditor}
              </ButtonLink>
            )}
            {data.document && mayEdit && (
              <Button icon={pencil} busy={isBusy} onClick={() => void run(() => keep(data.document))}>
                {texts.value.renders.saveAsTemplate}
              </Button>
            )}
            {data.url && (
              <ButtonLink icon={externalLink} href={data.url} target="_blank" rel="noreferrer">
                {texts.value.renders.openFile}
              </ButtonLink>
            )}
            {mayEdit && data.modifications && (
              <Button look="main" icon={rotateCw} busy={isBusy} onClick={() => void run(again)}>
                {texts.value.renders.runAgain}
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
          <WarningNote warnings={data.warnings} />
          {data.url && data.output !== 'pdf' && (
            <div class="detail-picture">
              <img src={data.url} alt={texts.value.renders.result} />
            </div>
          )}
          <dl class="facts">
            <Fact term={texts.value.common.status}>
              <RenderState status={data.status} warnings={data.warnings} />
            </Fact>
            <Fact term="ID">
              <code>{data.id}</code>
            </Fact>
            {data.template && (
              <Fact term={texts.value.common.template}>
                <code>
                  {data.template.id}@{data.template.version}
                </code>
              </Fact>
            )}
            {data.inline && <Fact term={texts.value.common.template}>{texts.value.renders.sentRequest}</Fact>}
            {data.metadata !== null && (
              <Fact term={texts.value.renders.metadata}>
                {typeof data.metadata === 'string' ? data.metadata : <code>{JSON.stringify(data.metadata)}</code>}
              </Fact>
            )}
            <Fact term={texts.value.renders.requested}>{exactTime(data.createdAt)}</Fact>
            {data.finishedAt && (
              <Fact term={texts.value.common.duration}>
                {duration(Date.parse(data.finishedAt) - Date.parse(data.createdAt))}
              </Fact>
            )}
          </dl>
          {data.modifications && (
            <CodeBlock code={JSON.stringify(data.modifications, null, 2)} label={texts.value.use.values} />
          )}
        </div>
      )}
    </Dialog>
  );
}
