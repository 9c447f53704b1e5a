// The account's name, its plan, embedded editors, the server's address, the report of `platen doctor`, and the audit log.

import { useState } from 'preact/hooks';
import { submits, useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Ending } from '../../parts/ending.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { circleAlert, circleCheck, refreshCw, triangleAlert } from '../../parts/icons.ts';
import { Fact, PageSection } from '../../parts/section.tsx';
import { ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, get, post, put } from '../../shell/api.ts';
import type { Settings as AccountSettings, AuditEntry, Check, Member } from '../../shell/contract.ts';
import { exactTime } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { loadSession, mayDo } from '../../shell/session.ts';
import './settings.css';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { ListTable, timeColumn } from '../../parts/table.tsx';
import { BASE } from '../../shell/base.ts';
import { useList } from '../../shell/list.ts';
import { texts } from '../../texts/pages.ts';

export default function Settings({ accountId }: PageProps) {
  const path = accountPath(accountId, 'settings');
  const { data, error, reload } = useLoad(path, () => get<AccountSettings>(path));
  const isOwner = mayDo(accountId, 'owner');
  const suspendedBy = data?.account.suspendedBy ?? null;
  const words = texts.value.settings;
  return (
    <>
      <PageHead title={texts.value.settings.settings} />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows />}
      {data && (
        <div class="settings">
          {suspendedBy && <Note warn>{texts.value.endingState[suspendedBy]}</Note>}
          {!suspendedBy && <AccountForm accountId={accountId} settings={data} disabled={!isOwner} onSaved={reload} />}
          <PageSection id="plan" title={texts.value.settings.plan}>
            <dl class="facts">
              <Fact term={words.plan}>{data.plan.name}</Fact>
              <Fact term={words.monthlyQuota}>
                {data.plan.quota === null ? words.unlimited : words.renders(data.plan.quota)}
              </Fact>
              <Fact term={words.overQuota}>{data.plan.blocks ? words.overQuotaRefused : words.overQuotaCounted}</Fact>
              <Fact term={words.since}>{exactTime(data.account.createdAt)}</Fact>
            </dl>
          </PageSection>
          {!suspendedBy && <EmbeddedEditors accountId={accountId} disabled={!isOwner} />}
          {isOwner && !suspendedBy && <Server accountId={accountId} settings={data} />}
          {isOwner && !suspendedBy && <AuditLog accountId={accountId} />}
          {isOwner && (
            <PageSection id="ending" title={texts.value.ending.title}>
              <Ending
                of="account"
                path={accountPath(accountId)}
                name={data.account.name ?? data.account.email ?? accountId}
                isSuspended={suspendedBy !== null}
                mayResume={suspendedBy === 'owner'}
                onChanged={reload}
              />
            </PageSection>
          )}
        </div>
      )}
    </>
  );
}

interface AccountFormProps {
  readonly accountId: string;
  readonly settings: AccountSettings;
  readonly disabled: boolean;
  readonly onSaved: () => void;
}

function AccountForm({ accountId, settings: { account }, disabled, onSaved }: AccountFormProps) {
  const [name, setName] = useState(account.name ?? '');
  const [email, setEmail] = useState(account.email ?? '');
  const { isBusy, run } = useAction(toastError);
  const isChanged = name !== (account.name ?? '') || email !== (account.email ?? '');
  const save = async () => {
    await put(accountPath(accountId), { name, email: email.trim() || null });
    await loadSession();
    toast(texts.value.common.saved);
    onSaved();
  };
  return (
    <form class="section" aria-labelledby="account" onSubmit={submits(() => void run(save))}>
      <h2 id="account">{texts.value.settings.account}</h2>
      <div class="form-grid">
        <TextField label={texts.value.common.name} required disabled={disabled} value={name} onText={setName} />
        <TextField label={texts.value.common.email} type="email" disabled={disabled} value={email} onText={setEmail} />
      </div>
      {!disabled && (
        <div>
          <Button type="submit" busy={isBusy} disabled={!isChanged || name === ''}>
            {texts.value.common.save}
          </Button>
        </div>
      )}
    </form>
  );
}

const ICONS = { ok: circleCheck, limited: triangleAlert, broken: circleAlert } as const;

function Server({ accountId, settings }: { accountId: string; settings: AccountSettings }) {
  const path = accountPath(accountId, 'settings', 'checks');
  const { data, error, isLoading, reload } = useLoad(path, () => get<{ checks: readonly Check[] }>(path));
  return (
    <PageSection
      id="server"
      title={texts.value.settings.server}
      intro={
        <>
          {texts.value.settings.availableAt} <code>{settings.address}</code>.
        </>
      }
      actions={
        <Button dense icon={refreshCw} busy={isLoading} onClick={reload}>
          {texts.value.settings.checkAgain}
        </Button>
      }
    >
      {settings.insecure && <Note warn>{settings.insecure}</Note>}
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={5} />}
      <ul class="checks">
        {data?.checks.map(({ name, state, message }) => (
          <li key={name} class={`is-${state}`}>
            <Icon of={ICONS[state]} label={texts.value.checks[state]} />
            <b>{name}</b>
            <span class="muted">{message}</span>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}

// Who did what in the account, newest first, by person and by action.

const wordsFor = (action: AuditEntry['action']) =>
  (texts.value.auditActions as Readonly<Record<string, string>>)[action] ?? action;

const nameOf = ({ kind, name }: AuditEntry['actor']) =>
  kind === 'key' ? texts.value.settings.key(name ?? '') : (name ?? texts.value.actors[kind]);

function AuditLog({ accountId }: { accountId: string }) {
  const [actor, setActor] = useState('');
  const [action, setAction] = useState('');
  const list = useList<AuditEntry>(accountPath(accountId, 'audit'), { actor, action });
  const people = accountPath(accountId, 'people');
  const { data } = useLoad(people, () => get<{ people: readonly Member[] }>(people));
  return (
    <PageSection id="audit" title={texts.value.settings.auditLog}>
      <div class="bar">
        <SelectField
          label={texts.value.settings.who}
          hideLabel
          value={actor}
          onChoose={setActor}
          options={[
            { value: '', label: texts.value.settings.anyone },
            ...(data?.people ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <SelectField
          label={texts.value.settings.what}
          hideLabel
          value={action}
          onChoose={setAction}
          options={[
            { value: '', label: texts.value.settings.anyAction },
            ...Object.entries(texts.value.auditActions).map(([value, label]) => ({ value, label })),
          ]}
        />
      </div>
      <ListTable
        label={texts.value.settings.auditLog}
        list={list}
        empty={<p class="muted">{texts.value.settings.auditEmpty}</p>}
        columns={[
          { header: texts.value.settings.who, width: '25%', render: (row) => <span>{nameOf(row.actor)}</span> },
          { header: texts.value.settings.action, width: '25%', render: (row) => wordsFor(row.action) },
          {
            header: texts.value.settings.subject,
            render: ({ subject, detail }) => (
              <span class="truncate">
                {subject.name ?? subject.id} {detail && <span class="muted">{detail}</span>}
              </span>
            ),
          },
          timeColumn<AuditEntry>(texts.value.common.when, ({ createdAt }) => createdAt, { align: 'end' }),
        ]}
      />
    </PageSection>
  );
}

// Which sites may show the account's editor in their pages, and the revocation of their tokens.

interface Embedding {
  readonly origins: readonly string[];
}

function EmbeddedEditors({ accountId, disabled }: { readonly accountId: string; readonly disabled: boolean }) {
  const path = accountPath(accountId, 'embedding');
  const { data, error, reload } = useLoad(path, () => get<Embedding>(path));
  const [origin, setOrigin] = useState('');
  const [user, setUser] = useState('');
  const [isAsking, setAsking] = useState(false);
  const origins = data?.origins ?? [];
  const save = async (next: readonly string[]) => {
    await put(path, { origins: next });
    setOrigin('');
    toast(texts.value.common.saved);
    reload();
  };
  const revoke = async () => {
    await post(`${path}/revoke`, user.trim() === '' ? {} : { user: user.trim() });
    toast(user.trim() === '' ? texts.value.settings.allTokensRevoked : texts.value.settings.tokensRevoked(user.trim()));
    setUser('');
  };
  return (
    <PageSection id="embedding" title={texts.value.settings.embeddedEditors}>
      <p class="muted">
        {texts.value.settings.embeddingIntro} <a href={`${BASE}/docs/embedding`}>{texts.value.settings.howToEmbed}</a>
      </p>
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={2} />}
      {data && origins.length === 0 && <p>{texts.value.settings.noOrigins}</p>}
      <ul class="origins">
        {origins.map((one) => (
          <li key={one}>
            <code>{one}</code>
            {!disabled && (
              <Button
                dense
                look="quiet"
                aria-label={texts.value.settings.removeNamed(one)}
                onClick={() => void save(origins.filter((other) => other !== one)).catch(toastError)}
              >
                {texts.value.common.remove}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!disabled && (
        <>
          <form class="form-row" onSubmit={submits(() => void save([...origins, origin.trim()]).catch(toastError))}>
            <TextField
              label={texts.value.settings.origin}
              placeholder="https://app.example.com"
              value={origin}
              onText={setOrigin}
            />
            <Button type="submit" disabled={origin.trim() === '' || !data}>
              {texts.value.settings.add}
            </Button>
          </form>
          <form class="form-row" onSubmit={submits(() => setAsking(true))}>
            <TextField
              label={texts.value.settings.revokeTokensOfUser}
              placeholder={texts.value.settings.userIdHint}
              maxLength={200}
              value={user}
              onText={setUser}
            />
            <Button type="submit">{texts.value.common.revoke}</Button>
          </form>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={user.trim() === '' ? texts.value.settings.askRevokeAll : texts.value.settings.askRevoke(user.trim())}
          action={texts.value.common.revoke}
          onConfirm={revoke}
          onClose={() => setAsking(false)}
        >
          {texts.value.settings.revokeTokensNote}
        </ConfirmDialog>
      )}
    </PageSection>
  );
}
