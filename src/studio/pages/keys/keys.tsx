// API keys and the account's secrets: name, kind, last four characters, last use; shown once; rotate, retire.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { keyRound, plus } from '../../parts/icons.ts';
import { PageSection } from '../../parts/section.tsx';
import { Badge, EmptyState, ErrorPanel, Note, Skeleton } from '../../parts/states.tsx';
import { buttonColumn, ListTable, timeColumn } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { ApiError, accountPath, get, post, remove } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Key, Secret } from '../../shell/contract.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import { useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { texts } from '../../texts/pages.ts';
import './secrets.css';

export default function Keys({ accountId }: PageProps) {
  const { query, route } = useLocation();
  const path = accountPath(accountId, 'keys');
  const list = useList<Key>(path);
  const [ending, setEnding] = useState<Key | null>(null);
  const here = `${STUDIO}/a/${accountId}/keys`;
  const mayEdit = mayDo(accountId, 'editor');
  const mayEnd = (key: Key) => key.revokedAt === null && mayDo(accountId, key.kind === 'live' ? 'owner' : 'editor');
  const soon = (list.items ?? []).filter((key) => !key.revokedAt && isWithin(key, WEEK) && !isWithin(key, 0));
  const open = () => route(`${here}?new=key`);
  return (
    <>
      <PageHead
        title={texts.value.keys.title}
        actions={
          mayEdit && (
            <Button look="main" icon={plus} onClick={open}>
              {texts.value.common.newKey}
            </Button>
          )
        }
      />
      {soon.length > 0 && <Note warn>{texts.value.keys.expireSoon(soon.map(nameOf).join(', '))}</Note>}
      <ListTable
        label={texts.value.keys.apiKeys}
        list={list}
        empty={
          <EmptyState
            icon={keyRound}
            title={texts.value.keys.noneYet}
            action={
              mayEdit && (
                <Button icon={plus} onClick={open}>
                  {texts.value.keys.createKey}
                </Button>
              )
            }
          >
            {texts.value.keys.intro}
          </EmptyState>
        }
        columns={[
          {
            header: texts.value.common.name,
            render: ({ name, revokedAt }) => (
              <span class={revokedAt ? 'faint' : 'cell-main'}>
                {name ?? <span class="faint">{texts.value.keys.noName}</span>}
              </span>
            ),
          },
          {
            header: texts.value.keys.key,
            width: '160px',
            render: ({ kind, lastFour }) => (
              <code class="muted">
                plt_{kind}_…{lastFour}
              </code>
            ),
          },
          {
            header: texts.value.common.kind,
            width: '160px',
            render: ({ kind, revokedAt, scope, expiresAt }) =>
              revokedAt || isWithin({ expiresAt }, 0) ? (
                <Badge>{revokedAt ? texts.value.keys.revoked : texts.value.keys.expired}</Badge>
              ) : (
                <div>
                  <Badge tone={kind === 'live' ? 'good' : 'info'}>
                    {kind === 'live' ? texts.value.keys.live : texts.value.keys.test}
                  </Badge>
                  {expiresAt && (
                    <div class="faint">
                      {texts.value.keys.expires} <Time at={expiresAt} />
                    </div>
                  )}
                  {scope && <div class="faint wraps">{scope.rights.join(', ')}</div>}
                  {scope?.templates && <div class="faint">{texts.value.templates.count(scope.templates.length)}</div>}
                </div>
              ),
          },
          timeColumn<Key>(texts.value.common.lastUsed, ({ lastUsedAt }) => lastUsedAt, {
            none: texts.value.keys.neverUsed,
          }),
          {
            header: texts.value.common.created,
            width: '230px',
            render: ({ createdAt, createdBy }) => (
              <span class="muted">
                <Time at={createdAt} />
                {createdBy && ` ${texts.value.common.by(createdBy.name)}`}
              </span>
            ),
          },
          buttonColumn<Key>(
            texts.value.common.revoke,
            '108px',
            (key) =>
              mayEnd(key) && (
                <Button
                  dense
                  look="danger"
                  aria-label={texts.value.keys.revokeNamed(key.name ?? key.lastFour)}
                  onClick={() => setEnding(key)}
                >
                  {texts.value.common.revoke}
                </Button>
              ),
          ),
        ]}
      />
      {mayDo(accountId, 'owner') && <Secrets accountId={accountId} />}
      {query.new && (
        <NewKey
          accountId={accountId}
          onClose={() => route(here, true)}
          onMade={({ key: _key, ...made }) => list.changeItems((items) => [made, ...items])}
        />
      )}
      {ending && (
        <ConfirmDialog
          title={texts.value.keys.revokeTitle(nameOf(ending))}
          action={texts.value.keys.revokeKey}
          isDanger
          onClose={() => setEnding(null)}
          onConfirm={async () => {
            await remove(`${path}/${ending.id}`);
            toast(texts.value.keys.keyRevoked(nameOf(ending)));
            list.reload();
          }}
        >
          {texts.value.keys.revokeNote}
        </ConfirmDialog>
      )}
    </>
  );
}

const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** Whether a key has expired so many ms from now. */
const isWithin = ({ expiresAt }: Pick<Key, 'expiresAt'>, ms: number) =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now() + ms;

/** Days until a new key expires; 0 = never. */
const LASTS = [0, 30, 90, 365];

/** What a new key may do; the command line also limits keys to other rights and to certain templates. */
const SCOPES = { all: null, render: ['render', 'screenshot'], read: ['read'] } as const;

interface NewKeyProps {
  readonly accountId: string;
  readonly onClose: () => void;
  readonly onMade: (key: Key & { readonly key: string }) => void;
}

function NewKey({ accountId, onClose, onMade }: NewKeyProps) {
  // Filled in beforehand, so that one click is enough.
  const [name, setName] = useState(texts.value.common.newKey);
  const [kind, setKind] = useState<'test' | 'live'>(mayDo(accountId, 'owner') ? 'live' : 'test');
  const [rights, setRights] = useState<keyof typeof SCOPES>('all');
  const [days, setDays] = useState(0);
  const [made, setMade] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  const make = async () => {
    const key = await post<Key & { key: string }>(accountPath(accountId, 'keys'), {
      name: name.trim(),
      kind,
      scope: SCOPES[rights] && { rights: SCOPES[rights], templates: null },
      expiresAt: days === 0 ? null : new Date(Date.now() + days * DAY).toISOString(),
    });
    setMade(key.key);
    onMade(key);
  };
  if (made)
    return (
      <Dialog
        title={texts.value.keys.newKey}
        onClose={onClose}
        foot={
          <Button look="main" onClick={onClose}>
            {texts.value.keys.isSaved}
          </Button>
        }
      >
        <Note warn>{texts.value.keys.copyNow}</Note>
        <CodeBlock line code={made} label={texts.value.keys.apiKey} />
        <p class="muted">{texts.value.keys.variableNote}</p>
        <CodeBlock line code={`export PLATEN_KEY=${made}`} label={texts.value.keys.variableCommand} />
      </Dialog>
    );
  return (
    <Dialog
      title={texts.value.common.newKey}
      onClose={onClose}
      onSubmit={() => void run(make)}
      submit={{ children: texts.value.keys.createTheKey, busy: isBusy, disabled: name.trim() === '' }}
    >
      <TextField
        label={texts.value.common.name}
        hint={texts.value.keys.nameHint}
        maxLength={100}
        autofocus
        onFocus={(event) => event.currentTarget.select()}
        value={name}
        onText={setName}
      />
      <SelectField
        label={texts.value.common.kind}
        value={kind}
        onChoose={(value) => setKind(value as 'test' | 'live')}
        options={[
          { value: 'live', label: texts.value.keys.liveHint, disabled: !mayDo(accountId, 'owner') },
          { value: 'test', label: texts.value.keys.testHint },
        ]}
      />
      <SelectField
        label={texts.value.keys.permissions}
        value={rights}
        onChoose={(value) => setRights(value as keyof typeof SCOPES)}
        options={Object.entries(texts.value.scopes).map(([value, label]) => ({ value, label }))}
      />
      <SelectField
        label={texts.value.keys.expires}
        value={String(days)}
        onChoose={(value) => setDays(Number(value))}
        options={LASTS.map((days) => ({ value: String(days), label: texts.value.keys.expiresAfter(days) }))}
      />
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}

const nameOf = ({ name, lastFour }: Key) => name ?? `…${lastFour}`;

/** The account's two secrets: for signing URLs and for signing webhooks. */
function Secrets({ accountId }: { accountId: string }) {
  const path = accountPath(accountId, 'secrets');
  const { data, error, reload } = useLoad(path, () => get<{ items: readonly Secret[] }>(path));
  const [shown, setShown] = useState<{ readonly title: string; readonly secret: string } | null>(null);
  const act = async ({ purpose }: Secret, action: 'show' | 'rotate' | 'retire') => {
    try {
      const answer = await post<{ secret?: string; retired?: number }>(`${path}/${purpose}/${action}`);
      if (answer.secret) setShown({ title: texts.value.secrets[purpose], secret: answer.secret });
      if (action === 'retire') toast(texts.value.keys.secretsRevoked(answer.retired ?? 0));
      if (action !== 'show') reload();
    } catch (err) {
      // The person cancelled the password prompt.
      if (!(err instanceof ApiError && err.code === 'password_needed')) toastError(err);
    }
  };
  return (
    <PageSection id="secrets" title={texts.value.keys.secrets} look="section-below">
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <Skeleton height={140} />}
      {data?.items.map((secret) => (
        <div key={secret.purpose} class="secret">
          <div>
            <h3>{texts.value.secrets[secret.purpose]}</h3>
            <p class="muted">{texts.value.aboutSecrets[secret.purpose]}</p>
            <p class="card-facts">
              <code>…{secret.lastFour}</code>, {texts.value.keys.madeAt} <Time at={secret.createdAt} />
              {secret.previous > 0 && `; ${texts.value.keys.stillAccepted(secret.previous)}`}
            </p>
          </div>
          <div class="page-actions">
            <Button
              dense
              onClick={() => void act(secret, 'show')}
              aria-label={texts.value.keys.showSecret(texts.value.secrets[secret.purpose])}
            >
              {texts.value.keys.show}
            </Button>
            <Button
              dense
              onClick={() => void act(secret, 'rotate')}
              aria-label={texts.value.keys.rotateSecret(texts.value.secrets[secret.purpose])}
            >
              {texts.value.keys.rotate}
            </Button>
            {secret.previous > 0 && (
              <Button dense look="danger" onClick={() => void act(secret, 'retire')}>
                {texts.value.keys.revokeOlderSecrets}
              </Button>
            )}
          </div>
        </div>
      ))}
      {shown && (
        <Dialog
          title={shown.title}
          onClose={() => setShown(null)}
          foot={
            <Button look="main" onClick={() => setShown(null)}>
              {texts.value.keys.close}
            </Button>
          }
        >
          <Note warn>{texts.value.keys.secretNote}</Note>
          <CodeBlock line code={shown.secret} label={shown.title} />
        </Dialog>
      )}
    </PageSection>
  );
}
