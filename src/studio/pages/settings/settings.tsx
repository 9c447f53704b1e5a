// The account's name, its plan, embedded editors, the server's address, the report of `platen doctor`, and the audit log.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { circleAlert, circleCheck, refreshCw, triangleAlert } from '../../parts/icons.ts';
import { ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, get, put } from '../../shell/api.ts';
import type { Settings as AccountSettings, Check } from '../../shell/contract.ts';
import { count, exactTime } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { loadSession, mayDo } from '../../shell/session.ts';
import { AuditLog } from './audit-log.tsx';
import { EmbeddedEditors } from './embedded-editors.tsx';
import './settings.css';

export default function Settings({ accountId }: PageProps) {
  const path = accountPath(accountId, 'settings');
  const { data, error, reload } = useLoad(path, () => get<AccountSettings>(path));
  const isOwner = mayDo(accountId, 'owner');
  return (
    <>
      <PageHead title="Settings" />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows />}
      {data && (
        <div class="settings">
          <AccountForm accountId={accountId} settings={data} disabled={!isOwner} onSaved={reload} />
          <section class="section" aria-labelledby="plan">
            <h2 id="plan">Plan</h2>
            <dl class="facts">
              <dt>Plan</dt>
              <dd>{data.plan.name}</dd>
              <dt>Monthly quota</dt>
              <dd>{data.plan.quota === null ? 'Unlimited' : `${count(data.plan.quota)} renders`}</dd>
              <dt>Over quota</dt>
              <dd>
                {data.plan.blocks ? 'Renders are refused until next month' : 'Renders continue and count as overage'}
              </dd>
              <dt>Since</dt>
              <dd>{exactTime(data.account.createdAt)}</dd>
            </dl>
          </section>
          <EmbeddedEditors accountId={accountId} disabled={!isOwner} />
          {isOwner && <Server accountId={accountId} settings={data} />}
          {isOwner && <AuditLog accountId={accountId} />}
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
  const [isBusy, setBusy] = useState(false);
  const isChanged = name !== (account.name ?? '') || email !== (account.email ?? '');
  const save = async () => {
    setBusy(true);
    try {
      await put(accountPath(accountId), { name, email: email.trim() || null });
      await loadSession();
      toast('Saved');
      onSaved();
    } catch (err) {
      toastError(err);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="section"
      aria-labelledby="account"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2 id="account">Account</h2>
      <div class="form-grid">
        <TextField label="Name" required disabled={disabled} value={name} onText={setName} />
        <TextField label="E-mail" type="email" disabled={disabled} value={email} onText={setEmail} />
      </div>
      {!disabled && (
        <div>
          <Button type="submit" busy={isBusy} disabled={!isChanged || name === ''}>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}

const ICONS = { ok: circleCheck, limited: triangleAlert, broken: circleAlert } as const;
const WORDS = { ok: 'OK', limited: 'Limited', broken: 'Broken' } as const;

function Server({ accountId, settings }: { accountId: string; settings: AccountSettings }) {
  const path = accountPath(accountId, 'settings', 'checks');
  const { data, error, isLoading, reload } = useLoad(path, () => get<{ checks: readonly Check[] }>(path));
  return (
    <section class="section" aria-labelledby="server">
      <header>
        <div>
          <h2 id="server">Server</h2>
          <p>
            Available at <code>{settings.address}</code>.
          </p>
        </div>
        <Button dense icon={refreshCw} busy={isLoading} onClick={reload}>
          Check again
        </Button>
      </header>
      {settings.insecure && <Note warn>{settings.insecure}</Note>}
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={5} />}
      <ul class="checks">
        {data?.checks.map(({ name, state, message }) => (
          <li key={name} class={`is-${state}`}>
            <Icon of={ICONS[state]} label={WORDS[state]} />
            <b>{name}</b>
            <span class="muted">{message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
