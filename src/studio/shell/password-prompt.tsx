// Asks a person to confirm their identity by password, passkey or identity provider, before sensitive actions.

import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { leaving, useAction } from '../parts/action.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Problem, TextField } from '../parts/field.tsx';
import { fingerprint, logIn } from '../parts/icons.ts';
import { texts } from '../texts/shell.ts';
import { ApiError, apiPath, post } from './api.ts';
import { givePasskey, noPasskeys } from './passkeys.ts';
import { goToProvider } from './provider.ts';
import { session } from './session.ts';

const asking = signal<PromiseWithResolvers<boolean> | null>(null);

/** Shows the question. @returns whether the person has confirmed */
export function confirmPerson(): Promise<boolean> {
  asking.value ??= Promise.withResolvers<boolean>();
  return asking.value.promise;
}

function answer(given: boolean): void {
  asking.value?.resolve(given);
  asking.value = null;
}

/** Shown when needed; rendered once per page. */
export function PasswordPrompt() {
  return asking.value && <Prompt />;
}

function Prompt() {
  const [password, setPassword] = useState('');
  const { isBusy, error: failure, run } = useAction();
  const error = failure && (failure instanceof ApiError ? failure.message : texts.value.frame.wentWrong);
  const { confirmBy = [], provider } = session.value ?? {};
  const hasPassword = confirmBy.includes('password');
  const hasPasskey = confirmBy.includes('passkey') && noPasskeys() === null;
  const confirmed = () => answer(true);
  const byPassword = () => run(() => post(apiPath('session', 'sudo'), { password }).then(confirmed));
  const byPasskey = () => run(() => givePasskey(apiPath('session', 'sudo')).then(confirmed));
  const byProvider = () => run(() => goToProvider(location.pathname + location.search, true).then(leaving));
  return (
    <Dialog
      title={texts.value.frame.confirm}
      onClose={() => answer(false)}
      onSubmit={() => void (hasPassword && byPassword())}
      foot={
        <>
          <Button onClick={() => answer(false)}>{texts.value.common.cancel}</Button>
          {hasPassword && (
            <Button look="main" type="submit" busy={isBusy} disabled={password === ''}>
              {texts.value.frame.continue}
            </Button>
          )}
        </>
      }
    >
      <p class="muted">{texts.value.frame.confirmNote}</p>
      {hasPassword && (
        <TextField
          label={texts.value.common.password}
          type="password"
          autocomplete="current-password"
          autofocus
          value={password}
          error={error}
          onText={setPassword}
        />
      )}
      <Problem of={!hasPassword && error} />
      {hasPasskey && (
        <Button
          icon={fingerprint}
          look={hasPassword ? 'plain' : 'main'}
          disabled={isBusy}
          onClick={() => void byPasskey()}
        >
          {texts.value.common.usePasskey}
        </Button>
      )}
      {provider && (
        <Button icon={logIn} disabled={isBusy} onClick={() => void byProvider()}>
          {texts.value.frame.signInAgainWith(provider.name)}
        </Button>
      )}
      {confirmBy.length === 0 && (
        <p class="muted">
          {texts.value.frame.noPassword} <code>platen user reset</code>.
        </p>
      )}
    </Dialog>
  );
}
