// Who did what in the account, newest first, by person and by action.

import { useState } from 'preact/hooks';
import { SelectField } from '../../parts/field.tsx';
import { ErrorPanel, SkeletonRows } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { accountPath, get } from '../../shell/api.ts';
import type { AuditEntry, Member } from '../../shell/contract.ts';
import { useList } from '../../shell/list.ts';
import { useLoad } from '../../shell/load.ts';

/** Those that belong to an account; what a person does with their own sign-in is shown by the command line. */
const ACTIONS: Readonly<Record<Exclude<AuditEntry['action'], `person.${string}`>, string>> = {
  'account.create': 'created the account',
  'account.change': 'changed the account',
  'account.set-plan': 'changed the plan',
  'key.create': 'created the key',
  'key.revoke': 'revoked the key',
  'secret.show': 'viewed the secret',
  'secret.rotate': 'rotated the secret',
  'secret.retire': 'revoked older secrets',
  'invitation.create': 'invited',
  'invitation.withdraw': 'revoked the invitation',
  'member.join': 'joined or was added',
  'member.change-role': 'changed the role',
  'member.remove': 'left or was removed',
  'template.create': 'created the template',
  'template.save': 'saved the template',
  'template.publish': 'published the template',
  'template.restore': 'restored a version',
  'template.delete': 'deleted the template',
  'template.undelete': 'undeleted the template',
  'template.move': 'moved the template',
  'template.rename': 'renamed the template',
  'template.update-material': 'took over a newer version in the template',
  'brand.save': 'saved the brand',
  'brand.delete': 'deleted the brand',
  'embedding.change': 'changed the origins of embedded editors',
  'embedding.revoke': 'revoked tokens of embedded editors',
};
const wordsFor = (action: AuditEntry['action']) => (ACTIONS as Readonly<Record<string, string>>)[action] ?? action;

const ACTORS: Readonly<Record<AuditEntry['actor']['kind'], string>> = {
  person: 'Someone',
  key: 'Key',
  'command-line': 'Command line',
  server: 'Server',
  'embedded-editor': 'Embedded editor',
};
const nameOf = ({ kind, name }: AuditEntry['actor']) => (kind === 'key' ? `Key ${name ?? ''}` : (name ?? ACTORS[kind]));

export function AuditLog({ accountId }: { accountId: string }) {
  const [actor, setActor] = useState('');
  const [action, setAction] = useState('');
  const list = useList<AuditEntry>(accountPath(accountId, 'audit'), { actor, action });
  const people = accountPath(accountId, 'people');
  const { data } = useLoad(people, () => get<{ people: readonly Member[] }>(people));
  return (
    <section class="section" aria-labelledby="audit">
      <h2 id="audit">Audit log</h2>
      <div class="bar">
        <SelectField
          label="Who"
          hideLabel
          value={actor}
          onChoose={setActor}
          options={[
            { value: '', label: 'Anyone' },
            ...(data?.people ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <SelectField
          label="What"
          hideLabel
          value={action}
          onChoose={setAction}
          options={[
            { value: '', label: 'Any action' },
            ...Object.entries(ACTIONS).map(([value, label]) => ({ value, label })),
          ]}
        />
      </div>
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <SkeletonRows />}
      {list.items?.length === 0 && <p class="muted">Nothing recorded yet.</p>}
      {list.items && list.items.length > 0 && (
        <Table
          label="Audit log"
          rows={list.items}
          rowKey={({ id }) => id}
          more={list.hasMore ? { isLoading: list.isLoadingMore, load: list.loadMore } : null}
          columns={[
            { key: 'who', header: 'Who', width: '25%', render: (row) => <span>{nameOf(row.actor)}</span> },
            { key: 'what', header: 'Action', width: '25%', render: (row) => wordsFor(row.action) },
            {
              key: 'subject',
              header: 'Subject',
              render: ({ subject, detail }) => (
                <span class="truncate">
                  {subject.name ?? subject.id} {detail && <span class="muted">{detail}</span>}
                </span>
              ),
            },
            {
              key: 'when',
              header: 'When',
              width: '120px',
              align: 'end',
              render: ({ createdAt }) => (
                <span class="muted">
                  <Time at={createdAt} />
                </span>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}
