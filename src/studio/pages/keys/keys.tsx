// API keys and the account's secrets: name, kind, last four characters, last use; shown once; rotate, retire.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { keyRound, plus } from '../../parts/icons.ts';
import { Badge, EmptyState, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, post, remove } from '../../shell/api.ts';
import type { Key } from '../../shell/contract.ts';
import { plural } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { Secrets } from './secrets.tsx';

export default function Keys({ accountId }: PageProps) {
  const { query, route } = useLocation();
  const path = accountPath(accountId, 'keys');
  const list = useList<Key>(path);
  const [ending, setEnding] = useState<Key | null>(null);
  const here = `/studio/a/${accountId}/keys`;
  const mayEdit = mayDo(accountId, 'editor');
  const mayEnd = (key: Key) => key.revokedAt === null && mayDo(accountId, key.kind === 'live' ? 'owner' : 'editor');
  const open = () => route(`${here}?new=key`);
  return (
    <>
      <PageHead
        title="Keys and secrets"
        actions={
          mayEdit && (
            <Button look="main" icon={plus} onClick={open}>
              New key
            </Button>
          )
        }
      />
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <SkeletonRows />}
      {list.items?.length === 0 && (
        <EmptyState
          icon={keyRound}
          title="No keys yet"
          action={
            mayEdit && (
              <Button icon={plus} onClick={open}>
                Create a key
              </Button>
            )
          }
        >
          A key lets your code render templates of this account. Test keys add a watermark and are not counted.
        </EmptyState>
      )}
      {list.items && list.items.length > 0 && (
        <Table
          label="API keys"
          rows={list.items}
          rowKey={({ id }) => id}
          more={list.hasMore ? { isLoading: list.isLoadingMore, load: list.loadMore } : null}
          columns={[
            {
              key: 'name',
              header: 'Name',
              render: ({ name, revokedAt }) => (
                <span class={revokedAt ? 'faint' : 'cell-main'}>{name ?? <span class="faint">No name</span>}</span>
              ),
            },
            {
              key: 'key',
              header: 'Key',
              width: '180px',
              render: ({ kind, lastFour }) => (
                <code class="muted">
                  plt_{kind}_…{lastFour}
                </code>
              ),
            },
            {
              key: 'kind',
              header: 'Kind',
              width: '160px',
              render: ({ kind, revokedAt, scope }) =>
                revokedAt ? (
                  <Badge>Revoked</Badge>
                ) : (
                  <div>
                    <Badge tone={kind === 'live' ? 'good' : 'info'}>{kind === 'live' ? 'Live' : 'Test'}</Badge>
                    {scope && <div class="faint wraps">{scope.rights.join(', ')}</div>}
                    {scope?.templates && <div class="faint">{plural(scope.templates.length, 'template')}</div>}
                  </div>
                ),
            },
            {
              key: 'used',
              header: 'Last used',
              width: '130px',
              render: ({ lastUsedAt }) => <span class="muted">{lastUsedAt ? <Time at={lastUsedAt} /> : 'never'}</span>,
            },
            {
              key: 'created',
              header: 'Created',
              width: '210px',
              render: ({ createdAt, createdBy }) => (
                <span class="muted">
                  <Time at={createdAt} />
                  {createdBy && ` by ${createdBy.name}`}
                </span>
              ),
            },
            {
              key: 'end',
              header: 'Revoke',
              hideHeader: true,
              width: '84px',
              align: 'end',
              render: (key) =>
                mayEnd(key) && (
                  <Button
                    dense
                    look="danger"
                    aria-label={`Revoke ${key.name ?? key.lastFour}`}
                    onClick={() => setEnding(key)}
                  >
                    Revoke
                  </Button>
                ),
            },
          ]}
        />
      )}
      {mayDo(accountId, 'owner') && <Secrets accountId={accountId} />}
      {query.new && (
        <NewKey
          accountId={accountId}
          onClose={() => route(here, true)}
          onMade={({ key: _key, ...made }) => list.changeItems((items) => [made, ...items])}
        />
      )}
      {ending && (
        <EndKey
          path={`${path}/${ending.id}`}
          name={ending.name ?? `…${ending.lastFour}`}
          onClose={() => setEnding(null)}
          onDone={() => {
            setEnding(null);
            list.reload();
          }}
        />
      )}
    </>
  );
}

/** What a new key may do; the command line also limits keys to other rights and to certain templates. */
const SCOPES = {
  all: { label: 'Full access', rights: null },
  render: { label: 'Render and take screenshots only', rights: ['render', 'screenshot'] },
  read: { label: 'Read only', rights: ['read'] },
} as const;

interface NewKeyProps {
  readonly accountId: string;
  readonly onClose: () => void;
  readonly onMade: (key: Key & { readonly key: string }) => void;
}

function NewKey({ accountId, onClose, onMade }: NewKeyProps) {
  // Filled in beforehand, so that one click is enough.
  const [name, setName] = useState('New key');
  const [kind, setKind] = useState<'test' | 'live'>(mayDo(accountId, 'owner') ? 'live' : 'test');
  const [rights, setRights] = useState<keyof typeof SCOPES>('all');
  const [made, setMade] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    setError(null);
    try {
      const key = await post<Key & { key: string }>(accountPath(accountId, 'keys'), {
        name: name.trim(),
        kind,
        scope: SCOPES[rights].rights && { rights: SCOPES[rights].rights, templates: null },
      });
      setMade(key.key);
      onMade(key);
    } catch (err) {
      setError(err instanceof Error ? err : new Error(String(err)));
    } finally {
      setBusy(false);
    }
  };
  if (made)
    return (
      <Dialog
        title="Your new key"
        onClose={onClose}
        foot={
          <Button look="main" onClick={onClose}>
            I’ve saved it
          </Button>
        }
      >
        <Note warn>Copy it now: it is shown only once. Keep it with your other secrets, never in a web page.</Note>
        <CodeBlock line code={made} label="API key" />
        <p class="muted">The examples in the documentation read it from this variable:</p>
        <CodeBlock line code={`export PLATEN_KEY=${made}`} label="Command that sets the variable" />
      </Dialog>
    );
  return (
    <Dialog
      title="New key"
      onClose={onClose}
      onSubmit={() => void make()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={isBusy} disabled={name.trim() === ''}>
            Create key
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint="Where the key is used, so you know what stops working when you revoke it."
        maxLength={100}
        autofocus
        onFocus={(event) => event.currentTarget.select()}
        value={name}
        onText={setName}
      />
      <SelectField
        label="Kind"
        value={kind}
        onChoose={(value) => setKind(value as 'test' | 'live')}
        options={[
          { value: 'live', label: 'Live: renders are counted', disabled: !mayDo(accountId, 'owner') },
          { value: 'test', label: 'Test: watermarked, not counted' },
        ]}
      />
      <SelectField
        label="Permissions"
        value={rights}
        onChoose={(value) => setRights(value as keyof typeof SCOPES)}
        options={Object.entries(SCOPES).map(([value, { label }]) => ({ value, label }))}
      />
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}

interface EndKeyProps {
  readonly path: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function EndKey({ path, name, onClose, onDone }: EndKeyProps) {
  const [isBusy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    try {
      await remove(path);
      toast(`Key “${name}” revoked`);
      onDone();
    } catch (err) {
      toastError(err);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Revoke “${name}”?`}
      onClose={onClose}
      onSubmit={() => void end()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" type="submit" busy={isBusy}>
            Revoke key
          </Button>
        </>
      }
    >
      <p>Requests with this key are refused at once. This cannot be undone.</p>
    </Dialog>
  );
}
