// Who did what in the account, newest first, by person and by action.

import { useState } from 'preact/hooks';
import { SelectField } from '../../parts/field.tsx';
import { ErrorPanel, SkeletonRows } from '../../parts/states.tsx';
import { Table, timeColumn } from '../../parts/table.tsx';
import { accountPath, get } from '../../shell/api.ts';
import type { AuditEntry, Member } from '../../shell/contract.ts';
import { useList } from '../../shell/list.ts';
import { useLoad } from '../../shell/load.ts';
import { texts } from '../../texts/pages.ts';

const wordsFor = (action: AuditEntry['action']) =>
  (texts.value.auditActions as Readonly<Record<string, string>>)[action] ?? action;

const nameOf = ({ kind, name }: AuditEntry['actor']) =>
  kind === 'key' ? texts.value.settings.key(name ?? '') : (name ?? texts.value.actors[kind]);

export function AuditLog({ accountId }: { accountId: string }) {
  const [actor, setActor] = useState('');
  const [action, setAction] = useState('');
  const list = useList<AuditEntry>(accountPath(accountId, 'audit'), { actor, action });
  const people = accountPath(accountId, 'people');
  const { data } = useLoad(people, () => get<{ people: readonly Member[] }>(people));
  return (
    <section class="section" aria-labelledby="audit">
      <h2 id="audit">{texts.value.settings.auditLog}</h2>
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
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <SkeletonRows />}
      {list.items?.length === 0 && <p class="muted">{texts.value.settings.nothingRecordedYet}</p>}
      {list.items && list.items.length > 0 && (
        <Table
          label={texts.value.settings.auditLog}
          rows={list.items}
          rowKey={({ id }) => id}
          more={list}
          columns={[
            {
              key: 'who',
              header: texts.value.settings.who,
              width: '25%',
              render: (row) => <span>{nameOf(row.actor)}</span>,
            },
            { key: 'what', header: texts.value.settings.action, width: '25%', render: (row) => wordsFor(row.action) },
            {
              key: 'subject',
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
      )}
    </section>
  );
}
