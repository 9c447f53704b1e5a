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
import type { PageProps } from '../../shell/app.tsx';
import type { Key } from '../../shell/contract.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
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
              <Button look="main" icon={plus} onClick={open}>
                Make a key
              </Button>
            )
          }
        >
          A key lets a program render with this account. A test key draws a mark over the picture and counts nothing.
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
              width: '190px',
              render: ({ kind, lastFour }) => (
                <code class="muted">
                  plt_{kind}_…{lastFour}
                </code>
              ),
            },
            {
              key: 'kind',
              header: 'Kind',
              width: '110px',
              render: ({ kind, revokedAt }) =>
                revokedAt ? (
                  <Badge>Ended</Badge>
                ) : (
                  <Badge tone={kind === 'live' ? 'good' : 'info'}>{kind === 'live' ? 'Live' : 'Test'}</Badge>
                ),
            },
            {
              key: 'used',
              header: 'Last used',
              width: '130px',
              render: ({ lastUsedAt }) => <span class="muted">{lastUsedAt ? <Time at={lastUsedAt} /> : 'never'}</span>,
            },
            {
              key: 'made',
              header: 'Made',
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
              header: 'End',
              hideHeader: true,
              width: '70px',
              align: 'end',
              render: (key) =>
                mayEnd(key) && (
                  <Button
                    dense
                    look="danger"
                    aria-label={`End ${key.name ?? key.lastFour}`}
                    onClick={() => setEnding(key)}
                  >
                    End
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

interface NewKeyProps {
  readonly accountId: string;
  readonly onClose: () => void;
  readonly onMade: (key: Key & { readonly key: string }) => void;
}

function NewKey({ accountId, onClose, onMade }: NewKeyProps) {
  // Filled in beforehand, so that one click is enough.
  const [name, setName] = useState('New key');
  const [kind, setKind] = useState<'test' | 'live'>(mayDo(accountId, 'owner') ? 'live' : 'test');
  const [made, setMade] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    setError(null);
    try {
      const key = await post<Key & { key: string }>(accountPath(accountId, 'keys'), { name: name.trim(), kind });
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
            I have kept it
          </Button>
        }
      >
        <Note warn>It is shown this once. Keep it where your programs keep secrets, and never in a page.</Note>
        <CodeBlock line code={made} label="The key" />
        <p class="muted">In a terminal, the examples read it from here:</p>
        <CodeBlock line code={`export PLATEN_KEY=${made}`} label="Command that sets it" />
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
            Make the key
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint="Where it will be used, so that you know later what ends with it."
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
          { value: 'live', label: 'Live: renders count', disabled: !mayDo(accountId, 'owner') },
          { value: 'test', label: 'Test: a mark over the picture, counts nothing' },
        ]}
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
      toast(`The key “${name}” has ended`);
      onDone();
    } catch (err) {
      toastError(err);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`End “${name}”?`}
      onClose={onClose}
      onSubmit={() => void end()}
      foot={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" type="submit" busy={isBusy}>
            End the key
          </Button>
        </>
      }
    >
      <p>Whatever uses it is refused from its next request on. This cannot be undone.</p>
    </Dialog>
  );
}
