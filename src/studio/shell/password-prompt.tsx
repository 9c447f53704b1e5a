// Asks for the password again, before what only its owner should do; see `onPasswordNeeded` in api.ts.

import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { ApiError, apiPath, onPasswordNeeded, post } from './api.ts';

const asking = signal<PromiseWithResolvers<boolean> | null>(null);

onPasswordNeeded.handle = () => {
  asking.value ??= Promise.withResolvers<boolean>();
  return asking.value.promise;
};

function answer(given: boolean): void {
  asking.value?.resolve(given);
  asking.value = null;
}

/** Shown when it is needed; once a page. */
export function PasswordPrompt() {
  return asking.value && <Prompt />;
}

function Prompt() {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      await post(apiPath('session', 'sudo'), { password });
      answer(true);
    } catch (err) {
      setError(err instanceof ApiError ? err.message : 'It failed. Try again.');
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Your password again"
      onClose={() => answer(false)}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={() => answer(false)}>Cancel</Button>
          <Button look="main" type="submit" busy={isBusy} disabled={password === ''}>
            Go on
          </Button>
        </>
      }
    >
      <p class="muted">This shows or changes something secret. You will not be asked again for ten minutes.</p>
      <TextField
        label="Password"
        type="password"
        autocomplete="current-password"
        autofocus
        value={password}
        error={error}
        onText={setPassword}
      />
    </Dialog>
  );
}
