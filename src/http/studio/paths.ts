// Where the studio and its API are.

export const STUDIO = '/studio';
export const STUDIO_API = `${STUDIO}/api`;

/** Whether a path is the API's, whose errors are JSON and whose requests have a session. */
export const isStudioApi = (path: string) => path === STUDIO_API || path.startsWith(`${STUDIO_API}/`);
