// Sign-in by password, passkey or identity provider. Afterwards, goes to the page that was requested.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { leaving, useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { fingerprint, logIn } from '../../parts/icons.ts';
import { ErrorPanel } from '../../parts/states.tsx';
import { apiPath } from '../../shell/api.ts';
import { belowStudio, STUDIO } from '../../shell/base.ts';
import { givePasskey, noPasskeys } from '../../shell/passkeys.ts';
import { goToProvider } from '../../shell/provider.ts';
import { session, signIn } from '../../shell/session.ts';
import { texts } from '../../texts/shell.ts';
import { AuthForm, AuthLayout, PersonField } from './auth-layout.tsx';

export default function SignIn() {
  const { query } = useLocation();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  // Only an address of the studio, so that a link cannot redirect to another site.
  const next = query.next && /^\/(?!\/)/.test(belowStudio(query.next) ?? '') ? query.next : `${STUDIO}/`;
  return (
    <AuthLayout
      title={texts.value.common.signIn}
      foot={
        <>
          {texts.value.signIn.lockedOut} <code>platen user reset</code>.
        </>
      }
    >
      <AuthForm
        action={texts.value.common.signIn}
        isReady={email !== '' && password !== ''}
        submit={() => signIn(email, password)}
        next={next}
      >
        <PersonField of="email" autofocus value={email} onText={setEmail} />
        <PersonField of="current-password" value={password} onText={setPassword} />
      </AuthForm>
      <OtherWays next={next} />
    </AuthLayout>
  );
}

/** Sign-in by passkey and by the identity provider, if available. */
function OtherWays({ next }: { next: string }) {
  const { isBusy, error, run } = useAction();
  const provider = session.value?.provider;
  const hasPasskeys = noPasskeys() === null;
  if (!provider && !hasPasskeys) return null;
  const byPasskey = async () => {
    await givePasskey(apiPath('session'));
    location.replace(next);
    await leaving();
  };
  return (
    <div class="door-others">
      <p class="door-or">{texts.value.signIn.or}</p>
      {provider && (
        <Button icon={logIn} disabled={isBusy} onClick={() => void run(() => goToProvider(next, false).then(leaving))}>
          {texts.value.signIn.continueWith(provider.name)}
        </Button>
      )}
      {hasPasskeys && (
        <Button icon={fingerprint} disabled={isBusy} onClick={() => void run(byPasskey)}>
          {texts.value.common.usePasskey}
        </Button>
      )}
      {error && <ErrorPanel error={error} />}
    </div>
  );
}
