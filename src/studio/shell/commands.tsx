// The commands that every page adds to the palette: other pages, other accounts, the theme, and templates by name.

import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { layoutTemplate, logOut, monitor, moon, plus, sun, user } from '../parts/icons.ts';
import { addCommands, addSearch } from '../parts/palette.tsx';
import { language } from '../texts/language.ts';
import { texts } from '../texts/shell.ts';
import { accountPath, call } from './api.ts';
import { belowStudio, STUDIO } from './base.ts';
import type { TemplatePage } from './contract.ts';
import { NAVIGATION } from './frame.tsx';
import { session, signOut } from './session.ts';
import { setTheme } from './theme.ts';

/** Templates that are found at a time. */
const MOST_FOUND = 8;

export function Commands() {
  const { path, route } = useLocation();
  const accounts = session.value?.accounts ?? [];
  const accountId = /^\/a\/([^/]+)/.exec(belowStudio(path) ?? '')?.[1] ?? accounts[0]?.id ?? null;
  const shown = language.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the labels change with the language.
  useEffect(() => {
    const pages = NAVIGATION.flatMap(({ entries }) => entries).map(({ page, icon }) => ({
      label: texts.value.pages[page],
      icon,
      aside: texts.value.frame.goTo,
      run: () => route(`${STUDIO}/a/${accountId}/${page}`),
    }));
    return addCommands([
      ...(accountId === null
        ? []
        : [
            {
              label: texts.value.frame.newTemplate,
              icon: plus,
              run: () => route(`${STUDIO}/a/${accountId}/templates?new=starters`),
            },
            ...pages,
          ]),
      ...accounts
        .filter(({ id }) => id !== accountId)
        .map(({ id, name }) => ({
          label: texts.value.frame.switchTo(name),
          run: () => route(`${STUDIO}/a/${id}/templates`),
        })),
      {
        label: texts.value.common.yourAccount,
        icon: user,
        aside: texts.value.frame.goTo,
        run: () => route(`${STUDIO}/account`),
      },
      { label: texts.value.frame.lightTheme, icon: sun, run: () => setTheme('light') },
      { label: texts.value.frame.darkTheme, icon: moon, run: () => setTheme('dark') },
      { label: texts.value.frame.systemTheme, icon: monitor, run: () => setTheme('system') },
      { label: texts.value.frame.signOut, icon: logOut, run: () => void signOut() },
    ]);
  }, [accountId, accounts, route, shown]);
  useEffect(() => {
    if (accountId === null) return;
    return addSearch(async (query, signal) => {
      const path = accountPath(accountId, 'templates');
      const { items } = await call<TemplatePage>('GET', path, { query: { search: query, limit: MOST_FOUND }, signal });
      return items.map(({ id, name }) => ({
        label: name,
        icon: layoutTemplate,
        aside: texts.value.frame.template,
        run: () => route(`${STUDIO}/a/${accountId}/templates/${id}/edit`),
      }));
    });
  }, [accountId, route]);
  return null;
}
