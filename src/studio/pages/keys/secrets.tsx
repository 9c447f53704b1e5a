// The account's two secrets: for signing URLs and for signing webhooks.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorPanel, Note, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { ApiError, accountPath, get, post } from '../../shell/api.ts';
import type { Secret } from '../../shell/contract.ts';
import { useLoad } from '../../shell/load.ts';
import './secrets.css';
import { texts } from '../../texts/pages.ts';

export function Secrets({ accountId }: { accountId: string }) {
  const path = accountPath(accountId, 'secrets');
  const { data, error, reload } = useLoad(path, () => get<{ items: readonly Secret[] }>(path));
  const [shown, setShown] = useState<{ readonly title: string; readonly secret: string } | null>(null);
  const act = async ({ purpose }: Secret, action: 'show' | 'rotate' | 'retire') => {
    try {
      const answer = await post<{ secret?: string; retired?: number }>(`${path}/${purpose}/${action}`);
      if (answer.secret) setShown({ title: texts.value.secrets[purpose], secret: answer.secret });
      if (action === 'retire') toast(texts.value.keys.secretsRevoked(answer.retired ?? 0));
      if (action !== 'show') reload();
    } catch (err) {
      // The person cancelled the password prompt.
      if (!(err instanceof ApiError && err.code === 'password_needed')) toastError(err);
    }
  };
  return (
    <section class="section-below" aria-labelledby="secrets">
      <h2 id="secrets">{texts.value.keys.secrets}</h2>
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <Skeleton height={140} />}
      {data?.items.map((secret) => (
        <div key={secret.purpose} class="secret">
          <div>
            <h3>{texts.value.secrets[secret.purpose]}</h3>
            <p class="muted">{texts.value.aboutSecrets[secret.purpose]}</p>
            <p class="card-facts">
              <code>…{secret.lastFour}</code>, {texts.value.keys.madeAt} <Time at={secret.createdAt} />
              {secret.previous > 0 && `; ${texts.value.keys.stillAccepted(secret.previous)}`}
            </p>
          </div>
          <div class="page-actions">
            <Button
              dense
              onClick={() => void act(secret, 'show')}
              aria-label={texts.value.keys.showSecret(texts.value.secrets[secret.purpose])}
            >
              {texts.value.keys.show}
            </Button>
            <Button
              dense
              onClick={() => void act(secret, 'rotate')}
              aria-label={texts.value.keys.rotateSecret(texts.value.secrets[secret.purpose])}
            >
              {texts.value.keys.rotate}
            </Button>
            {secret.previous > 0 && (
              <Button dense look="danger" onClick={() => void act(secret, 'retire')}>
                {texts.value.keys.revokeOlderSecrets}
              </Button>
            )}
          </div>
        </div>
      ))}
      {shown && (
        <Dialog
          title={shown.title}
          onClose={() => setShown(null)}
          foot={
            <Button look="main" onClick={() => setShown(null)}>
              {texts.value.keys.close}
            </Button>
          }
        >
          <Note warn>{texts.value.keys.keepServerAnyone}</Note>
          <CodeBlock line code={shown.secret} label={shown.title} />
        </Dialog>
      )}
    </section>
  );
}
