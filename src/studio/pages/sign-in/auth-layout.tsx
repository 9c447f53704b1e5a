// The layout of the pages before sign-in: one narrow form.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { leaving, submits, useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { TextField, type TextFieldProps } from '../../parts/field.tsx';
import { ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { STUDIO } from '../../shell/base.ts';
import { loadSession, session } from '../../shell/session.ts';
import './sign-in.css';
import { texts } from '../../texts/shell.ts';

interface DoorProps {
  readonly title: string;
  readonly intro?: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly foot?: ComponentChildren;
}

export function AuthLayout({ title, intro, children, foot }: DoorProps) {
  useEffect(() => {
    document.title = `${title} · Platen Studio`;
  }, [title]);
  const { insecure } = session.value ?? {};
  return (
    <main class="door">
      <div class="door-panel">
        <header class="door-head">
          <img src={`${STUDIO}/icon.svg`} alt="" />
          <h1>{title}</h1>
          {intro && <p>{intro}</p>}
        </header>
        {insecure && <Note warn>{insecure}</Note>}
        {children}
        {foot && <p class="door-foot">{foot}</p>}
      </div>
    </main>
  );
}

/** While it is asked whether a link works. */
export const AuthWait = () => (
  <AuthLayout title={texts.value.signIn.oneMoment}>
    <SkeletonRows rows={3} />
  </AuthLayout>
);

interface DoorFormProps {
  readonly action: string;
  readonly isReady: boolean;
  readonly submit: () => Promise<unknown>;
  /** The address to go to after success. */
  readonly next: string;
  readonly children: ComponentChildren;
}

/** Submits once at a time, shows errors, and checks that the browser kept the cookie. */
export function AuthForm({ action, isReady, submit, next, children }: DoorFormProps) {
  const { isBusy, error, run } = useAction();
  const enter = async () => {
    await submit();
    await loadSession();
    if (!session.value?.person) throw new Error(texts.value.signIn.noCookies);
    location.replace(next);
    await leaving();
  };
  return (
    <form onSubmit={submits(() => void run(enter))}>
      {children}
      {error && <ErrorPanel error={error} />}
      <Button look="main" type="submit" busy={isBusy} disabled={!isReady}>
        {action}
      </Button>
    </form>
  );
}

const INPUTS = {
  name: { name: 'name', autocomplete: 'name' },
  email: { name: 'email', type: 'email', autocomplete: 'username' },
  'current-password': { name: 'password', type: 'password', autocomplete: 'current-password' },
  'new-password': { name: 'password', type: 'password', autocomplete: 'new-password' },
} as const;

/** A field that every person fills in, as password managers know it. A new password says how long it has to be. */
export function PersonField({ of, label, ...rest }: Omit<TextFieldProps, 'label'> & PersonFieldProps) {
  const { common, signIn } = texts.value;
  const own = { name: signIn.yourName, email: common.email }[of as string] ?? common.password;
  const hint = of === 'new-password' ? signIn.passwordHint(session.value?.minPassword ?? 12) : undefined;
  return <TextField {...INPUTS[of]} label={label ?? own} hint={hint} required {...rest} />;
}

interface PersonFieldProps {
  readonly of: keyof typeof INPUTS;
  readonly label?: string;
}

export const isLongEnough = (password: string): boolean => [...password].length >= (session.value?.minPassword ?? 12);
