// The first start: the person who has the printed link becomes the owner.

import { useState } from 'preact/hooks';
import { ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { TextField } from '../../parts/field.tsx';
import { apiPath, post } from '../../shell/api.ts';
import { session } from '../../shell/session.ts';
import { Door, DoorForm, isLongEnough, passwordHint } from './door.tsx';

/** Read from the fragment, which no proxy sees, and then removed from the address. */
const token = location.hash.slice(1);

export default function SetUp() {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  if (session.value?.claimed)
    return (
      <Door
        title="This server has an owner"
        intro="The set-up link was used already. Sign in, or ask the owner for an invitation."
      >
        <ButtonLink look="main" href="/studio/sign-in">
          Sign in
        </ButtonLink>
      </Door>
    );
  if (token === '')
    return (
      <Door
        title="Open the set-up link"
        intro="The server printed a link when it started. It is valid for 30 minutes; this command prints a new one:"
      >
        <CodeBlock line label="Command for a new link" code="npm run platen -- user link" />
      </Door>
    );
  return (
    <Door title="Set up Platen" intro="You become the owner of this server. Others come later, by invitation.">
      <DoorForm
        action="Create the owner"
        isReady={name !== '' && email !== '' && isLongEnough(password)}
        submit={() => post(apiPath('setup'), { token, name, email, password })}
        next="/studio/"
      >
        <TextField label="Your name" name="name" autocomplete="name" autofocus required value={name} onText={setName} />
        <TextField
          label="E-mail"
          hint="To sign in with. No mail is sent to it."
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
      </DoorForm>
    </Door>
  );
}
