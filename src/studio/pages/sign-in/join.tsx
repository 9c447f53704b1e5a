// The page of a link that a person received: an invitation to an account, or a password reset.

import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { logIn } from '../../parts/icons.ts';
import { ErrorPanel, SkeletonRows } from '../../parts/states.tsx';
import { apiPath, post } from '../../shell/api.ts';
import type { Link } from '../../shell/contract.ts';
import { useLoad } from '../../shell/load.ts';
import { goToProvider } from '../../shell/provider.ts';
import { session } from '../../shell/session.ts';
import { AuthForm, AuthLayout, isLongEnough, passwordHint } from './auth-layout.tsx';

const token = location.hash.slice(1);

export default function Join() {
  const { data, error, reload } = useLoad('link', () => post<Link>(apiPath('links', 'look'), { token }));
  if (error)
    return (
      <AuthLayout
        title="This link does not work"
        intro="It may have expired or been used already. Ask the person who sent it for a new one."
      >
        <ErrorPanel error={error} onRetry={reload} />
        <ButtonLink href="/studio/sign-in">Sign in</ButtonLink>
      </AuthLayout>
    );
  if (!data)
    return (
      <AuthLayout title="One moment">
        <SkeletonRows rows={3} />
      </AuthLayout>
    );
  return <Form link={data} />;
}

function Form({ link }: { link: Link }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState(link.email ?? '');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<Error | null>(null);
  const provider = session.value?.provider;
  const isReset = link.kind === 'reset';
  const isNew = !isReset && !link.isKnown;
  const title = isReset ? 'Choose a new password' : `Join ${link.account?.name ?? 'Platen'}`;
  const intro = isReset
    ? `For ${link.email}. You will be signed out everywhere.`
    : `As ${link.role === 'owner' ? 'an owner' : link.role === 'editor' ? 'an editor' : 'a viewer'}.`;
  return (
    <AuthLayout title={title} intro={intro}>
      <AuthForm
        action={isReset ? 'Set password' : 'Join'}
        isReady={
          password !== '' &&
          (!isNew || (name !== '' && email !== '')) &&
          (link.isKnown && !isReset ? true : isLongEnough(password))
        }
        submit={() => post(apiPath('links'), { token, password, ...(isNew ? { name, email } : {}) })}
        next="/studio/"
      >
        {isNew && (
          <>
            <TextField label="Your name" autocomplete="name" autofocus required value={name} onText={setName} />
            <TextField
              label="E-mail"
              type="email"
              autocomplete="username"
              required
              readOnly={link.email !== null}
              value={email}
              onText={setEmail}
            />
          </>
        )}
        <TextField
          label={isNew || isReset ? 'New password' : `Password of ${link.email}`}
          hint={isNew || isReset ? passwordHint() : undefined}
          type="password"
          autocomplete={isNew || isReset ? 'new-password' : 'current-password'}
          required
          value={password}
          onText={setPassword}
        />
      </AuthForm>
      {provider && link.kind === 'invitation' && link.email && (
        <div class="door-others">
          <p class="door-or">or</p>
          <Button
            icon={logIn}
            onClick={() => void goToProvider('/studio/', false).catch((err) => setProblem(err as Error))}
          >
            Join with {provider.name}
          </Button>
          {problem && <ErrorPanel error={problem} />}
        </div>
      )}
    </AuthLayout>
  );
}
