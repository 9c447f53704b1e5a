// The frame around every page but the editor: accounts, navigation, the person's menu, and the palette on Mod+K.

import { setSignal } from '../parts/action.ts';
import './frame.css';
import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { IconButton } from '../parts/button.tsx';
import { Icon, type IconShapes } from '../parts/icon.tsx';
import {
  chartColumn,
  chevronsUpDown,
  image,
  keyRound,
  layoutTemplate,
  logOut,
  menu,
  monitor,
  moon,
  palette,
  play,
  plus,
  search,
  settings,
  sun,
  type as typeIcon,
  user,
  users,
  webhook,
} from '../parts/icons.ts';
import { Menu } from '../parts/menu.tsx';
import { Palette, type Search } from '../parts/palette.tsx';
import { toastError } from '../parts/toast.tsx';
import { isMac } from '../parts/ui-root.ts';
import { chooseLanguage, chosenLanguage } from '../texts/chosen-language.ts';
import type { ShellTexts } from '../texts/en/shell.ts';
import { LANGUAGES, type Language } from '../texts/language.ts';
import { texts } from '../texts/shell.ts';
import { accountPath, call } from './api.ts';
import { STUDIO } from './base.ts';
import type { TemplatePage } from './contract.ts';
import { person, session, signOut } from './session.ts';

type Page = keyof ShellTexts['pages'];
type Group = readonly [name: keyof ShellTexts['pageGroups'] | null, pages: Partial<Readonly<Record<Page, IconShapes>>>];

/** The pages of an account, in groups, each with its icon. */
const PAGES: readonly Group[] = [
  [null, { templates: layoutTemplate, brands: palette, images: image, fonts: typeIcon }],
  ['activity', { renders: play, deliveries: webhook, usage: chartColumn }],
  ['account', { keys: keyRound, people: users, settings }],
];
const NAVIGATION = PAGES.map(([group, pages]) => ({
  group,
  entries: (Object.entries(pages) as [Page, IconShapes][]).map(([page, icon]) => ({ page, icon })),
}));

/** Templates that are found at a time. */
const MOST_FOUND = 8;

/** What every page has in its palette: other pages, other accounts, the theme, and templates by name. */
function PagePalette({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const { route } = useLocation();
  const account = `${STUDIO}/a/${accountId}`;
  const find = useCallback<Search>(
    async (query, signal) => {
      const path = accountPath(accountId, 'templates');
      const { items } = await call<TemplatePage>('GET', path, { query: { search: query, limit: MOST_FOUND }, signal });
      return items.map(({ id, name }) => ({
        label: name,
        icon: layoutTemplate,
        aside: texts.value.frame.template,
        run: () => route(`${STUDIO}/a/${accountId}/templates/${id}/edit`),
      }));
    },
    [accountId, route],
  );
  const others = (session.value?.accounts ?? []).filter(({ id }) => id !== accountId);
  const entries = [
    { label: texts.value.frame.newTemplate, icon: plus, run: () => route(`${account}/templates?new=starters`) },
    ...NAVIGATION.flatMap(({ entries }) => entries).map(({ page, icon }) => ({
      label: texts.value.pages[page],
      icon,
      aside: texts.value.frame.goTo,
      run: () => route(`${account}/${page}`),
    })),
    ...others.map(({ id, name }) => ({
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
  ];
  const { search: hint, noResults: none } = texts.value.parts;
  return <Palette {...{ hint, none, entries, find, onClose }} label={texts.value.common.commands} />;
}

export function Frame({ accountId, page, children }: { accountId: string; page: string; children: ComponentChildren }) {
  const isSearching = useSignal(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isMod = event.metaKey || event.ctrlKey;
      if (event.key.toLowerCase() !== 'k' || !isMod || event.shiftKey || event.altKey) return;
      event.preventDefault();
      isSearching.value = !isSearching.peek();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isSearching]);
  useEffect(() => localStorage.setItem('platen-account', accountId), [accountId]);
  return (
    <div class="frame">
      <a class="skip button button-plain" href="#content">
        {texts.value.frame.skip}
      </a>
      <nav class="side" aria-label={texts.value.frame.studio}>
        <AccountSwitcher accountId={accountId} />
        <button
          type="button"
          class="side-search"
          onClick={() => setSignal(isSearching, true)}
          aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        >
          <Icon of={search} size={14} />
          <span>{texts.value.frame.search}</span>
          <kbd>{isMac ? '⌘' : texts.value.frame.ctrl}K</kbd>
        </button>
        <PagesMenu accountId={accountId} page={page} />
        {NAVIGATION.map(({ group, entries }) => (
          <div key={group} class="side-group">
            {group && <p class="side-title">{texts.value.pageGroups[group]}</p>}
            {entries.map((entry) => (
              <a
                key={entry.page}
                class="side-link"
                href={`${STUDIO}/a/${accountId}/${entry.page}`}
                title={texts.value.pages[entry.page]}
                aria-current={entry.page === page ? 'page' : undefined}
              >
                <Icon of={entry.icon} />
                <span>{texts.value.pages[entry.page]}</span>
              </a>
            ))}
          </div>
        ))}
        <div class="side-foot">
          <PersonMenu />
        </div>
      </nav>
      <main class="page" id="content" tabIndex={-1}>
        {children}
      </main>
      {isSearching.value && <PagePalette accountId={accountId} onClose={() => setSignal(isSearching, false)} />}
    </div>
  );
}

/** The pages as a menu, where the window is too narrow for a list of them: the style sheet shows one or the other. */
function PagesMenu({ accountId, page }: { accountId: string; page: string }) {
  return (
    <Menu
      align="end"
      entries={NAVIGATION.flatMap(({ group, entries }) => [
        group !== null && { title: texts.value.pageGroups[group] },
        ...entries.map((entry) => ({
          label: texts.value.pages[entry.page],
          icon: entry.icon,
          href: `${STUDIO}/a/${accountId}/${entry.page}`,
          ...(entry.page === page ? { checked: true } : {}),
        })),
      ])}
    >
      {(attributes) => <IconButton {...attributes} class="side-menu" icon={menu} label={texts.value.frame.pages} />}
    </Menu>
  );
}

function AccountSwitcher({ accountId }: { accountId: string }) {
  const accounts = session.value?.accounts ?? [];
  const current = accounts.find(({ id }) => id === accountId);
  return (
    <Menu
      entries={[
        { title: texts.value.frame.accounts },
        ...accounts.map(({ id, name, role }) => ({
          label: name ?? texts.value.frame.account,
          aside: texts.value.roles[role],
          href: `${STUDIO}/a/${id}/templates`,
          ...(id === accountId ? { checked: true } : {}),
        })),
      ]}
    >
      {(attributes) => (
        <button type="button" class="side-account" {...attributes}>
          <img class="side-mark" src={`${STUDIO}/icon.svg`} alt="" />
          <span class="side-name truncate">{current?.name ?? texts.value.frame.account}</span>
          <Icon of={chevronsUpDown} size={14} />
        </button>
      )}
    </Menu>
  );
}

const THEMES: readonly { readonly name: Theme; readonly icon: IconShapes }[] = [
  { name: 'system', icon: monitor },
  { name: 'light', icon: sun },
  { name: 'dark', icon: moon },
];

function PersonMenu() {
  return (
    <Menu
      entries={[
        { label: texts.value.common.yourAccount, icon: user, href: `${STUDIO}/account` },
        'line',
        { title: texts.value.frame.theme },
        ...THEMES.map(({ name, icon }) => ({
          label: texts.value.themes[name],
          icon,
          checked: theme.value === name,
          onSelect: () => setTheme(name),
        })),
        'line',
        { title: texts.value.frame.language },
        ...[null, ...(Object.keys(LANGUAGES) as Language[])].map((next) => ({
          label: next === null ? texts.value.frame.asTheBrowser : LANGUAGES[next],
          checked: chosenLanguage.value === next,
          onSelect: () => void chooseLanguage(next).catch(toastError),
        })),
        'line',
        { label: texts.value.frame.signOut, icon: logOut, onSelect: () => void signOut() },
      ]}
    >
      {(attributes) => (
        <button type="button" class="side-account" {...attributes}>
          <Initials name={person.value?.name ?? ''} />
          <span class="side-name truncate">{person.value?.name}</span>
          <Icon of={chevronsUpDown} size={14} />
        </button>
      )}
    </Menu>
  );
}

interface PageHeadProps {
  readonly title: ComponentChildren;
  /** One sentence under the title. */
  readonly intro?: ComponentChildren;
  /** At most one of them is `look="main"`. */
  readonly actions?: ComponentChildren;
  /** The window's title; by default the page's title, if that is a text. */
  readonly name?: string;
}

/** The head of a page: its title and its actions. */
export function PageHead({ title, intro, actions, name }: PageHeadProps) {
  const windowName = name ?? (typeof title === 'string' ? title : 'Platen');
  useEffect(() => {
    document.title = `${windowName} · Platen Studio`;
  }, [windowName]);
  return (
    <>
      <header class="page-head">
        <h1 class="truncate">{title}</h1>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {intro && <p class="page-intro">{intro}</p>}
    </>
  );
}

// The theme: the system's, or the one chosen in this browser.

type Theme = 'system' | 'light' | 'dark';

/** public/theme.js reads the same key before the first paint. */
const KEY = 'platen-theme';

const kept = localStorage.getItem(KEY);
const theme = signal<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system');

function setTheme(next: Theme): void {
  theme.value = next;
  if (next === 'system') {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEY, next);
    document.documentElement.dataset.theme = next;
  }
}

/** A person's first letters in a circle. */
export function Initials({ name }: { name: string }) {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('');
  return (
    <span class="initials" aria-hidden="true">
      {letters.toUpperCase() || '?'}
    </span>
  );
}
