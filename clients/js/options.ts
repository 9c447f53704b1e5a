// The options of a client: checked, and completed from the environment.

export interface ClientOptions {
  /** `plt_live_…` or `plt_test_…`; default: PLATEN_KEY. Never put a key into a web page: sign URLs instead. */
  readonly apiKey?: string | undefined;
  /** The server's address, such as `http://127.0.0.1:3000`; default: PLATEN_URL. */
  readonly baseUrl?: string | undefined;
  /** Retries after the first attempt, on a lost connection or a 429, 500, 502, 503 or 504. Default: 2. */
  readonly retries?: number | undefined;
  /** ms for one attempt, including its answer. Default: 60,000. */
  readonly timeout?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface CompleteOptions {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly retries: number;
  readonly timeout: number;
  /** Undefined: the global one, as it is when a request is sent. */
  readonly fetch: typeof fetch | undefined;
}

const NAMES = ['apiKey', 'baseUrl', 'retries', 'timeout', 'fetch'] as const satisfies (keyof ClientOptions)[];
const EXAMPLE = '"http://127.0.0.1:3000"';

/** @throws TypeError for an option that is missing, unknown or no address */
export function completeOptions(options: ClientOptions): CompleteOptions {
  const unknown = Object.keys(options).find((name) => !(NAMES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${unknown}: is no option of the client; the options are ${NAMES.join(', ')}.`);
  }
  const baseUrl = options.baseUrl ?? variable('PLATEN_URL');
  if (!baseUrl) {
    throw new TypeError(`baseUrl: is missing; write the address of the server, such as ${EXAMPLE}, or set PLATEN_URL.`);
  }
  if (!/^https?:\/\//i.test(baseUrl)) {
    throw new TypeError(
      `baseUrl: must begin with http:// or https://, such as ${EXAMPLE}, not ${JSON.stringify(baseUrl)}.`,
    );
  }
  const apiKey = options.apiKey ?? variable('PLATEN_KEY');
  if (!apiKey) throw new TypeError('apiKey: is missing; write a key, such as "plt_live_…", or set PLATEN_KEY.');
  const { retries = 2, timeout = 60_000, fetch } = options;
  return { apiKey, baseUrl: baseUrl.replace(/\/+$/, ''), retries, timeout, fetch };
}

/** Undefined where there is no environment, as in browsers. */
function variable(name: string): string | undefined {
  const { process } = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string>> } };
  return process?.env?.[name];
}
