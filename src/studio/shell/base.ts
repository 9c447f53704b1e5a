// The path below which the studio's server lies: of PLATEN_PUBLIC_URL, as the page tells it by the link to its icon.

/** The page's own link, which the server writes (server/http/static-site.ts); there is none where there is no server. */
const icon = globalThis.document?.querySelector<HTMLLinkElement>('link[data-base]');

/** '' or, for a server at https://example.com/platen, `/platen`. */
export const BASE = icon ? new URL(icon.href).pathname.replace(/\/studio\/icon\.svg$/, '') : '';

/** The path of the studio's pages. */
export const STUDIO = `${BASE}/studio`;

/** The part of a path that follows `STUDIO`; null when it is not below it. */
export const belowStudio = (path: string): string | null =>
  path.startsWith(`${STUDIO}/`) ? path.slice(STUDIO.length) : null;
