// The first start: the person who has the printed link becomes the owner.

import { useState } from 'preact/hooks';
import { ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { apiPath, post } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Link } from '../../shell/contract.ts';
import { useLoad } from '../../shell/load.ts';
import { session } from '../../shell/session.ts';
import { texts } from '../../texts/shell.ts';
import { AuthForm, AuthLayout, AuthWait, isLongEnough, PersonField } from './auth-layout.tsx';

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
      <AuthLayout title={texts.value.signIn.alreadySetUp} intro={texts.value.signIn.alreadySetUpNote}>
        <ButtonLink look="main" href={`${STUDIO}/sign-in`}>
          {texts.value.common.signIn}
        </ButtonLink>
      </AuthLayout>
    );
  if (token === '' || link.error)
    return (
      <AuthLayout
        title={token === '' ? texts.value.signIn.openLink : texts.value.signIn.oldLink}
        intro={token === '' ? texts.value.signIn.openLinkNote : texts.value.signIn.oldLinkNote}
      >
        <CodeBlock line label={texts.value.signIn.linkCommand} code="platen user link" />
      </AuthLayout>
    );
  if (!link.data) return <AuthWait />;
  return (
    <AuthLayout title={texts.value.signIn.setUpPlaten} intro={texts.value.signIn.setUpNote}>
      <AuthForm
        action={texts.value.signIn.createAccount}
        isReady={name !== '' && email !== '' && isLongEnough(password)}
        submit={() => post(apiPath('setup'), { token, name, email, password })}
        next={`${STUDIO}/`}
      >
        <PersonField of="name" autofocus value={name} onText={setName} />
        <PersonField of="email" hint={texts.value.signIn.emailHint} value={email} onText={setEmail} />
        <PersonField of="new-password" value={password} onText={setPassword} />
      </AuthForm>
    </AuthLayout>
  );
}
