// The first start: the person who has the printed link becomes the owner.

import { useState } from 'preact/hooks';
import { ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { TextField } from '../../parts/field.tsx';
import { SkeletonRows } from '../../parts/states.tsx';
import { apiPath, post } from '../../shell/api.ts';
import type { Link } from '../../shell/contract.ts';
import { useLoad } from '../../shell/load.ts';
import { session } from '../../shell/session.ts';
import { AuthForm, AuthLayout, isLongEnough, passwordHint } from './auth-layout.tsx';

/** Read from the fragment, which no proxy sees, and then removed from the address. */
const token = location.hash.slice(1);

export default function SetUp() {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  // Whether the link works is asked before the form is filled in.
  const isNeeded = token !== '' && !session.value?.claimed;
  const link = useLoad(isNeeded ? 'setup-link' : null, () => post<Link>(apiPath('links', 'look'), { token }));
  if (session.value?.claimed)
    return (
      <AuthLayout
        title="This server is already set up"
        intro="The set-up link has been used. Sign in, or ask the owner for an invitation."
      >
        <ButtonLink look="main" href="/studio/sign-in">
          Sign in
        </ButtonLink>
      </AuthLayout>
    );
  if (token === '' || link.error)
    return (
      <AuthLayout
        title={token === '' ? 'Open the set-up link' : 'This set-up link no longer works'}
        intro={
          token === ''
            ? 'The server printed a link when it started, valid for 30 minutes. This command prints a new one:'
            : 'A link is valid for 30 minutes, and a newer one replaces it. This command prints a new one:'
        }
      >
        <CodeBlock line label="Command for a new link" code="npm run platen -- user link" />
      </AuthLayout>
    );
  if (!link.data)
    return (
      <AuthLayout title="One moment">
        <SkeletonRows rows={3} />
      </AuthLayout>
    );
  return (
    <AuthLayout
      title="Set up Platen"
      intro="Create your account as the owner of this server. You can invite others later."
    >
      <AuthForm
        action="Create account"
        isReady={name !== '' && email !== '' && isLongEnough(password)}
        submit={() => post(apiPath('setup'), { token, name, email, password })}
        next="/studio/"
      >
        <TextField label="Your name" name="name" autocomplete="name" autofocus required value={name} onText={setName} />
        <TextField
          label="E-mail"
          hint="You sign in with it. No e-mail is sent."
          type="email"
          name="email"
          autocomplete="username"
          required
          value={email}
          onText={setEmail}
        />
        <TextField
          label="Password"
          hint={passwordHint()}
          type="password"
          name="password"
          autocomplete="new-password"
          required
          value={password}
          onText={setPassword}
        />
      </AuthForm>
    </AuthLayout>
  );
}
