// The commands that every page adds to the palette: other pages, other accounts, the theme, and templates by name.

import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { layoutTemplate, logOut, monitor, moon, plus, sun, user } from '../parts/icons.ts';
import { addCommands, addSearch } from '../parts/palette.tsx';
import { accountPath, call } from './api.ts';
import type { TemplatePage } from './contract.ts';
import { NAVIGATION } from './frame.tsx';
import { session, signOut } from './session.ts';
import { setTheme } from './theme.ts';

/** Templates that are found at a time. */
const MOST_FOUND = 8;

export function Commands() {
  const { path, route } = useLocation();
  const accounts = session.value?.accounts ?? [];
  const accountId = /^\/studio\/a\/([^/]+)/.exec(path)?.[1] ?? accounts[0]?.id ?? null;
  useEffect(() => {
    const pages = NAVIGATION.flatMap(({ entries }) => entries).map(({ page, label, icon }) => ({
      label,
      icon,
      aside: 'Go to',
      run: () => route(`/studio/a/${accountId}/${page}`),
    }));
    return addCommands([
      ...(accountId === null
        ? []
        : [
            { label: 'New template', icon: plus, run: () => route(`/studio/a/${accountId}/templates?new=starters`) },
            ...pages,
          ]),
      ...accounts
        .filter(({ id }) => id !== accountId)
        .map(({ id, name }) => ({ label: `Switch to ${name}`, run: () => route(`/studio/a/${id}/templates`) })),
      { label: 'Your account', icon: user, aside: 'Go to', run: () => route('/studio/account') },
      { label: 'Light theme', icon: sun, run: () => setTheme('light') },
      { label: 'Dark theme', icon: moon, run: () => setTheme('dark') },
      { label: 'System theme', icon: monitor, run: () => setTheme('system') },
      { label: 'Sign out', icon: logOut, run: () => void signOut() },
    ]);
  }, [accountId, accounts, route]);
  useEffect(() => {
    if (accountId === null) return;
    return addSearch(async (query, signal) => {
      const path = accountPath(accountId, 'templates');
      const { items } = await call<TemplatePage>('GET', path, { query: { search: query, limit: MOST_FOUND }, signal });
      return items.map(({ id, name }) => ({
        label: name,
        icon: layoutTemplate,
        aside: 'Template',
        run: () => route(`/studio/a/${accountId}/templates/${id}/edit`),
      }));
    });
  }, [accountId, route]);
  return null;
}
