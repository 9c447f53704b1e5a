// Which sites may show the account's editor in their pages, and the revocation of their tokens.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { ErrorPanel, SkeletonRows } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, get, post, put } from '../../shell/api.ts';
import { BASE } from '../../shell/base.ts';
import { useLoad } from '../../shell/load.ts';
import { texts } from '../../texts/pages.ts';

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
    await put(path, { origins: next });
    setOrigin('');
    toast(texts.value.common.saved);
    reload();
  };
  const revoke = async () => {
    await post(`${path}/revoke`, user.trim() === '' ? {} : { user: user.trim() });
    toast(user.trim() === '' ? texts.value.settings.allTokensRevoked : texts.value.settings.tokensRevoked(user.trim()));
    setUser('');
  };
  return (
    <section class="section" aria-labelledby="embedding">
      <h2 id="embedding">{texts.value.settings.embeddedEditors}</h2>
      <p class="muted">
        {texts.value.settings.pagesSitesMay} <a href={`${BASE}/docs/embedding`}>{texts.value.settings.howEmbed}</a>
      </p>
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={2} />}
      {data && origins.length === 0 && <p>{texts.value.settings.noSiteMay}</p>}
      <ul class="origins">
        {origins.map((one) => (
          <li key={one}>
            <code>{one}</code>
            {!disabled && (
              <Button
                dense
                look="quiet"
                aria-label={texts.value.settings.removeNamed(one)}
                onClick={() => void save(origins.filter((other) => other !== one)).catch(toastError)}
              >
                {texts.value.common.remove}
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
              void save([...origins, origin.trim()]).catch(toastError);
            }}
          >
            <TextField
              label={texts.value.settings.origin}
              placeholder="https://app.example.com"
              value={origin}
              onText={setOrigin}
            />
            <Button type="submit" disabled={origin.trim() === '' || !data}>
              {texts.value.settings.add}
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
              label={texts.value.settings.revokeTokensUser}
              placeholder={texts.value.settings.sitesIdUser}
              maxLength={200}
              value={user}
              onText={setUser}
            />
            <Button type="submit">{texts.value.common.revoke}</Button>
          </form>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={
            user.trim() === '' ? texts.value.settings.revokeTokensAll : texts.value.settings.revokeTokens(user.trim())
          }
          action={texts.value.common.revoke}
          onConfirm={revoke}
          onClose={() => setAsking(false)}
        >
          {texts.value.settings.editorsOpenStop}
        </ConfirmDialog>
      )}
    </section>
  );
}
