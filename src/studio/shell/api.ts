// Requests to the server's studio routes, and their errors.

import { texts } from '../texts/shell.ts';
import { BASE } from './base.ts';
import type { ListPage } from './contract.ts';
/** An answer that is not a success, or no answer. `message` is a sentence for the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 if no answer came. */
  readonly status: number;
  /** An error code of the contract, such as `not_found`; `offline` if no answer came. */
  readonly code: string;
  /** The whole answer. Some codes have more fields: `changed` has who saved and when. */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, detail: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

export interface CallOptions {
  /** Sent as JSON; a Blob or FormData is sent unchanged. */
  readonly body?: unknown;
  /** Values that are undefined or '' are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** How requests say who asks: by the session's cookie. The embedded editor sets a token's headers instead. */
export const credentials: { mode: RequestCredentials; headers: Readonly<Record<string, string>> } = {
  mode: 'same-origin',
  headers: {},
};
/** Called when the session has ended; set by the shell. */
export const onSignedOut: { handle: () => void } = { handle: () => {} };
/** Asks the user for the password again, and returns whether it was given; set by the shell. */
export const onPasswordNeeded: { handle: () => Promise<boolean> } = { handle: async () => false };

/** Sends one request and returns the response; throws an `ApiError` for anything but a success. */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, query = {}, headers = {}, signal } = options;
  const isRaw = body instanceof Blob || body instanceof FormData;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const search = parameters.size > 0 ? `?${parameters}` : '';
  let response: Response;
  try {
    response = await fetch(path + search, {
      method,
      credentials: credentials.mode,
      headers: {
        ...credentials.headers,
        ...(body !== undefined && !isRaw ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (err) {
    if (signal?.aborted) throw err;
    throw new ApiError(0, 'offline', texts.value.frame.offline);
  }
  if (response.ok) return response;
  const problem = await readProblem(response);
  if (problem.status === 401 && !path.endsWith('/session')) onSignedOut.handle();
  if (problem.code === 'password_needed' && (await onPasswordNeeded.handle())) return send(method, path, options);
  throw problem;
}

async function readProblem(response: Response): Promise<ApiError> {
  const answer = (await response.json().catch(() => null)) as { error?: string; code?: string } | null;
  const { error = texts.value.frame.responded(response.status), code = 'unknown' } = answer ?? {};
  return new ApiError(response.status, code, error, answer ?? {});
}

/** Sends one request and returns its JSON answer; undefined if it is empty. */
export async function call<T>(method: string, path: string, options?: CallOptions): Promise<T> {
  const response = await send(method, path, options);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

export const get = <T>(path: string, query?: CallOptions['query']): Promise<T> =>
  call<T>('GET', path, query ? { query } : {});
/** The items of all pages of a list, up to 1,000: for choices, and lists that are searched where they are shown. */
export async function getAll<T>(path: string): Promise<readonly T[]> {
  const items: T[] = [];
  for (let next: string | null = ''; next !== null && items.length < 1_000; ) {
    const page: ListPage<T> = await get(path, { limit: 200, after: next });
    items.push(...page.items);
    next = page.next ?? null;
  }
  return items;
}
export const post = <T>(path: string, body?: unknown): Promise<T> =>
  call<T>('POST', path, body === undefined ? {} : { body });
export const put = <T>(path: string, body: unknown): Promise<T> => call<T>('PUT', path, { body });
export const remove = <T = void>(path: string): Promise<T> => call<T>('DELETE', path);

const API = `${BASE}/v1/studio`;
/** `/v1/studio/…` of the person, or of one account. */
export const apiPath = (...parts: readonly string[]): string => [API, ...parts.map(encodeURIComponent)].join('/');
export const accountPath = (accountId: string, ...parts: readonly string[]): string =>
  apiPath('accounts', accountId, ...parts);
