// Paths of the studio and its API. The latter is beside the API for keys, as all API paths begin with the version.

export const STUDIO = '/studio';
const STUDIO_API = '/v1/studio';

/** Whether a path belongs to the studio's API, whose errors are JSON and whose requests have a session. */
export const isStudioApi = (path: string) => path === STUDIO_API || path.startsWith(`${STUDIO_API}/`);
