// Where the studio and its API are: beside the API for keys, as every path of an API begins with its version.

export const STUDIO = '/studio';
const STUDIO_API = '/v1/studio';

/** Whether a path is the API's, whose errors are JSON and whose requests have a session. */
export const isStudioApi = (path: string) => path === STUDIO_API || path.startsWith(`${STUDIO_API}/`);
