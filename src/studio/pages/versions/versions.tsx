// The versions of a template: list, two side by side, their differences; publish the draft, restore, copy a pinned id.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { copyText } from '../../parts/copy.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { copy, history, pencil, rotateCcw } from '../../parts/icons.ts';
import { Badge, EmptyState, ErrorPanel, Note, Skeleton, SkeletonRows, type Tone } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, call, get, post } from '../../shell/api.ts';
import type { TemplatePageProps } from '../../shell/app.tsx';
import type { Draft, TemplateDetail, Version, VersionDetail } from '../../shell/contract.ts';
import { useList } from '../../shell/list.ts';
import { forget, useLoad } from '../../shell/load.ts';
import { mayDo } from '../../shell/session.ts';
import { TemplateHead } from '../template-head.tsx';
import { compareDocuments, type LayerChange } from './compare.ts';
import './versions.css';

export default function Versions({ accountId, templateId }: TemplatePageProps) {
  const path = accountPath(accountId, 'templates', templateId);
  const template = useLoad(path, () => get<TemplateDetail>(path));
  const list = useList<Version>(`${path}/versions`);
  const [chosen, setChosen] = useState<number | null>(null);
  const [isPublishing, setPublishing] = useState(false);
  const mayEdit = mayDo(accountId, 'editor');
  const reload = () => {
    forget(path);
    template.reload();
    list.reload();
  };
  const restore = async ({ version }: Version) => {
    try {
      const made = await post<{ version: number }>(`${path}/versions/${version}/restore`, {
        note: `Version ${version} restored`,
      });
      toast(`Version ${version} is back, as version ${made.version}`);
      setChosen(null);
      reload();
    } catch (err) {
      toastError(err);
    }
  };
  const current = list.items?.find(({ version }) => version === chosen) ?? list.items?.[0];
  const error = template.error ?? list.error;
  return (
    <>
      <TemplateHead
        accountId={accountId}
        templateId={templateId}
        name={template.data?.name ?? null}
        page="versions"
        actions={
          mayEdit &&
          template.data?.draft && (
            <Button look="main" onClick={() => setPublishing(true)}>
              Publish the draft
            </Button>
          )
        }
      />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!list.items && !error && <SkeletonRows />}
      {list.items?.length === 0 && (
        <EmptyState
          icon={history}
          title="No versions yet"
          action={
            <ButtonLink look="main" icon={pencil} href={`/studio/a/${accountId}/templates/${templateId}/edit`}>
              Open the editor
            </ButtonLink>
          }
        >
          Publish to make version 1. Until then nobody can render this template.
        </EmptyState>
      )}
      {list.items && current && (
        <div class="versions">
          <div>
            <div class="version-list" role="group" aria-label="Versions">
              {list.items.map((one) => (
                <button
                  key={one.version}
                  type="button"
                  class="version"
                  aria-pressed={one.version === current.version}
                  onClick={() => setChosen(one.version)}
                >
                  <img src={one.thumbnail} alt="" loading="lazy" />
                  <span class="version-words">
                    <b>Version {one.version}</b>
                    <br />
                    <span class="card-facts">
                      <Time at={one.createdAt} /> by {one.author?.name ?? 'a key'}
                    </span>
                    {one.note && (
                      <span class="version-note truncate">
                        <br />
                        {one.note}
                      </span>
                    )}
                  </span>
                  {one.version === list.items?.[0]?.version && <Badge tone="good">Live</Badge>}
                </button>
              ))}
            </div>
            {list.hasMore && (
              <div class="table-more">
                <Button onClick={list.loadMore} busy={list.isLoadingMore}>
                  Show more
                </Button>
              </div>
            )}
          </div>
          <Comparison
            key={current.version}
            path={path}
            version={current}
            older={list.items.filter(({ version }) => version < current.version)}
            actions={
              <>
                <Button dense icon={copy} onClick={() => void copyText(current.id, `Copied ${current.id}`)}>
                  Copy id
                </Button>
                {mayEdit && current.version !== list.items[0]?.version && (
                  <Button dense icon={rotateCcw} onClick={() => void restore(current)}>
                    Restore
                  </Button>
                )}
              </>
            }
          />
        </div>
      )}
      {isPublishing && (
        <Publish
          path={path}
          onClose={() => setPublishing(false)}
          onDone={(version) => {
            setPublishing(false);
            toast(`Version ${version} is live`);
            reload();
          }}
        />
      )}
    </>
  );
}

interface ComparisonProps {
  readonly path: string;
  readonly version: Version;
  /** The versions to compare it with, newest first; empty for the first version. */
  readonly older: readonly Version[];
  readonly actions: ComponentChildren;
}

function Comparison({ path, version, older, actions }: ComparisonProps) {
  const [against, setAgainst] = useState<number | null>(null);
  const before = older.find((one) => one.version === against) ?? older[0] ?? null;
  const address = (one: Version) => `${path}/versions/${one.version}`;
  const now = useLoad(address(version), () => get<VersionDetail>(address(version)));
  const was = useLoad(before && address(before), () => get<VersionDetail>(before ? address(before) : ''));
  const error = now.error ?? was.error;
  const changes = now.data && was.data ? compareDocuments(was.data.document, now.data.document) : null;
  return (
    <section aria-label={`Version ${version.version}`}>
      <header class="page-head">
        <h2>{before ? `Version ${before.version} → ${version.version}` : `Version ${version.version}`}</h2>
        <div class="page-actions">
          {before && older.length > 1 && (
            <SelectField
              label="Compared with"
              hideLabel
              dense
              value={String(before.version)}
              onChoose={(value) => setAgainst(Number(value))}
              options={older.map((one) => ({
                value: String(one.version),
                label: `Compared with version ${one.version}`,
              }))}
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
        {[before, version].map(
          (one) =>
            one && (
              <figure key={one.version}>
                <div>
                  <img src={one.thumbnail} alt={`Version ${one.version}`} />
                </div>
                <figcaption>
                  Version {one.version} · <code>{one.id}</code>
                </figcaption>
              </figure>
            ),
        )}
      </div>
      {!before && <p class="muted">This is the first version: there is nothing to compare it with.</p>}
      {before && !changes && !error && <Skeleton height={120} />}
      {changes?.length === 0 && <p class="muted">Nothing changed between them.</p>}
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
        <b>{name ?? 'The canvas'}</b>
        {name !== null && <span class="faint">{type}</span>}
        <Badge tone={TONES[kind]}>{kind}</Badge>
      </div>
      {properties.length > 0 && (
        <dl>
          {properties.map(({ property, before, after }) => (
            <div key={property} style={{ display: 'contents' }}>
              <dt>{property}</dt>
              <dd>
                {before !== null && <del>{before}</del>} {after !== null && <ins>{after}</ins>}
                {after === null && <span class="faint"> unset</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

interface PublishProps {
  readonly path: string;
  readonly onClose: () => void;
  readonly onDone: (version: number) => void;
}

function Publish({ path, onClose, onDone }: PublishProps) {
  const [note, setNote] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const publish = async () => {
    setBusy(true);
    setError(null);
    try {
      const { revision } = await get<Draft>(`${path}/draft`);
      const { version } = await call<{ version: number }>('POST', `${path}/publish`, {
        body: note === '' ? {} : { note },
        headers: { 'if-match': `"${revision}"` },
      });
      onDone(version);
    } catch (err) {
      setError(err instanceof Error ? err : new Error(String(err)));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Publish the draft"
      onClose={onClose}
      onSubmit={() => void publish()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={isBusy}>
            Publish
          </Button>
        </>
      }
    >
      <Note>Whoever renders this template by its plain id gets the new version from then on.</Note>
      <TextField label="What changed (optional)" maxLength={500} autofocus value={note} onText={setNote} />
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}
