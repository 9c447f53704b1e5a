// The versions of a template and its draft: list, two side by side, their differences; publish or discard the draft,
// restore a version as the draft, copy a pinned id.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { copyText } from '../../parts/copy.ts';
import { SelectField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { arrowLeft, copy, history, pencil, rotateCcw, trash2 } from '../../parts/icons.ts';
import { PublishDialog } from '../../parts/publish-dialog.tsx';
import { Badge, EmptyState, ErrorPanel, Skeleton, SkeletonRows, type Tone } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.tsx';
import { accountPath, call, get } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Draft, TemplateDetail, TemplateDocument, Version, VersionDetail } from '../../shell/contract.ts';
import { ago } from '../../shell/format.ts';
import { useList } from '../../shell/list.ts';
import { forget, useLoad } from '../../shell/load.ts';
import type { TemplatePageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { OutdatedUses } from '../outdated/outdated-uses.tsx';
import { UpdateNotes } from '../outdated/update-notes.tsx';
import { TemplateHead } from '../template-head.tsx';
import { compareDocuments, type LayerChange } from './compare.ts';
import './versions.css';
import { ShowMore } from '../../parts/table.tsx';
import { texts } from '../../texts/pages.ts';

/** What is compared: a version, or the draft. */
interface Shown {
  /** `3`, or `draft`. */
  readonly key: string;
  readonly title: string;
  readonly thumbnail: string;
  /** Shown if the thumbnail cannot be drawn, as of a draft that is no template yet. */
  readonly fallback: string;
  /** The pinned id of a version; null: the draft. */
  readonly id: string | null;
  /** Where its document is. */
  readonly address: string;
}

const DRAFT = 'draft';

export default function Versions({ accountId, templateId }: TemplatePageProps) {
  const path = accountPath(accountId, 'templates', templateId);
  const template = useLoad(path, () => get<TemplateDetail>(path));
  const list = useList<Version>(`${path}/versions`);
  const [chosen, setChosen] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'publish' | 'discard' | Version | null>(null);
  const mayEdit = mayDo(accountId, 'editor');
  const { route, query } = useLocation();
  const editAddress = `${STUDIO}/a/${accountId}/templates/${templateId}/edit`;
  const reload = () => {
    forget(path);
    template.reload();
    list.reload();
  };
  const draft = template.data?.draft ?? null;
  const newest = list.items?.[0];
  const versions = (list.items ?? []).map((one): Shown & { readonly version: Version } => ({
    key: String(one.version),
    title: texts.value.common.versionNumbered(one.version),
    thumbnail: one.thumbnail,
    fallback: one.thumbnail,
    id: one.id,
    address: `${path}/versions/${one.version}`,
    version: one,
  }));
  const drafted: Shown | null = draft && {
    key: DRAFT,
    title: texts.value.common.draft,
    thumbnail: template.data?.draftThumbnail ?? '',
    fallback: template.data?.thumbnail ?? '',
    id: null,
    // The revision makes another key of the same address for each save.
    address: `${path}/draft?${draft.revision}`,
  };
  const all = drafted ? [drafted, ...versions] : versions;
  const current = all.find(({ key }) => key === chosen) ?? all[0];
  const at = current ? all.indexOf(current) : 0;
  const old = versions.find(({ key }) => key === current?.key)?.version;
  const error = template.error ?? list.error;
  const close = () => setDialog(null);
  const here = `${STUDIO}/a/${accountId}/templates/${templateId}/versions`;
  const head = (actions: ComponentChildren) => (
    <TemplateHead {...{ accountId, templateId, actions }} name={template.data?.name ?? null} page="versions" />
  );
  if (query.view === 'uses') {
    return (
      <>
        {head(null)}
        <a class="back" href={here}>
          <Icon of={arrowLeft} size={14} />
          {texts.value.common.versions}
        </a>
        <OutdatedUses
          accountId={accountId}
          path={path}
          name={template.data?.name ?? texts.value.outdated.thisTemplate}
        />
      </>
    );
  }
  return (
    <>
      {head(
        mayEdit && draft && (
          <Button look="main" onClick={() => setDialog('publish')}>
            {texts.value.versions.publishDraft}
          </Button>
        ),
      )}
      {template.data && (template.data.newer.length > 0 || template.data.outdatedUses > 0) && (
        <UpdateNotes
          accountId={accountId}
          template={template.data}
          usesAddress={`${here}?view=uses`}
          onUpdated={reload}
        />
      )}
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!list.items && !error && <SkeletonRows />}
      {list.items?.length === 0 && (
        <EmptyState
          icon={history}
          title={texts.value.versions.noneYet}
          action={
            <ButtonLink look="main" icon={pencil} href={editAddress}>
              {texts.value.versions.openEditor}
            </ButtonLink>
          }
        >
          {texts.value.versions.noneYetNote}
        </EmptyState>
      )}
      {list.items && newest && current && (
        <div class="versions">
          <div>
            <div class="version-list" role="group" aria-label={texts.value.common.versions}>
              {drafted && draft && (
                <Row
                  shown={drafted}
                  isCurrent={current === drafted}
                  onChoose={() => setChosen(DRAFT)}
                  mark={<Badge tone="info">{texts.value.common.draft}</Badge>}
                >
                  <span class="card-facts">
                    <Time at={draft.savedAt} />{' '}
                    {texts.value.common.by(draft.savedBy?.name ?? texts.value.versions.aKey)}
                  </span>
                  <span class="version-note truncate">
                    <br />
                    {texts.value.versions.fromVersion(draft.baseVersion)}
                  </span>
                </Row>
              )}
              {versions.map((one) => (
                <Row
                  key={one.key}
                  shown={one}
                  isCurrent={one === current}
                  onChoose={() => setChosen(one.key)}
                  mark={one.version === newest && <Badge tone="good">{texts.value.versions.live}</Badge>}
                >
                  <span class="card-facts">
                    <Time at={one.version.createdAt} />{' '}
                    {texts.value.common.by(one.version.author?.name ?? texts.value.versions.aKey)}
                  </span>
                  {one.version.note && (
                    <span class="version-note truncate">
                      <br />
                      {one.version.note}
                    </span>
                  )}
                </Row>
              ))}
            </div>
            <ShowMore of={list} />
          </div>
          <Comparison
            key={current.key}
            shown={current}
            older={all.slice(at + 1)}
            actions={
              <>
                {current.id !== null && (
                  <Button
                    dense
                    icon={copy}
                    onClick={() => void copyText(current.id ?? '', texts.value.versions.copied(current.id))}
                  >
                    {texts.value.versions.copyId}
                  </Button>
                )}
                {mayEdit && current === drafted && (
                  <>
                    <ButtonLink dense icon={pencil} href={editAddress}>
                      {texts.value.common.edit}
                    </ButtonLink>
                    <Button dense icon={trash2} onClick={() => setDialog('discard')}>
                      {texts.value.versions.discard}
                    </Button>
                  </>
                )}
                {mayEdit && old && old !== newest && (
                  <Button dense icon={rotateCcw} onClick={() => setDialog(old)}>
                    {texts.value.versions.restore}
                  </Button>
                )}
              </>
            }
          />
        </div>
      )}
      {dialog === 'publish' && draft && (
        <PublishDialog
          accountId={accountId}
          templateId={templateId}
          baseVersion={draft.baseVersion}
          problem={null}
          publish={async (note, over) => {
            const { version } = await call<{ version: number }>('POST', `${path}/publish`, {
              body: { ...(note !== '' && { note }), ...(over !== undefined && { over }) },
              headers: { 'if-match': `"${draft.revision}"` },
            });
            return version;
          }}
          onClose={close}
          onDone={() => {
            setChosen(null);
            reload();
          }}
        />
      )}
      {dialog === 'discard' && draft && (
        <ConfirmDialog
          title={texts.value.versions.discardDraft}
          action={texts.value.versions.discard}
          isDanger
          onClose={close}
          onConfirm={async () => {
            await call('DELETE', `${path}/draft`, { headers: { 'if-match': `"${draft.revision}"` } });
            toast(texts.value.versions.draftDiscarded);
            setChosen(null);
            reload();
          }}
        >
          {texts.value.versions.draftIsLost(draft.savedBy?.name ?? null, ago(draft.savedAt), newest?.version ?? 0)}
        </ConfirmDialog>
      )}
      {dialog !== null && typeof dialog === 'object' && newest && (
        <ConfirmDialog
          title={texts.value.versions.restoreVersion(dialog.version)}
          action={draft ? texts.value.versions.replaceDraft : texts.value.versions.restoreAsDraft}
          isDanger={draft !== null}
          onClose={close}
          onConfirm={async () => {
            await restore(path, dialog.version, newest.version, draft?.revision ?? null);
            toast(texts.value.versions.isDraftNow(dialog.version), {
              action: { label: texts.value.common.edit, onSelect: () => route(editAddress) },
            });
            setChosen(DRAFT);
            reload();
          }}
        >
          {texts.value.versions.becomesDraft(newest.version)}
          {draft && (
            <>
              {' '}
              <b>{texts.value.versions.draftIsReplaced(draft.savedBy?.name ?? null, ago(draft.savedAt))}</b>
            </>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}

/** @param revision of the draft that it replaces; null: there is none */
async function restore(path: string, version: number, newest: number, revision: number | null): Promise<void> {
  const { document } = await get<VersionDetail>(`${path}/versions/${version}`);
  const onTopOf = revision ?? (await get<Draft>(`${path}/draft`)).revision;
  await call('PUT', `${path}/draft`, {
    body: { document, baseVersion: newest },
    headers: { 'if-match': `"${onTopOf}"` },
  });
}

interface RowProps {
  readonly shown: Shown;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
  /** A badge at its end. */
  readonly mark: ComponentChildren;
  readonly children: ComponentChildren;
}

function Row({ shown, isCurrent, onChoose, mark, children }: RowProps) {
  return (
    <button type="button" class="version" aria-pressed={isCurrent} onClick={onChoose}>
      <Picture of={shown} alt="" />
      <span class="version-words">
        <b>{shown.title}</b>
        <br />
        {children}
      </span>
      {mark}
    </button>
  );
}

function Picture({ of, alt }: { of: Shown; alt: string }) {
  const [failed, setFailed] = useState<string | null>(null);
  const source = failed === of.thumbnail ? of.fallback : of.thumbnail;
  return <img src={source} alt={alt} loading="lazy" onError={() => setFailed(of.thumbnail)} />;
}

interface ComparisonProps {
  readonly shown: Shown;
  /** The versions to compare it with, newest first; empty for the first version. */
  readonly older: readonly Shown[];
  readonly actions: ComponentChildren;
}

function Comparison({ shown, older, actions }: ComparisonProps) {
  const [against, setAgainst] = useState<string | null>(null);
  const before = older.find(({ key }) => key === against) ?? older[0] ?? null;
  const now = useLoad(shown.address, () => get<{ readonly document: TemplateDocument }>(shown.address));
  const was = useLoad(before?.address ?? null, () =>
    get<{ readonly document: TemplateDocument }>(before ? before.address : ''),
  );
  const error = now.error ?? was.error;
  const changes = now.data && was.data ? compareDocuments(was.data.document, now.data.document) : null;
  return (
    <section aria-label={shown.title}>
      <header class="page-head">
        <h2>{before ? `${before.title} → ${shown.id === null ? shown.title : shown.key}` : shown.title}</h2>
        <div class="page-actions">
          {before && older.length > 1 && (
            <SelectField
              label={texts.value.versions.comparedWith}
              hideLabel
              dense
              value={before.key}
              onChoose={setAgainst}
              options={older.map(({ key }) => ({ value: key, label: texts.value.versions.comparedVersion(key) }))}
            />
          )}
          {actions}
        </div>
      </header>
      {error && (
        <ErrorPanel
          error={error}
          onRetry={() => {
            now.reload();
            was.reload();
          }}
        />
      )}
      <div class="pair">
        {[before, shown].map(
          (one) =>
            one && (
              <figure key={one.key}>
                <div>
                  <Picture of={one} alt={one.title} />
                </div>
                <figcaption>
                  {one.title} {one.id && '· '}
                  {one.id && <code>{one.id}</code>}
                </figcaption>
              </figure>
            ),
        )}
      </div>
      {!before && <p class="muted">{texts.value.versions.isFirst}</p>}
      {before && !changes && !error && <Skeleton height={120} />}
      {changes?.length === 0 && <p class="muted">{texts.value.versions.noChanges}</p>}
      {changes?.map((change) => (
        <Change key={change.name ?? ''} change={change} />
      ))}
    </section>
  );
}

const TONES: Readonly<Record<LayerChange['kind'], Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'info',
  moved: 'neutral',
};

function Change({ change: { name, kind, type, properties } }: { change: LayerChange }) {
  return (
    <div class="change">
      <div class="change-head">
        <b>{name ?? texts.value.versions.theCanvas}</b>
        {name !== null && <span class="faint">{texts.value.layerTypes[type ?? ''] ?? type}</span>}
        <Badge tone={TONES[kind]}>{texts.value.changeKinds[kind]}</Badge>
      </div>
      {properties.length > 0 && (
        <dl>
          {properties.map(({ property, before, after }) => (
            <div key={property} style={{ display: 'contents' }}>
              <dt>{property}</dt>
              <dd>
                {before !== null && <del>{before}</del>} {after !== null && <ins>{after}</ins>}
                {after === null && <span class="faint"> {texts.value.versions.unset}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
