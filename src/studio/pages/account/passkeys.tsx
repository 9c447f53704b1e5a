// The person's passkeys: add, rename, remove.

import { useState } from 'preact/hooks';
import { useAction } from '../../parts/action.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fingerprint, pencil, trash2 } from '../../parts/icons.ts';
import { ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { buttonColumn, Table, timeColumn } from '../../parts/table.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { apiPath, get, put, remove } from '../../shell/api.ts';
import type { Passkey } from '../../shell/contract.ts';
import { useLoad } from '../../shell/load.ts';
import { addPasskey, noPasskeys } from '../../shell/passkeys.ts';
import { loadSession } from '../../shell/session.ts';
import { texts } from '../../texts/pages.ts';

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
    await remove(`${path}/${id}`);
    toast(texts.value.account.passkeyRemovedCan);
    changed();
  };
  return (
    <section class="section" aria-labelledby="passkeys">
      <header>
        <div>
          <h2 id="passkeys">{texts.value.account.passkeys}</h2>
          <p>{texts.value.account.signFingerprintFace}</p>
        </div>
        {!problem && (data?.items.length ?? 0) > 0 && (
          <Button dense icon={fingerprint} onClick={() => setNaming('new')}>
            {texts.value.account.addPasskey}
          </Button>
        )}
      </header>
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
            { key: 'name', header: texts.value.common.name, render: ({ name }) => name },
            {
              key: 'host',
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
  const { isBusy, error, run } = useAction();
  const save = async () => {
    if (passkey) await put(apiPath('me', 'passkeys', passkey.id), { name });
    else await addPasskey(name);
    toast(passkey ? texts.value.account.passkeyRenamed : texts.value.account.passkeyAddedCan);
    onDone();
  };
  return (
    <Dialog
      title={passkey ? texts.value.account.renamePasskey : texts.value.account.addPasskey}
      onClose={onClose}
      onSubmit={() => void run(save)}
      submit={{
        children: passkey ? texts.value.common.save : texts.value.account.continue,
        busy: isBusy,
        disabled: name.trim() === '',
      }}
    >
      <TextField
        label={texts.value.common.name}
        hint={passkey ? undefined : texts.value.account.suchAsLaptop}
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
