// The account's name, its plan, embedded editors, the server's address, the report of `platen doctor`, and the audit log.

import { useState } from 'preact/hooks';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Ending } from '../../parts/ending.tsx';
import { TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { circleAlert, circleCheck, refreshCw, triangleAlert } from '../../parts/icons.ts';
import { ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, get, put } from '../../shell/api.ts';
import type { Settings as AccountSettings, Check } from '../../shell/contract.ts';
import { exactTime } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { loadSession, mayDo } from '../../shell/session.ts';
import { AuditLog } from './audit-log.tsx';
import { EmbeddedEditors } from './embedded-editors.tsx';
import './settings.css';
import { texts } from '../../texts/pages.ts';

export default function Settings({ accountId }: PageProps) {
  const path = accountPath(accountId, 'settings');
  const { data, error, reload } = useLoad(path, () => get<AccountSettings>(path));
  const isOwner = mayDo(accountId, 'owner');
  const suspendedBy = data?.account.suspendedBy ?? null;
  return (
    <>
      <PageHead title={texts.value.settings.settings} />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows />}
      {data && (
        <div class="settings">
          {suspendedBy && <Note warn>{texts.value.endingState[suspendedBy]}</Note>}
          {!suspendedBy && <AccountForm accountId={accountId} settings={data} disabled={!isOwner} onSaved={reload} />}
          <section class="section" aria-labelledby="plan">
            <h2 id="plan">{texts.value.settings.plan}</h2>
            <dl class="facts">
              <dt>{texts.value.settings.plan}</dt>
              <dd>{data.plan.name}</dd>
              <dt>{texts.value.settings.monthlyQuota}</dt>
              <dd>
                {data.plan.quota === null
                  ? texts.value.settings.unlimited
                  : texts.value.settings.renders(data.plan.quota)}
              </dd>
              <dt>{texts.value.settings.overQuota}</dt>
              <dd>
                {data.plan.blocks
                  ? texts.value.settings.rendersRefusedUntil
                  : texts.value.settings.rendersContinueCount}
              </dd>
              <dt>{texts.value.settings.since}</dt>
              <dd>{exactTime(data.account.createdAt)}</dd>
            </dl>
          </section>
          {!suspendedBy && <EmbeddedEditors accountId={accountId} disabled={!isOwner} />}
          {isOwner && !suspendedBy && <Server accountId={accountId} settings={data} />}
          {isOwner && !suspendedBy && <AuditLog accountId={accountId} />}
          {isOwner && (
            <section class="section" aria-labelledby="ending">
              <h2 id="ending">{texts.value.ending.title}</h2>
              <Ending
                of="account"
                path={accountPath(accountId)}
                name={data.account.name ?? data.account.email ?? accountId}
                isSuspended={suspendedBy !== null}
                mayResume={suspendedBy === 'owner'}
                onChanged={reload}
              />
            </section>
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
    <form
      class="section"
      aria-labelledby="account"
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
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
    <section class="section" aria-labelledby="server">
      <header>
        <div>
          <h2 id="server">{texts.value.settings.server}</h2>
          <p>
            {texts.value.settings.availableAt} <code>{settings.address}</code>.
          </p>
        </div>
        <Button dense icon={refreshCw} busy={isLoading} onClick={reload}>
          {texts.value.settings.checkAgain}
        </Button>
      </header>
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
    </section>
  );
}
