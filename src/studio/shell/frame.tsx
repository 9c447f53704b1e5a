// The frame around every page but the editor: accounts, navigation, and the person's menu.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
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
  search,
  settings,
  sun,
  type as typeIcon,
  user,
  users,
  webhook,
} from '../parts/icons.ts';
import { Menu } from '../parts/menu.tsx';
import { openPalette } from '../parts/palette.tsx';
import './frame.css';
import { Initials } from './initials.tsx';
import { person, session, signOut } from './session.ts';
import { setTheme, type Theme, theme } from './theme.ts';

/** The name of the command key on this system. */
export const MOD = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl ';

interface Entry {
  readonly page: string;
  readonly label: string;
  readonly icon: IconShapes;
}

/** The pages of an account, in groups. */
export const NAVIGATION: readonly { readonly title: string | null; readonly entries: readonly Entry[] }[] = [
  {
    title: null,
    entries: [
      { page: 'templates', label: 'Templates', icon: layoutTemplate },
      { page: 'brands', label: 'Brands', icon: palette },
      { page: 'images', label: 'Images', icon: image },
      { page: 'fonts', label: 'Fonts', icon: typeIcon },
    ],
  },
  {
    title: 'Activity',
    entries: [
      { page: 'renders', label: 'Renders', icon: play },
      { page: 'deliveries', label: 'Deliveries', icon: webhook },
      { page: 'usage', label: 'Usage', icon: chartColumn },
    ],
  },
  {
    title: 'Account',
    entries: [
      { page: 'keys', label: 'Keys and secrets', icon: keyRound },
      { page: 'people', label: 'People', icon: users },
      { page: 'settings', label: 'Settings', icon: settings },
    ],
  },
];

export function Frame({ accountId, page, children }: { accountId: string; page: string; children: ComponentChildren }) {
  useEffect(() => localStorage.setItem('platen-account', accountId), [accountId]);
  return (
    <div class="frame">
      <a class="skip button button-plain" href="#content">
        Skip to content
      </a>
      <nav class="side" aria-label="Studio">
        <AccountSwitcher accountId={accountId} />
        <button type="button" class="side-search" onClick={openPalette} aria-keyshortcuts="Control+K">
          <Icon of={search} size={14} />
          <span>Search</span>
          <kbd>{MOD}K</kbd>
        </button>
        <PagesMenu accountId={accountId} page={page} />
        {NAVIGATION.map(({ title, entries }) => (
          <div key={title} class="side-group">
            {title && <p class="side-title">{title}</p>}
            {entries.map((entry) => (
              <a
                key={entry.page}
                class="side-link"
                href={`/studio/a/${accountId}/${entry.page}`}
                title={entry.label}
                aria-current={entry.page === page ? 'page' : undefined}
              >
                <Icon of={entry.icon} />
                <span>{entry.label}</span>
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
    </div>
  );
}

/** The pages as a menu, where the window is too narrow for a list of them: the style sheet shows one or the other. */
function PagesMenu({ accountId, page }: { accountId: string; page: string }) {
  return (
    <Menu
      align="end"
      entries={NAVIGATION.flatMap(({ title, entries }) => [
        title !== null && { title },
        ...entries.map((entry) => ({
          label: entry.label,
          icon: entry.icon,
          href: `/studio/a/${accountId}/${entry.page}`,
          ...(entry.page === page ? { checked: true } : {}),
        })),
      ])}
    >
      {(attributes) => <IconButton {...attributes} class="side-menu" icon={menu} label="Pages" />}
    </Menu>
  );
}

function AccountSwitcher({ accountId }: { accountId: string }) {
  const accounts = session.value?.accounts ?? [];
  const current = accounts.find(({ id }) => id === accountId);
  return (
    <Menu
      entries={[
        { title: 'Accounts' },
        ...accounts.map(({ id, name, role }) => ({
          label: name ?? 'Account',
          aside: role,
          href: `/studio/a/${id}/templates`,
          ...(id === accountId ? { checked: true } : {}),
        })),
      ]}
    >
      {(attributes) => (
        <button type="button" class="side-account" {...attributes}>
          <img class="side-mark" src="/studio/icon.svg" alt="" />
          <span class="side-name truncate">{current?.name ?? 'Account'}</span>
          <Icon of={chevronsUpDown} size={14} />
        </button>
      )}
    </Menu>
  );
}

const THEMES: readonly { readonly name: Theme; readonly label: string; readonly icon: IconShapes }[] = [
  { name: 'system', label: 'System', icon: monitor },
  { name: 'light', label: 'Light', icon: sun },
  { name: 'dark', label: 'Dark', icon: moon },
];

function PersonMenu() {
  return (
    <Menu
      entries={[
        { label: 'Your account', icon: user, href: '/studio/account' },
        'line',
        { title: 'Theme' },
        ...THEMES.map(({ name, label, icon }) => ({
          label,
          icon,
          checked: theme.value === name,
          onSelect: () => setTheme(name),
        })),
        'line',
        { label: 'Sign out', icon: logOut, onSelect: () => void signOut() },
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
