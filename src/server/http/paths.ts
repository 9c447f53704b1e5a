// Which paths are the studio's and its API's, and which are Gotenberg's.

export const STUDIO = '/studio';
/** Beside the API for keys, as all API paths begin with the version. */
const STUDIO_API = '/v1/studio';

/** Whether a path belongs to the studio's API, whose errors are JSON and whose requests have a session. */
export const isStudioApi = (path: string) => path === STUDIO_API || path.startsWith(`${STUDIO_API}/`);

/** Whether a path is of Gotenberg's routes, whose errors are plain text. */
export const isGotenbergPath = (path: string): boolean => path.startsWith('/forms/');

/**
 * The error for a route of Gotenberg that is not served.
 *
 * @param isOn whether the ones that Platen has are
 */
export const withoutGotenberg = (path: string, isOn: boolean): string =>
  isOn
    ? `not found: Platen has no ${path}; of Gotenberg's routes it has /forms/chromium/convert/html, /convert/url, /screenshot/html and /screenshot/url. Keep Gotenberg for the others.`
    : "not found: Gotenberg's routes are off; PLATEN_GOTENBERG=true turns them on.";
