// The page of a link that a person received: an invitation to an account, or a password reset.

import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { logIn } from '../../parts/icons.ts';
import { ErrorPanel } from '../../parts/states.tsx';
import { apiPath, post } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Link } from '../../shell/contract.ts';
import { useLoad } from '../../shell/load.ts';
import { goToProvider } from '../../shell/provider.ts';
import { session } from '../../shell/session.ts';
import { texts } from '../../texts/shell.ts';
import { AuthForm, AuthLayout, AuthWait, isLongEnough, PersonField } from './auth-layout.tsx';

const token = location.hash.slice(1);

export default function Join() {
  const { data, error, reload } = useLoad('link', () => post<Link>(apiPath('links', 'look'), { token }));
  if (error)
    return (
      <AuthLayout title={texts.value.signIn.badLink} intro={texts.value.signIn.badLinkNote}>
        <ErrorPanel error={error} onRetry={reload} />
        <ButtonLink href={`${STUDIO}/sign-in`}>{texts.value.common.signIn}</ButtonLink>
      </AuthLayout>
    );
  if (!data) return <AuthWait />;
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
  const title = isReset ? texts.value.signIn.choosePassword : texts.value.signIn.join(link.account?.name ?? 'Platen');
  const intro = isReset ? texts.value.signIn.resetFor(link.email) : texts.value.asRole[link.role ?? 'viewer'];
  return (
    <AuthLayout title={title} intro={intro}>
      <AuthForm
        action={isReset ? texts.value.signIn.setPassword : texts.value.signIn.joinNow}
        isReady={
          password !== '' &&
          (!isNew || (name !== '' && email !== '')) &&
          (link.isKnown && !isReset ? true : isLongEnough(password))
        }
        submit={() => post(apiPath('links'), { token, password, ...(isNew ? { name, email } : {}) })}
        next={`${STUDIO}/`}
      >
        {isNew && (
          <>
            <PersonField of="name" autofocus value={name} onText={setName} />
            <PersonField of="email" readOnly={link.email !== null} value={email} onText={setEmail} />
          </>
        )}
        <PersonField
          of={isNew || isReset ? 'new-password' : 'current-password'}
          label={isNew || isReset ? texts.value.signIn.newPassword : texts.value.signIn.passwordOf(link.email)}
          value={password}
          onText={setPassword}
        />
      </AuthForm>
      {provider && link.kind === 'invitation' && link.email && (
        <div class="door-others">
          <p class="door-or">{texts.value.signIn.or}</p>
          <Button
            icon={logIn}
            onClick={() => void goToProvider(`${STUDIO}/`, false).catch((err) => setProblem(err as Error))}
          >
            {texts.value.signIn.joinWith(provider.name)}
          </Button>
          {problem && <ErrorPanel error={problem} />}
        </div>
      )}
    </AuthLayout>
  );
}
