// Sign-in by password. Afterwards one is where one wanted to go.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { TextField } from '../../parts/field.tsx';
import { signIn } from '../../shell/session.ts';
import { Door, DoorForm } from './door.tsx';

export default function SignIn() {
  const { query } = useLocation();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  // An address of the studio only: whoever sends a link must not choose where it ends.
  const next = query.next && /^\/studio\/(?!\/)/.test(query.next) ? query.next : '/studio/';
  return (
    <Door
      title="Sign in"
      foot={
        <>
          Locked out? Whoever runs the server makes a new link with <code>platen user reset</code>.
        </>
      }
    >
      <DoorForm
        action="Sign in"
        isReady={email !== '' && password !== ''}
        submit={() => signIn(email, password)}
        next={next}
      >
        <TextField
          label="E-mail"
          type="email"
          name="email"
          autocomplete="username"
          autofocus
          required
          value={email}
          onText={setEmail}
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          autocomplete="current-password"
          required
          value={password}
          onText={setPassword}
        />
      </DoorForm>
    </Door>
  );
}
