// The person's passkeys: add, rename, remove.

import { useState } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fingerprint, pencil, trash2 } from '../../parts/icons.ts';
import { ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { apiPath, get, put, remove } from '../../shell/api.ts';
import type { Passkey } from '../../shell/contract.ts';
import { useLoad } from '../../shell/load.ts';
import { addPasskey, noPasskeys } from '../../shell/passkeys.ts';
import { loadSession } from '../../shell/session.ts';

export function Passkeys() {
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
    try {
      await remove(`${path}/${id}`);
      toast('Passkey removed: it can no longer sign you in');
      changed();
    } catch (err) {
      toastError(err);
    }
  };
  return (
    <section class="section" aria-labelledby="passkeys">
      <header>
        <div>
          <h2 id="passkeys">Passkeys</h2>
          <p>Sign in with your fingerprint, face or PIN instead of a password.</p>
        </div>
        {!problem && (data?.items.length ?? 0) > 0 && (
          <Button dense icon={fingerprint} onClick={() => setNaming('new')}>
            Add a passkey
          </Button>
        )}
      </header>
      {problem && <Note>{problem}</Note>}
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={1} />}
      {data?.items.length === 0 && !problem && (
        <div>
          <Button icon={fingerprint} onClick={() => setNaming('new')}>
            Add a passkey
          </Button>
        </div>
      )}
      {data && data.items.length > 0 && (
        <Table
          label="Passkeys"
          rows={data.items}
          rowKey={({ id }) => id}
          columns={[
            { key: 'name', header: 'Name', render: ({ name }) => name },
            {
              key: 'host',
              header: 'Website',
              width: '200px',
              render: ({ host }) => <span class="muted truncate">{host}</span>,
            },
            {
              key: 'used',
              header: 'Last used',
              width: '120px',
              render: ({ lastUsedAt }) => <span class="muted">{lastUsedAt ? <Time at={lastUsedAt} /> : 'Never'}</span>,
            },
            {
              key: 'actions',
              header: 'Actions',
              hideHeader: true,
              width: '88px',
              align: 'end',
              render: (passkey) => (
                <>
                  <IconButton dense icon={pencil} label={`Rename ${passkey.name}`} onClick={() => setNaming(passkey)} />
                  <IconButton dense icon={trash2} label={`Remove ${passkey.name}`} onClick={() => void drop(passkey)} />
                </>
              ),
            },
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
    </section>
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
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      if (passkey) await put(apiPath('me', 'passkeys', passkey.id), { name });
      else await addPasskey(name);
      toast(passkey ? 'Passkey renamed' : 'Passkey added: you can sign in with it now');
      onDone();
    } catch (err) {
      setError(err instanceof Error ? err.message : String(err));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={passkey ? 'Rename passkey' : 'Add a passkey'}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={isBusy} disabled={name.trim() === ''}>
            {passkey ? 'Save' : 'Continue'}
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint={
          passkey
            ? undefined
            : 'Such as “Laptop”, to tell it from your other passkeys. Your browser asks for the passkey next.'
        }
        autofocus
        required
        maxLength={100}
        value={name}
        error={error}
        onText={setName}
      />
    </Dialog>
  );
}
