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
import { plural } from '../../shell/format.ts';
import { useLoad } from '../../shell/load.ts';
import './secrets.css';

const ABOUT = {
  signing: { title: 'Signing secret', text: 'Signs URLs that render a template without a key.' },
  webhook: {
    title: 'Webhook secret',
    text: 'Signs webhook deliveries, so your server can verify that they come from here.',
  },
} as const;

export function Secrets({ accountId }: { accountId: string }) {
  const path = accountPath(accountId, 'secrets');
  const { data, error, reload } = useLoad(path, () => get<{ items: readonly Secret[] }>(path));
  const [shown, setShown] = useState<{ readonly title: string; readonly secret: string } | null>(null);
  const act = async ({ purpose }: Secret, action: 'show' | 'rotate' | 'retire') => {
    try {
      const answer = await post<{ secret?: string; retired?: number }>(`${path}/${purpose}/${action}`);
      if (answer.secret) setShown({ title: ABOUT[purpose].title, secret: answer.secret });
      if (action === 'retire') toast(`${plural(answer.retired ?? 0, 'older secret')} revoked`);
      if (action !== 'show') reload();
    } catch (err) {
      // The person cancelled the password prompt.
      if (!(err instanceof ApiError && err.code === 'password_needed')) toastError(err);
    }
  };
  return (
    <section class="section-below" aria-labelledby="secrets">
      <h2 id="secrets">Secrets</h2>
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <Skeleton height={140} />}
      {data?.items.map((secret) => (
        <div key={secret.purpose} class="secret">
          <div>
            <h3>{ABOUT[secret.purpose].title}</h3>
            <p class="muted">{ABOUT[secret.purpose].text}</p>
            <p class="card-facts">
              <code>…{secret.lastFour}</code>, created <Time at={secret.createdAt} />
              {secret.previous > 0 && `; ${plural(secret.previous, 'older secret')} still accepted`}
            </p>
          </div>
          <div class="page-actions">
            <Button dense onClick={() => void act(secret, 'show')} aria-label={`Show the ${secret.purpose} secret`}>
              Show
            </Button>
            <Button dense onClick={() => void act(secret, 'rotate')} aria-label={`Rotate the ${secret.purpose} secret`}>
              Rotate
            </Button>
            {secret.previous > 0 && (
              <Button dense look="danger" onClick={() => void act(secret, 'retire')}>
                Revoke older secrets
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
              Close
            </Button>
          }
        >
          <Note warn>Keep it on your server: anyone who has it can sign in your name.</Note>
          <CodeBlock line code={shown.secret} label={shown.title} />
        </Dialog>
      )}
    </section>
  );
}
