// The members of an account with their roles; invitations by link.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { userPlus } from '../../parts/icons.ts';
import { Badge, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, get, post, put, remove } from '../../shell/api.ts';
import type { Invitation, Member, Role } from '../../shell/contract.ts';
import { PageHead } from '../../shell/frame.tsx';
import { Initials } from '../../shell/initials.tsx';
import { useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { loadSession, mayDo, session } from '../../shell/session.ts';
import './people.css';

const ROLES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'owner', label: 'Owner' },
  { value: 'editor', label: 'Editor' },
  { value: 'viewer', label: 'Viewer' },
];
const labelOf = (role: Role) => ROLES.find(({ value }) => value === role)?.label ?? role;
const ABOUT_ROLES: Readonly<Record<Role, string>> = {
  owner: 'Full access, including people, live keys, secrets and settings.',
  editor: 'Can edit templates, images and fonts, and create test keys.',
  viewer: 'Can view everything, but change nothing.',
};

export default function People({ accountId }: PageProps) {
  const path = accountPath(accountId, 'people');
  const { data, error, reload } = useLoad(path, () =>
    get<{ people: readonly Member[]; invitations: readonly Invitation[] }>(path),
  );
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  const isOwner = mayDo(accountId, 'owner');
  const act = async (action: () => Promise<unknown>, done: string) => {
    try {
      await action();
      toast(done);
      // The person's own role may have changed.
      await loadSession();
    } catch (err) {
      toastError(err);
    }
    reload();
  };
  return (
    <>
      <PageHead
        title="People"
        actions={
          isOwner && (
            <Button look="main" icon={userPlus} onClick={() => setInviting(true)}>
              Invite
            </Button>
          )
        }
      />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows />}
      {data && (
        <Table
          label="People"
          rows={data.people}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'name',
              header: 'Name',
              render: ({ name, email, isYou }) => (
                <span class="person">
                  <Initials name={name} />
                  <span class="cell-main">{name}</span>
                  {isYou && <Badge>You</Badge>}
                  <span class="muted truncate" title={email}>
                    {email}
                  </span>
                </span>
              ),
            },
            {
              key: 'role',
              header: 'Role',
              width: '140px',
              render: (member) =>
                isOwner ? (
                  <SelectField
                    label={`Role of ${member.name}`}
                    hideLabel
                    dense
                    value={member.role}
                    options={ROLES}
                    onChoose={(role) =>
                      void act(() => put(`${path}/${member.id}`, { role }), `${member.name} is now ${role}`)
                    }
                  />
                ) : (
                  labelOf(member.role)
                ),
            },
            {
              key: 'seen',
              header: 'Last seen',
              width: '140px',
              render: ({ lastSeenAt }) => <span class="muted">{lastSeenAt ? <Time at={lastSeenAt} /> : 'Never'}</span>,
            },
            {
              key: 'remove',
              header: 'Remove',
              hideHeader: true,
              width: '110px',
              align: 'end',
              render: (member) =>
                (isOwner || member.isYou) && (
                  <Button
                    dense
                    look="danger"
                    aria-label={member.isYou ? 'Leave this account' : `Remove ${member.name}`}
                    onClick={() => setRemoving(member)}
                  >
                    {member.isYou ? 'Leave' : 'Remove'}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {data && data.invitations.length > 0 && (
        <section class="section-below" aria-labelledby="invitations">
          <h2 id="invitations">Invitations</h2>
          <Table
            label="Invitations"
            rows={data.invitations}
            rowKey={({ id }) => id}
            columns={[
              { key: 'for', header: 'For', render: ({ email }) => email ?? 'Anyone with the link' },
              { key: 'role', header: 'Role', width: '140px', render: ({ role }) => labelOf(role) },
              {
                key: 'until',
                header: 'Expires',
                width: '140px',
                render: ({ expiresAt }) => <Time at={expiresAt} />,
              },
              {
                key: 'end',
                header: 'Revoke',
                hideHeader: true,
                width: '110px',
                align: 'end',
                render: ({ id }) => (
                  <Button
                    dense
                    look="danger"
                    onClick={() => void act(() => remove(`${path}/invitations/${id}`), 'Invitation revoked')}
                  >
                    Revoke
                  </Button>
                ),
              },
            ]}
          />
        </section>
      )}
      {removing && (
        <Remove
          member={removing}
          path={path}
          onClose={() => setRemoving(null)}
          onDone={() => {
            setRemoving(null);
            toast(`${removing.name} was removed`);
            reload();
          }}
        />
      )}
      {isInviting && (
        <Invite
          path={path}
          onClose={() => {
            setInviting(false);
            reload();
          }}
        />
      )}
    </>
  );
}

interface RemoveProps {
  readonly member: Member;
  readonly path: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Remove({ member: { id, name, isYou }, path, onClose, onDone }: RemoveProps) {
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    try {
      await remove(`${path}/${id}`);
      // The person is no longer a member, so the account cannot be shown.
      if (isYou) location.assign('/studio/');
      else onDone();
    } catch (err) {
      setError(err instanceof Error ? err : new Error(String(err)));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={isYou ? 'Leave this account?' : `Remove ${name}?`}
      onClose={onClose}
      onSubmit={() => void go()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" type="submit" busy={isBusy}>
            {isYou ? 'Leave' : 'Remove'}
          </Button>
        </>
      }
    >
      <p class="muted">
        {isYou
          ? 'You can come back only with a new invitation. Your work stays.'
          : 'They lose access at once. Their work stays, and so do API keys that they know: revoke those under Keys.'}
      </p>
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}

function Invite({ path, onClose }: { path: string; onClose: () => void }) {
  const { provider } = session.value ?? {};
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [made, setMade] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const invite = async () => {
    setBusy(true);
    setError(null);
    try {
      const { url } = await post<{ url: string }>(`${path}/invitations`, { email: email.trim() || null, role });
      setMade(url);
    } catch (err) {
      setError(err instanceof Error ? err : new Error(String(err)));
    } finally {
      setBusy(false);
    }
  };
  if (made)
    return (
      <Dialog
        title="Share this link"
        onClose={onClose}
        foot={
          <Button look="main" onClick={onClose}>
            Done
          </Button>
        }
      >
        <Note>
          No e-mail is sent: copy the link now, as it is shown only once. It works once and expires in seven days.
        </Note>
        <CodeBlock line code={made} label="Invitation link" />
      </Dialog>
    );
  return (
    <Dialog
      title="Invite someone"
      onClose={onClose}
      onSubmit={() => void invite()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={isBusy}>
            Create link
          </Button>
        </>
      }
    >
      <TextField
        label="E-mail (optional)"
        hint={`If you fill it in, only this address can use the link${provider ? `, or sign in with ${provider.name}` : ''}.`}
        type="email"
        autofocus
        value={email}
        onText={setEmail}
      />
      <SelectField
        label="Role"
        hint={ABOUT_ROLES[role]}
        value={role}
        onChoose={(value) => setRole(value as Role)}
        options={ROLES}
      />
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}
