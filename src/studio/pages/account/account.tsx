// The person's own account: name, password and sessions.

import { useState } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.tsx';
import { Ending } from '../../parts/ending.tsx';
import { TextField } from '../../parts/field.tsx';
import { PageSection } from '../../parts/section.tsx';
import { Badge, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { buttonColumn, Table, timeColumn } from '../../parts/table.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { apiPath, get, put, remove } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Me, OwnSession, Passkey } from '../../shell/contract.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useLoad } from '../../shell/load.ts';
import { goToProvider } from '../../shell/provider.ts';
import { loadSession, session } from '../../shell/session.ts';
import '../settings/settings.css';
import { submits, useAction } from '../../parts/action.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { fingerprint, pencil, trash2 } from '../../parts/icons.ts';
import { addPasskey, noPasskeys } from '../../shell/passkeys.ts';
import { texts } from '../../texts/pages.ts';
import { texts as shell } from '../../texts/shell.ts';

export default function Account() {
  const { data, error, reload } = useLoad('me', () => get<Me>(apiPath('me')));
  return (
    <>
      <PageHead title={shell.value.common.yourAccount} />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows />}
      {data && (
        <div class="settings">
          {session.value?.accounts.length === 0 && <Note warn>{texts.value.account.noAccounts}</Note>}
          <Profile person={data} />
          {session.value?.provider && !data.emailVerified && <Connect provider={session.value.provider.name} />}
          <Password hasOne={session.value?.confirmBy.includes('password') ?? true} />
          <Passkeys />
          <Sessions />
          <PageSection id="ending" title={texts.value.ending.titleYou}>
            <Ending of="you" path={apiPath('me')} name={data.email} isSuspended={null} onChanged={reload} />
          </PageSection>
        </div>
      )}
    </>
  );
}

function Profile({ person }: { person: Me }) {
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email);
  const provider = session.value?.provider;
  const save = async () => {
    await put(apiPath('me'), { name, email });
    await loadSession();
    toast(texts.value.common.saved);
  };
  return (
    <form class="section" aria-labelledby="profile" onSubmit={submits(() => void save().catch(toastError))}>
      <h2 id="profile">{texts.value.account.nameAndEmail}</h2>
      <div class="form-grid">
        <TextField label={texts.value.common.name} autocomplete="name" required value={name} onText={setName} />
        <TextField
          label={shell.value.common.email}
          type="email"
          autocomplete="username"
          required
          readOnly={provider != null}
          hint={provider ? texts.value.account.knowsAddress(provider.name) : undefined}
          value={email}
          onText={setEmail}
        />
      </div>
      <div>
        <Button type="submit" disabled={name === '' || email === ''}>
          {texts.value.common.save}
        </Button>
      </div>
    </form>
  );
}

/** For a person whose address the identity provider has not confirmed yet, and by whom it signs nobody in until then. */
function Connect({ provider }: { provider: string }) {
  const connect = () => goToProvider(`${STUDIO}/account`, false).catch(toastError);
  return (
    <PageSection id="connect" title={provider}>
      <p>{texts.value.account.addressNotConfirmed(provider)}</p>
      <div>
        <Button onClick={() => void connect()}>{texts.value.account.connect(provider)}</Button>
      </div>
    </PageSection>
  );
}

/**
 * @param hasOne false for a person without a password (who signed in by passkey or identity provider): no current one
 *   is asked for
 */
function Password({ hasOne }: { hasOne: boolean }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const least = session.value?.minPassword ?? 12;
  const save = async () => {
    await put(apiPath('me', 'password'), hasOne ? { current, password } : { password });
    setCurrent('');
    setPassword('');
    await loadSession();
    toast(hasOne ? texts.value.account.passwordChanged : texts.value.account.passwordSet);
  };
  return (
    <form class="section" aria-labelledby="password" onSubmit={submits(() => void save().catch(toastError))}>
      <h2 id="password">{shell.value.common.password}</h2>
      <div class="form-grid">
        {hasOne && (
          <TextField
            label={texts.value.account.currentPassword}
            type="password"
            autocomplete="current-password"
            value={current}
            onText={setCurrent}
          />
        )}
        <TextField
          label={shell.value.signIn.newPassword}
          hint={texts.value.account.passwordHint(least)}
          type="password"
          autocomplete="new-password"
          value={password}
          onText={setPassword}
        />
      </div>
      <div>
        <Button type="submit" disabled={(hasOne && current === '') || [...password].length < least}>
          {hasOne ? texts.value.account.changePassword : texts.value.account.setPassword}
        </Button>
      </div>
    </form>
  );
}

function Sessions() {
  const path = apiPath('me', 'sessions');
  const { data, error, reload } = useLoad(path, () => get<{ items: readonly OwnSession[] }>(path));
  const end = async (id: string | null) => {
    await remove(id === null ? path : `${path}/${id}`);
    reload();
  };
  return (
    <PageSection
      id="sessions"
      title={texts.value.account.sessions}
      actions={
        (data?.items.length ?? 0) > 1 && (
          <Button dense onClick={() => void end(null).catch(toastError)}>
            {texts.value.account.signOutElsewhere}
          </Button>
        )
      }
    >
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={2} />}
      {data && (
        <Table
          label={texts.value.account.sessions}
          rows={data.items}
          rowKey={({ id }) => id}
          columns={[
            {
              header: texts.value.account.browser,
              render: ({ agent, isCurrent }) => (
                <>
                  <span title={agent ?? ''}>{browserName(agent)}</span>{' '}
                  {isCurrent && <Badge tone="good">{texts.value.account.thisBrowser}</Badge>}
                </>
              ),
            },
            {
              header: texts.value.account.address,
              width: '160px',
              render: ({ address }) => <span class="muted">{address}</span>,
            },
            timeColumn<OwnSession>(texts.value.common.lastUsed, ({ lastUsedAt }) => lastUsedAt),
            buttonColumn<OwnSession>(
              texts.value.account.signOut,
              '96px',
              ({ id, isCurrent }) =>
                !isCurrent && (
                  <Button dense look="danger" onClick={() => void end(id).catch(toastError)}>
                    {texts.value.account.signOut}
                  </Button>
                ),
            ),
          ]}
        />
      )}
    </PageSection>
  );
}

/** Turns a User-Agent into a name such as `Firefox on Linux`. */
function browserName(agent: string | null): string {
  const text = agent ?? '';
  const browser = /Edg\//.test(text)
    ? 'Edge'
    : (/(Firefox|Chrome|HeadlessChrome|Safari)\//.exec(text)?.[1]?.replace('Headless', '') ??
      texts.value.account.unknownBrowser);
  const system = /(Windows|Mac OS|iPhone|iPad|Android|Linux)/.exec(text)?.[1];
  return system ? texts.value.account.browserOn(browser, system === 'Mac OS' ? 'macOS' : system) : browser;
}

/** The person's passkeys: add, rename, remove. */
function Passkeys() {
  const path = apiPath('me', 'passkeys');
  const { data, error, reload } = useLoad(path, () => get<{ items: readonly Passkey[] }>(path));
  // The dialog shown: for a new passkey, or to rename one.
  const [naming, setNaming] = useState<Passkey | 'new' | null>(null);
  const problem = noPasskeys();
  const changed = () => {
    reload();
    // The session lists the ways that the password prompt offers.
    void loadSession();
  };
  const drop = async ({ id }: Passkey) => {
    await remove(`${path}/${id}`);
    toast(texts.value.account.passkeyRemoved);
    changed();
  };
  return (
    <PageSection
      id="passkeys"
      title={texts.value.account.passkeys}
      intro={texts.value.account.passkeysIntro}
      actions={
        !problem &&
        (data?.items.length ?? 0) > 0 && (
          <Button dense icon={fingerprint} onClick={() => setNaming('new')}>
            {texts.value.account.addPasskey}
          </Button>
        )
      }
    >
      {problem && <Note>{problem}</Note>}
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={1} />}
      {data?.items.length === 0 && !problem && (
        <div>
          <Button icon={fingerprint} onClick={() => setNaming('new')}>
            {texts.value.account.addPasskey}
          </Button>
        </div>
      )}
      {data && data.items.length > 0 && (
        <Table
          label={texts.value.account.passkeys}
          rows={data.items}
          rowKey={({ id }) => id}
          columns={[
            { header: texts.value.common.name, render: ({ name }) => name },
            {
              header: texts.value.account.website,
              width: '200px',
              render: ({ host }) => <span class="muted truncate">{host}</span>,
            },
            timeColumn<Passkey>(texts.value.common.lastUsed, ({ lastUsedAt }) => lastUsedAt, {
              none: texts.value.common.never,
            }),
            buttonColumn<Passkey>(texts.value.common.actions, '88px', (passkey) => (
              <>
                <IconButton
                  dense
                  icon={pencil}
                  label={texts.value.account.renameNamed(passkey.name)}
                  onClick={() => setNaming(passkey)}
                />
                <IconButton
                  dense
                  icon={trash2}
                  label={texts.value.common.removeNamed(passkey.name)}
                  onClick={() => void drop(passkey).catch(toastError)}
                />
              </>
            )),
          ]}
        />
      )}
      {naming && (
        <NameDialog
          passkey={naming === 'new' ? null : naming}
          onClose={() => setNaming(null)}
          onDone={() => {
            setNaming(null);
            changed();
          }}
        />
      )}
    </PageSection>
  );
}

interface NameDialogProps {
  /** null: a new passkey is added. */
  readonly passkey: Passkey | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function NameDialog({ passkey, onClose, onDone }: NameDialogProps) {
  const [name, setName] = useState(passkey?.name ?? '');
  const { isBusy, error, run } = useAction();
  const save = async () => {
    if (passkey) await put(apiPath('me', 'passkeys', passkey.id), { name });
    else await addPasskey(name);
    toast(passkey ? texts.value.account.passkeyRenamed : texts.value.account.passkeyAdded);
    onDone();
  };
  return (
    <Dialog
      title={passkey ? texts.value.account.renamePasskey : texts.value.account.addPasskey}
      onClose={onClose}
      onSubmit={() => void run(save)}
      submit={{
        children: passkey ? texts.value.common.save : shell.value.frame.continue,
        busy: isBusy,
        disabled: name.trim() === '',
      }}
    >
      <TextField
        label={texts.value.common.name}
        hint={passkey ? undefined : texts.value.account.passkeyNameHint}
        autofocus
        required
        maxLength={100}
        value={name}
        error={error?.message ?? null}
        onText={setName}
      />
    </Dialog>
  );
}
