// What an API key may do. A key without a scope may do everything but what is for owners; one with a scope only what it
// names.

import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';

/**
 * `read`: every list and document; `render`: renders, previews and layouts of templates; `screenshot`: captures of pages.
 * `manage-…`: storing, changing and deleting. Whoever renders or captures may also poll. `read-audit`: what people have
 * done. `manage-secrets`: showing, making and retiring the secrets that sign.
 * `manage-account`: exporting, suspending and deleting the account.
 */
export const RIGHTS = [
  'read',
  'render',
  'screenshot',
  'manage-templates',
  'manage-uploads',
  'manage-renders',
  'read-audit',
  'manage-secrets',
  'manage-account',
] as const;
export type Right = (typeof RIGHTS)[number];

/** What only owners do in the studio. A key without a scope lacks these rights, because editors can make such keys. */
export const OWNERS_RIGHTS: readonly Right[] = ['read-audit', 'manage-secrets', 'manage-account'];

/** The rights of a key without a scope. */
export const UNSCOPED: readonly Right[] = RIGHTS.filter((right) => !OWNERS_RIGHTS.includes(right));

export interface KeyScope {
  readonly rights: readonly Right[];
  /** Ids of the only templates that the key may use; null = all of the account. */
  readonly templates: readonly string[] | null;
}

/** Maximum templates that a key is limited to. */
export const MAX_TEMPLATES = 100;

/** The part of a caller that decides what it may do. */
interface Scoped {
  /** Null = everything. */
  readonly scope: KeyScope | null;
}

/** @throws AppError `forbidden` unless the key has one of the rights */
export function requireRight({ scope }: Scoped, ...rights: readonly Right[]): void {
  const has = scope?.rights ?? UNSCOPED;
  if (rights.some((right) => has.includes(right))) return;
  const needed = rights.map((right) => `"${right}"`).join(' or ');
  const own = has.join(', ') || 'none';
  throw new AppError('forbidden', `This needs a key with the right ${needed}; the rights of this key: ${own}.`);
}

/** @throws AppError `forbidden` when the key is limited to other templates */
export function requireTemplate({ scope }: Scoped, source: unknown): void {
  if (mayUse(scope, source)) return;
  const what = typeof source === 'string' ? quoted(source) : 'one that is not stored';
  throw new AppError(
    'forbidden',
    `This key is limited to certain templates, and ${what} is not among them; use a key with a right to all of them.`,
  );
}

/** @param source the reference of a stored template: `tpl_…` or `tpl_…@3`; anything else is a template that is not stored */
function mayUse(scope: KeyScope | null, source: unknown): boolean {
  if (!scope?.templates) return true;
  return typeof source === 'string' && scope.templates.includes(source.split('@')[0] ?? '');
}

/** @throws AppError `forbidden` for what concerns all templates, when the key is limited to some */
export function requireAllTemplates({ scope }: Scoped): void {
  if (!scope?.templates) return;
  throw new AppError('forbidden', 'This key is limited to certain templates; use a key with a right to all of them.');
}
