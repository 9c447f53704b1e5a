// The members of an account with their roles; invitations by link.

import { useState } from 'preact/hooks';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { userPlus } from '../../parts/icons.ts';
import { PageSection } from '../../parts/section.tsx';
import { Badge, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { buttonColumn, Table, timeColumn } from '../../parts/table.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, get, post, put, remove } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Invitation, Member, MemberRole } from '../../shell/contract.ts';
import { Initials, PageHead } from '../../shell/frame.tsx';
import { useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { loadSession, mayDo, session } from '../../shell/session.ts';
import './people.css';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Ending } from '../../parts/ending.tsx';
import { texts } from '../../texts/pages.ts';

const roles = () => Object.entries(texts.value.roles).map(([value, label]) => ({ value: value as MemberRole, label }));

export default function People({ accountId }: PageProps) {
  const path = accountPath(accountId, 'people');
  const { data, error, reload } = useLoad(path, () =>
    get<{ people: readonly Member[]; invitations: readonly Invitation[] }>(path),
  );
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  const [managing, setManaging] = useState<string | null>(null);
  const managed = data?.people.find(({ id }) => id === managing);
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
        title={texts.value.people.people}
        actions={
          isOwner && (
            <Button look="main" icon={userPlus} onClick={() => setInviting(true)}>
              {texts.value.people.invite}
            </Button>
          )
        }
      />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows />}
      {data && (
        <Table
          label={texts.value.people.people}
          rows={data.people}
          rowKey={({ id }) => id}
          columns={[
            {
              header: texts.value.common.name,
              render: ({ name, email, isYou, suspendedAt }) => (
                <span class="person">
                  <Initials name={name} />
                  <span class="cell-main">{name}</span>
                  {isYou && <Badge>{texts.value.people.you}</Badge>}
                  {suspendedAt && <Badge tone="warn">{texts.value.ending.isSuspended}</Badge>}
                  <span class="muted truncate" title={email}>
                    {email}
                  </span>
                </span>
              ),
            },
            {
              header: texts.value.common.role,
              width: '140px',
              render: (member) =>
                isOwner ? (
                  <SelectField
                    label={texts.value.people.roleOf(member.name)}
                    hideLabel
                    dense
                    value={member.role}
                    options={roles()}
                    onChoose={(role) =>
                      void act(
                        () => put(`${path}/${member.id}`, { role }),
                        texts.value.people.roleIsNow(member.name, role),
                      )
                    }
                  />
                ) : (
                  texts.value.roles[member.role]
                ),
            },
            timeColumn<Member>(texts.value.people.lastSeen, ({ lastSeenAt }) => lastSeenAt, {
              ...{ width: '140px', none: texts.value.common.never },
            }),
            buttonColumn<Member>(texts.value.common.remove, '210px', (member) => (
              <>
                {isOwner && !member.isYou && (
                  <Button
                    dense
                    look="quiet"
                    aria-label={texts.value.ending.manageNamed(member.name)}
                    onClick={() => setManaging(member.id)}
                  >
                    {texts.value.ending.manage}
                  </Button>
                )}
                {(isOwner || member.isYou) && (
                  <Button
                    dense
                    look="danger"
                    aria-label={
                      member.isYou ? texts.value.people.leaveAccount : texts.value.common.removeNamed(member.name)
                    }
                    onClick={() => setRemoving(member)}
                  >
                    {member.isYou ? texts.value.people.leave : texts.value.common.remove}
                  </Button>
                )}
              </>
            )),
          ]}
        />
      )}
      {data && data.invitations.length > 0 && (
        <PageSection id="invitations" title={texts.value.people.invitations} look="section-below">
          <Table
            label={texts.value.people.invitations}
            rows={data.invitations}
            rowKey={({ id }) => id}
            columns={[
              { header: texts.value.people.for, render: ({ email }) => email ?? texts.value.people.anyoneLink },
              { header: texts.value.common.role, width: '140px', render: ({ role }) => texts.value.roles[role] },
              timeColumn<Invitation>(texts.value.keys.expires, ({ expiresAt }) => expiresAt, { width: '140px' }),
              buttonColumn<Invitation>(texts.value.common.revoke, '110px', ({ id }) => (
                <Button
                  dense
                  look="danger"
                  onClick={() =>
                    void act(() => remove(`${path}/invitations/${id}`), texts.value.people.invitationRevoked)
                  }
                >
                  {texts.value.common.revoke}
                </Button>
              )),
            ]}
          />
        </PageSection>
      )}
      {managed && (
        <Dialog title={managed.name} onClose={() => setManaging(null)} wide>
          <Ending
            of="person"
            path={`${path}/${managed.id}`}
            name={managed.email}
            isSuspended={managed.suspendedAt !== null}
            onChanged={() => {
              setManaging(null);
              reload();
            }}
          />
        </Dialog>
      )}
      {removing && (
        <ConfirmDialog
          title={removing.isYou ? texts.value.people.leaveTitle : texts.value.people.removeTitle(removing.name)}
          action={removing.isYou ? texts.value.people.leave : texts.value.common.remove}
          isDanger
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await remove(`${path}/${removing.id}`);
            // Who leaves is no longer a member, so the account cannot be shown.
            if (removing.isYou) return location.assign(`${STUDIO}/`);
            toast(texts.value.people.wasRemoved(removing.name));
            reload();
          }}
        >
          <p class="muted">{removing.isYou ? texts.value.people.leaveNote : texts.value.people.removeNote}</p>
        </ConfirmDialog>
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

function Invite({ path, onClose }: { path: string; onClose: () => void }) {
  const { provider } = session.value ?? {};
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberRole>('editor');
  const [made, setMade] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  const invite = async () => {
    const { url } = await post<{ url: string }>(`${path}/invitations`, { email: email.trim() || null, role });
    setMade(url);
  };
  if (made)
    return (
      <Dialog
        title={texts.value.people.shareLink}
        onClose={onClose}
        foot={
          <Button look="main" onClick={onClose}>
            {texts.value.common.done}
          </Button>
        }
      >
        <Note>{texts.value.people.shareLinkNote}</Note>
        <CodeBlock line code={made} label={texts.value.people.invitationLink} />
      </Dialog>
    );
  return (
    <Dialog
      title={texts.value.people.inviteSomeone}
      onClose={onClose}
      onSubmit={() => void run(invite)}
      submit={{ children: texts.value.people.createLink, busy: isBusy }}
    >
      <TextField
        label={texts.value.people.emailOptional}
        hint={texts.value.people.emailHint(provider?.name ?? null)}
        type="email"
        autofocus
        value={email}
        onText={setEmail}
      />
      <SelectField
        label={texts.value.common.role}
        hint={texts.value.aboutRoles[role]}
        value={role}
        onChoose={(value) => setRole(value as MemberRole)}
        options={roles()}
      />
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}
