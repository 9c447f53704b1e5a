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
import { toastError } from '../parts/toast.tsx';
import { isMac } from '../parts/ui-root.ts';
import { chooseLanguage, chosenLanguage } from '../texts/chosen-language.ts';
import type { ShellTexts } from '../texts/en/shell.ts';
import { LANGUAGES, type Language } from '../texts/language.ts';
import { STUDIO } from './base.ts';
import './frame.css';
import { texts } from '../texts/shell.ts';
import { Initials } from './initials.tsx';
import { person, session, signOut } from './session.ts';
import { setTheme, type Theme, theme } from './theme.ts';

interface Entry {
  readonly page: keyof ShellTexts['pages'];
  readonly icon: IconShapes;
}

/** The pages of an account, in groups. */
export const NAVIGATION: readonly {
  readonly group: keyof ShellTexts['pageGroups'] | null;
  readonly entries: readonly Entry[];
}[] = [
  {
    group: null,
    entries: [
      { page: 'templates', icon: layoutTemplate },
      { page: 'brands', icon: palette },
      { page: 'images', icon: image },
      { page: 'fonts', icon: typeIcon },
    ],
  },
  {
    group: 'activity',
    entries: [
      { page: 'renders', icon: play },
      { page: 'deliveries', icon: webhook },
      { page: 'usage', icon: chartColumn },
    ],
  },
  {
    group: 'account',
    entries: [
      { page: 'keys', icon: keyRound },
      { page: 'people', icon: users },
      { page: 'settings', icon: settings },
    ],
  },
];

export function Frame({ accountId, page, children }: { accountId: string; page: string; children: ComponentChildren }) {
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
          onClick={openPalette}
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
