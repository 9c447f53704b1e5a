// The person's own account: name, password and sessions.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Badge, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { apiPath, get, put, remove } from '../../shell/api.ts';
import type { OwnSession, Person } from '../../shell/contract.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useLoad } from '../../shell/load.ts';
import { loadSession, session } from '../../shell/session.ts';
import { Passkeys } from './passkeys.tsx';
import '../settings/settings.css';

export default function Account() {
  const { data, error, reload } = useLoad('me', () => get<Person>(apiPath('me')));
  return (
    <>
      <PageHead title="Your account" />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows />}
      {data && (
        <div class="settings">
          {session.value?.accounts.length === 0 && (
            <Note warn>You belong to no account any more. Ask an owner for an invitation.</Note>
          )}
          <Profile person={data} />
          <Password hasOne={session.value?.confirmBy.includes('password') ?? true} />
          <Passkeys />
          <Sessions />
        </div>
      )}
    </>
  );
}

function Profile({ person }: { person: Person }) {
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email);
  const provider = session.value?.provider;
  const save = async () => {
    try {
      await put(apiPath('me'), { name, email });
      await loadSession();
      toast('Saved');
    } catch (err) {
      toastError(err);
    }
  };
  return (
    <form
      class="section"
      aria-labelledby="profile"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2 id="profile">Name and e-mail</h2>
      <div class="form-grid">
        <TextField label="Name" autocomplete="name" required value={name} onText={setName} />
        <TextField
          label="E-mail"
          type="email"
          autocomplete="username"
          required
          readOnly={provider != null}
          hint={provider ? `${provider.name} knows you by it.` : undefined}
          value={email}
          onText={setEmail}
        />
      </div>
      <div>
        <Button type="submit" disabled={name === '' || email === ''}>
          Save
        </Button>
      </div>
    </form>
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
    try {
      await put(apiPath('me', 'password'), hasOne ? { current, password } : { password });
      setCurrent('');
      setPassword('');
      await loadSession();
      toast(`The password was ${hasOne ? 'changed' : 'set'}; all other sessions have ended`);
    } catch (err) {
      toastError(err);
    }
  };
  return (
    <form
      class="section"
      aria-labelledby="password"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2 id="password">Password</h2>
      <div class="form-grid">
        {hasOne && (
          <TextField
            label="Present password"
            type="password"
            autocomplete="current-password"
            value={current}
            onText={setCurrent}
          />
        )}
        <TextField
          label="New password"
          hint={`At least ${least} characters.`}
          type="password"
          autocomplete="new-password"
          value={password}
          onText={setPassword}
        />
      </div>
      <div>
        <Button type="submit" disabled={(hasOne && current === '') || [...password].length < least}>
          {hasOne ? 'Change the password' : 'Set a password'}
        </Button>
      </div>
    </form>
  );
}

function Sessions() {
  const path = apiPath('me', 'sessions');
  const { data, error, reload } = useLoad(path, () => get<{ items: readonly OwnSession[] }>(path));
  const end = async (id: string | null) => {
    try {
      await remove(id === null ? path : `${path}/${id}`);
      reload();
    } catch (err) {
      toastError(err);
    }
  };
  return (
    <section class="section" aria-labelledby="sessions">
      <header>
        <h2 id="sessions">Sessions</h2>
        {(data?.items.length ?? 0) > 1 && (
          <Button dense onClick={() => void end(null)}>
            End all others
          </Button>
        )}
      </header>
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={2} />}
      {data && (
        <Table
          label="Sessions"
          rows={data.items}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'where',
              header: 'Browser',
              render: ({ agent, isCurrent }) => (
                <>
                  <span title={agent ?? ''}>{browserName(agent)}</span>{' '}
                  {isCurrent && <Badge tone="good">This one</Badge>}
                </>
              ),
            },
            {
              key: 'address',
              header: 'Address',
              width: '160px',
              render: ({ address }) => <span class="muted">{address}</span>,
            },
            {
              key: 'used',
              header: 'Last used',
              width: '120px',
              render: ({ lastUsedAt }) => (
                <span class="muted">
                  <Time at={lastUsedAt} />
                </span>
              ),
            },
            {
              key: 'end',
              header: 'End',
              hideHeader: true,
              width: '80px',
              align: 'end',
              render: ({ id, isCurrent }) =>
                !isCurrent && (
                  <Button dense look="danger" onClick={() => void end(id)}>
                    End
                  </Button>
                ),
            },
          ]}
        />
      )}
    </section>
  );
}

/** Turns a User-Agent into a name such as `Firefox on Linux`. */
function browserName(agent: string | null): string {
  const text = agent ?? '';
  const browser = /Edg\//.test(text)
    ? 'Edge'
    : (/(Firefox|Chrome|HeadlessChrome|Safari)\//.exec(text)?.[1]?.replace('Headless', '') ?? 'A browser');
  const system = /(Windows|Mac OS|iPhone|iPad|Android|Linux)/.exec(text)?.[1];
  return system ? `${browser} on ${system === 'Mac OS' ? 'macOS' : system}` : browser;
}
