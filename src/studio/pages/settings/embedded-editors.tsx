// Which sites may show the account's editor in their pages, and the revocation of their tokens.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { ErrorPanel, SkeletonRows } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, get, post, put } from '../../shell/api.ts';
import { useLoad } from '../../shell/load.ts';

interface Embedding {
  readonly origins: readonly string[];
}

export function EmbeddedEditors({ accountId, disabled }: { readonly accountId: string; readonly disabled: boolean }) {
  const path = accountPath(accountId, 'embedding');
  const { data, error, reload } = useLoad(path, () => get<Embedding>(path));
  const [origin, setOrigin] = useState('');
  const [user, setUser] = useState('');
  const [isAsking, setAsking] = useState(false);
  const origins = data?.origins ?? [];
  const save = async (next: readonly string[]) => {
    try {
      await put(path, { origins: next });
      setOrigin('');
      toast('Saved');
      reload();
    } catch (err) {
      toastError(err);
    }
  };
  const revoke = async () => {
    await post(`${path}/revoke`, user.trim() === '' ? {} : { user: user.trim() });
    toast(user.trim() === '' ? 'All tokens were revoked.' : `The tokens of ${user.trim()} were revoked.`);
    setUser('');
  };
  return (
    <section class="section" aria-labelledby="embedding">
      <h2 id="embedding">Embedded editors</h2>
      <p class="muted">
        Pages of these sites may show the editor, with a token that your server signs.{' '}
        <a href="/docs/embedding">How to embed it</a>
      </p>
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={2} />}
      {data && origins.length === 0 && <p>No site may show it.</p>}
      <ul class="origins">
        {origins.map((one) => (
          <li key={one}>
            <code>{one}</code>
            {!disabled && (
              <Button
                dense
                look="quiet"
                aria-label={`Remove ${one}`}
                onClick={() => void save(origins.filter((other) => other !== one))}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!disabled && (
        <>
          <form
            class="form-row"
            onSubmit={(event) => {
              event.preventDefault();
              void save([...origins, origin.trim()]);
            }}
          >
            <TextField label="Origin" placeholder="https://app.example.com" value={origin} onText={setOrigin} />
            <Button type="submit" disabled={origin.trim() === '' || !data}>
              Add
            </Button>
          </form>
          <form
            class="form-row"
            onSubmit={(event) => {
              event.preventDefault();
              setAsking(true);
            }}
          >
            <TextField
              label="Revoke the tokens of a user"
              placeholder="Your site’s id of the user; empty: all users"
              maxLength={200}
              value={user}
              onText={setUser}
            />
            <Button type="submit">Revoke</Button>
          </form>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={user.trim() === '' ? 'Revoke the tokens of all users?' : `Revoke the tokens of ${user.trim()}?`}
          action="Revoke"
          onConfirm={revoke}
          onClose={() => setAsking(false)}
        >
          Editors that are open stop saving at once. Tokens that are signed from now on are accepted.
        </ConfirmDialog>
      )}
    </section>
  );
}
