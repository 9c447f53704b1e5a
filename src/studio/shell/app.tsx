// Maps addresses to pages, and asks people to confirm who they are above any of them.

import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation, useRoute } from 'preact-iso';
import { leaving, useAction } from '../parts/action.ts';
import { Button } from '../parts/button.tsx';
import { ContextMenus } from '../parts/context-menu.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Problem, TextField } from '../parts/field.tsx';
import { fingerprint, logIn } from '../parts/icons.ts';
import { ErrorPanel } from '../parts/states.tsx';
import { Tips } from '../parts/tips.tsx';
import { Toasts } from '../parts/toast.tsx';
import { texts } from '../texts/shell.ts';
import { ApiError, apiPath, onPasswordNeeded, post } from './api.ts';
import { STUDIO } from './base.ts';
import { Frame } from './frame.tsx';
import type { TemplatePageProps } from './page-props.ts';
import { givePasskey, noPasskeys } from './passkeys.ts';
import { goToProvider } from './provider.ts';
import { loadSession, session } from './session.ts';

/** A component whose code is fetched when it is first rendered, or by `preload`. */
type Lazy<Props> = ComponentType<Props> & { readonly preload: () => Promise<unknown> };

const SignIn = lazy(() => import('../pages/sign-in/sign-in.tsx'));
const SetUp = lazy(() => import('../pages/sign-in/set-up.tsx'));
const Join = lazy(() => import('../pages/sign-in/join.tsx'));
const FromProvider = lazy(() => import('../pages/sign-in/from-provider.tsx'));
// Whoever comes to sign in need not wait for the code once it is known that there is no session.
if (/\/(?:sign-in|setup|join|reset|oidc)$/.test(location.pathname)) void SignIn.preload();
const Visit = lazy(() => import('../pages/review/visit.tsx'));
const Account = lazy(() => import('../pages/account/account.tsx'));
const PAGES = {
  templates: lazy(() => import('../pages/templates/templates.tsx')),
  renders: lazy(() => import('../pages/renders/renders.tsx')),
  deliveries: lazy(() => import('../pages/deliveries/deliveries.tsx')),
  brands: lazy(() => import('../pages/brands/brands.tsx')),
  images: lazy(() => import('../pages/images/images.tsx')),
  fonts: lazy(() => import('../pages/fonts/fonts.tsx')),
  keys: lazy(() => import('../pages/keys/keys.tsx')),
  usage: lazy(() => import('../pages/usage/usage.tsx')),
  people: lazy(() => import('../pages/people/people.tsx')),
  settings: lazy(() => import('../pages/settings/settings.tsx')),
} as const;
const TEMPLATE_PAGES = {
  edit: lazy(() => import('../editor/editor.tsx').then(({ Editor }) => Editor)),
  use: lazy(() => import('../pages/use/use.tsx')),
  versions: lazy(() => import('../pages/versions/versions.tsx')),
  review: lazy(() => import('../pages/review/review.tsx')),
} as const;

onPasswordNeeded.handle = confirmPerson;

/** Other links are left to the browser. */
const SCOPE = STUDIO.replace(/[^\w/-]/g, '\\$&');
const PAGES_ONLY = new RegExp(`^${SCOPE}/`);

export function App() {
  const [error, setError] = useState<Error | null>(null);
  // Of a page whose code is there already, the router says nothing.
  const [opening, setOpening] = useState<'first' | 'next' | null>(null);
  const isFirst = useRef(true);
  const load = () => {
    setError(null);
    loadSession().catch(setError);
  };
  useEffect(load, []);
  if (error)
    return (
      <main class="lone">
        <ErrorPanel error={error} onRetry={load} />
      </main>
    );
  if (!session.value) return <Opening isFirst />;
  return (
    <LocationProvider scope={PAGES_ONLY}>
      {opening !== null && <Opening isFirst={opening === 'first'} />}
      <ErrorBoundary onError={(err) => console.error(err)}>
        <Router
          onLoadStart={() => setOpening((now) => now ?? (isFirst.current ? 'first' : 'next'))}
          onLoadEnd={() => {
            isFirst.current = false;
            setOpening(null);
          }}
        >
          <Route path={`${STUDIO}/setup`} component={SetUp} />
          <Route path={`${STUDIO}/join`} component={Join} />
          <Route path={`${STUDIO}/reset`} component={Join} />
          <Route path={`${STUDIO}/sign-in`} component={SignIn} />
          <Route path={`${STUDIO}/oidc`} component={FromProvider} />
          <Route path={`${STUDIO}/review`} component={Visit} />
          <Route path={`${STUDIO}/account`} component={AccountPage} />
          <Route path={`${STUDIO}/a/:accountId/templates/:templateId/:page`} component={AccountPages} />
          <Route path={`${STUDIO}/a/:accountId/:page`} component={AccountPages} />
          <Route path={`${STUDIO}/a/:accountId`} component={Home} />
          <Route path={`${STUDIO}/`} component={Home} />
          <Route default component={NotFound} />
        </Router>
      </ErrorBoundary>
      {session.value.person && <PasswordPrompt />}
      <ContextMenus />
      <Tips />
      <Toasts />
    </LocationProvider>
  );
}

/** Shown while the code of a page is loaded: at first with the outline of a page, which index.html has from the start. */
const Opening = ({ isFirst }: { readonly isFirst: boolean }) => (
  <div class={isFirst ? 'opening is-first' : 'opening'}>
    <progress aria-label={texts.value.parts.loading} />
  </div>
);

/** Replaces the address as soon as it is rendered. */
function Go({ to }: { to: string }) {
  const { route } = useLocation();
  useEffect(() => route(to, true), [to, route]);
  return null;
}

/** Sends a person without a session to sign-in, and afterwards back to the page that they wanted. */
function ToSignIn() {
  // The address of the wanted page, not of the page that this redirects to.
  const [url] = useState(useLocation().url);
  if (session.value?.claimed === false) return <Go to={`${STUDIO}/setup`} />;
  return <Go to={url === `${STUDIO}/` ? `${STUDIO}/sign-in` : `${STUDIO}/sign-in?next=${encodeURIComponent(url)}`} />;
}

function Home() {
  if (!session.value?.person) return <ToSignIn />;
  const kept = localStorage.getItem('platen-account');
  const { accounts } = session.value;
  const account = accounts.find(({ id }) => id === kept) ?? accounts[0];
  return <Go to={account ? `${STUDIO}/a/${account.id}/templates` : `${STUDIO}/account`} />;
}

/** A page of an account, or of one of its templates. */
function AccountPages() {
  const { accountId = '', templateId = '', page = '' } = useRoute().params;
  if (!session.value?.person) return <ToSignIn />;
  const pages: Readonly<Record<string, Lazy<TemplatePageProps>>> = templateId === '' ? PAGES : TEMPLATE_PAGES;
  const Content = pages[page];
  if (!Content || !session.value.accounts.some(({ id }) => id === accountId)) return <NotFound />;
  void Content.preload();
  const content = <Content key={templateId} accountId={accountId} templateId={templateId} />;
  // The editor takes the whole window.
  if (page === 'edit') return content;
  return (
    <Frame accountId={accountId} page={templateId === '' ? page : 'templates'}>
      {content}
    </Frame>
  );
}

function AccountPage() {
  if (!session.value?.person) return <ToSignIn />;
  const [first] = session.value.accounts;
  if (!first) return <Account />;
  return (
    <Frame accountId={localStorage.getItem('platen-account') ?? first.id} page="account">
      <Account />
    </Frame>
  );
}

function NotFound() {
  return (
    <main class="lone">
      <h1>{texts.value.frame.notFound}</h1>
      <p class="muted">{texts.value.frame.notFoundNote}</p>
      <a href={`${STUDIO}/`}>{texts.value.frame.toTemplates}</a>
    </main>
  );
}

// Asks a person to confirm their identity by password, passkey or identity provider, before sensitive actions.

const asking = signal<PromiseWithResolvers<boolean> | null>(null);

/** Shows the question. @returns whether the person has confirmed */
function confirmPerson(): Promise<boolean> {
  asking.value ??= Promise.withResolvers<boolean>();
  return asking.value.promise;
}

function answer(given: boolean): void {
  asking.value?.resolve(given);
  asking.value = null;
}

/** Shown when needed; rendered once per page. */
function PasswordPrompt() {
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
