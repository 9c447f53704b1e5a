// A typed client for the API of a Platen server.

import type {
  Accepted,
  Account,
  AuditList,
  Batch,
  BatchRequest,
  BatchResult,
  Font,
  FontList,
  Image,
  Job,
  Layout,
  MergedBatchRequest,
  PreviewRequest,
  RenderList,
  RenderRequest,
  RenderResult,
  RetiredSecrets,
  ScreenshotRequest,
  Secret,
  SecretList,
  StoredTemplate,
  Template,
  TemplateSummary,
  Usage,
  VersionList,
} from './contract.generated.ts';
import { JobFailedError, PlatenError } from './errors.ts';
import type { ClientOptions } from './options.ts';
import { type Call, type RequestOptions, Transport } from './transport.ts';
import { wait } from './wait.ts';

/** An answer with the API's warnings, which come in a response header. */
export type WithWarnings<T> = T & { readonly warnings: readonly string[] };

/**
 * The modifications of templates, by template id. It is empty here; the module that `platen types` writes adds the
 * templates that it was given, whose modifications are then checked when a program is compiled.
 */
// biome-ignore lint/suspicious/noEmptyInterface: other modules add to it
export interface TemplateModifications {}

/** A stored template's id, or a template that is not stored. */
export type TemplateReference = NonNullable<RenderRequest['template']>;

/** What a request may modify: the layers that `platen types` wrote down, or anything. */
export type ModificationsOf<T> = T extends keyof TemplateModifications
  ? TemplateModifications[T]
  : NonNullable<RenderRequest['modifications']>;

interface Modified<T> {
  /** A stored template's id, or `id@3` for a version; or a template itself, which is then not stored. */
  readonly template?: T;
  /** Layer name → value. A string sets the layer's text, image source, value or fill; an object is merged into it. */
  readonly modifications?: ModificationsOf<T>;
}

/** A render request whose caller waits for the asset. */
export type RenderNow<T = TemplateReference> = Omit<
  RenderLater,
  'webhookUrl' | keyof Modified<T> | keyof OneOfADesign
> &
  Modified<T> &
  OneOfADesign;
/** A render request for every combination of several sizes, languages and brands. */
export type RenderSeveral<T = TemplateReference> = Omit<RenderLater, 'webhookUrl' | keyof Modified<T>> & Modified<T>;

/** What is chosen of a design, for one file. */
interface OneOfADesign {
  /** The name of a size. */
  readonly size?: string;
  /** BCP 47. */
  readonly lang?: string;
  /** A brand in place of the template's own. */
  readonly brand?: string;
}

export type CaptureNow = Omit<ScreenshotRequest, 'async' | 'webhookUrl' | 'response'>;
export type RenderLater<T = TemplateReference> = Omit<RenderRequest, 'async' | 'response' | keyof Modified<T>> &
  Modified<T>;
export type CaptureLater = Omit<ScreenshotRequest, 'async' | 'response'>;

/** A rendered file, which is also stored at its URL. */
export interface Download {
  readonly id: string;
  readonly url: string;
  readonly bytes: ArrayBuffer;
  /** The media type: `image/png`. */
  readonly type: string;
  readonly warnings: readonly string[];
}

/** The file of a batch, as it arrives: the server makes it while it is sent. */
export interface BatchFile {
  /** Of the file, with its extension. */
  readonly name: string;
  /** The media type: `application/pdf` or `application/zip`. */
  readonly type: string;
  readonly body: ReadableStream<Uint8Array>;
}

/** Which renders to list; absent = any. */
export interface RenderFilter {
  readonly status?: Job['status'];
  readonly kind?: Job['kind'];
  readonly output?: RenderResult['output'];
  /** The id of a stored template. */
  readonly template?: string;
  /** Items of a page: 1 to 200, 50 by default. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

/** Which entries of the audit log to list; absent = any. */
export interface AuditFilter {
  /** The id of a person or an API key. */
  readonly actor?: string;
  readonly action?: AuditList['entries'][number]['action'];
  /** Items of a page: 1 to 200, 50 by default. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

export interface Upload {
  readonly body: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  /** The media type; absent: the blob's own, or detected by the server. */
  readonly type?: string;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** ms in total; absent: no limit. */
  readonly timeout?: number;
}

type SecretPurpose = SecretList['secrets'][number]['purpose'];

/** ms between polls of a job or batch: the first pause, its growth factor, and the longest pause. */
const POLL = { first: 250, growth: 1.5, most: 5_000 };

export class Platen {
  readonly #transport: Transport;

  /** @throws TypeError for an option that is missing, unknown or no address */
  constructor(options: ClientOptions = {}) {
    this.#transport = new Transport(options);
  }

  readonly renders = {
    /** Renders a template, stored or sent along, and waits for the asset. */
    create: <const T extends TemplateReference>(request: RenderNow<T>, options?: RequestOptions) =>
      this.#warned<RenderResult>('/v1/renders', request, options),
    /** Renders several sizes, languages or brands of a template; one that fails is `{error}` in its place. */
    createSeveral: <const T extends TemplateReference>(request: RenderSeveral<T>, options?: RequestOptions) =>
      this.#warned<BatchResult>('/v1/renders', request, options),
    /** Like `create`, with the file itself as the answer. */
    download: <const T extends TemplateReference>(request: RenderNow<T>, options?: RequestOptions) =>
      this.#download('/v1/renders', request, options),
    /** Accepts a render as a job; `jobs.wait` or its webhook reports the end. */
    enqueue: <const T extends TemplateReference>(request: RenderLater<T>, options?: RequestOptions) =>
      this.#warned<Accepted>('/v1/renders', { ...request, async: true }, options),
    /** One page of renders, screenshots and jobs, newest first; `next` is the `after` of the next page. */
    list: ({ signal, ...filter }: RenderFilter & Pick<RequestOptions, 'signal'> = {}): Promise<RenderList> =>
      this.#read<RenderList>(`/v1/history${queryOf(filter)}`, signal ? { signal } : {}),
    /** Deletes a finished render with its file; it stays counted. */
    delete: (id: string, options?: RequestOptions) => this.#delete(`/v1/history/${segment(id)}`, options),
    /** Up to 50 renders in one request; an item that fails is `{error}` in its place. */
    batch: (request: BatchRequest, options?: RequestOptions) =>
      this.#warned<BatchResult>('/v1/renders/batch', request, options),
  };

  readonly screenshots = {
    /** Captures a public web page and waits for the asset. */
    create: (request: CaptureNow, options?: RequestOptions) =>
      this.#warned<RenderResult>('/v1/screenshots', request, options),
    /** Like `create`, with the file itself as the answer. */
    download: (request: CaptureNow, options?: RequestOptions) => this.#download('/v1/screenshots', request, options),
    enqueue: (request: CaptureLater, options?: RequestOptions) =>
      this.#warned<Accepted>('/v1/screenshots', { ...request, async: true }, options),
  };

  readonly jobs = {
    get: (id: string, options?: RequestOptions) => this.#read<Job>(`/v1/renders/${segment(id)}`, options),
    /**
     * Polls a job until it has ended.
     *
     * @throws JobFailedError with the job's error message; PlatenError with status 0 after `timeout`
     */
    wait: (id: string, options: WaitOptions = {}): Promise<RenderResult> =>
      poll('job', options, async (signal) => {
        const job = await this.jobs.get(id, { signal });
        if (job.status === 'error') throw new JobFailedError(id, job.error ?? 'The job failed.');
        return job.result;
      }),
  };

  /** Up to 10,000 items of one template as jobs, which end in one PDF or zip. */
  readonly batches = {
    create: (request: MergedBatchRequest, options?: RequestOptions) =>
      this.#warned<Batch>('/v1/batches', request, options),
    get: (id: string, options?: RequestOptions) => this.#read<Batch>(`/v1/batches/${segment(id)}`, options),
    /**
     * Polls a batch until all its items are over; `errors` of the batch tells which of them failed.
     *
     * @throws JobFailedError when no item succeeded, with the first one's error message; PlatenError with status 0 after
     *   `timeout`
     */
    wait: (id: string, options: WaitOptions = {}): Promise<Batch> =>
      poll('batch', options, async (signal) => {
        const batch = await this.batches.get(id, { signal });
        if (batch.failed === batch.count) throw new JobFailedError(id, batch.errors[0]?.error ?? 'Every item failed.');
        return batch.done + batch.failed === batch.count ? batch : null;
      }),
    /**
     * The file of a batch that is over, as it arrives: `await writeFile(file.name, file.body)`. The client's `timeout` is
     * that until it begins.
     *
     * @throws PlatenError with status 409 while items are not over
     */
    download: async (id: string, options?: RequestOptions): Promise<BatchFile> => {
      const path = `/v1/batches/${segment(id)}/file`;
      const { headers, body } = await this.#transport.open({ method: 'GET', path, ...options });
      const [, name = ''] = /filename\*=UTF-8''([^;]*)/.exec(headers.get('content-disposition') ?? '') ?? [];
      const type = headers.get('content-type') ?? '';
      return { name: decodeURIComponent(name), type, body: body ?? new ReadableStream() };
    },
  };

  readonly templates = {
    list: (options?: RequestOptions): Promise<readonly TemplateSummary[]> =>
      this.#all<TemplateSummary>('/v1/templates', 'templates', options),
    create: (template: Template, options?: RequestOptions) =>
      this.#json<StoredTemplate>({
        method: 'POST',
        path: '/v1/templates',
        json: template,
        isIdempotent: true,
        ...options,
      }),
    get: (id: string, { version, ...options }: RequestOptions & { readonly version?: number } = {}) =>
      this.#read<StoredTemplate>(`/v1/templates/${segment(id)}${version ? `?version=${version}` : ''}`, options),
    /** Saves a new version, which later renders use. */
    replace: (id: string, template: Template, options?: RequestOptions) =>
      this.#json<StoredTemplate>({ method: 'PUT', path: `/v1/templates/${segment(id)}`, json: template, ...options }),
    delete: (id: string, options?: RequestOptions) => this.#delete(`/v1/templates/${segment(id)}`, options),
    versions: (id: string, options?: RequestOptions): Promise<VersionList['versions']> =>
      this.#all<VersionList['versions'][number]>(`/v1/templates/${segment(id)}/versions`, 'versions', options),
    /** The bytes of a render that is neither metered nor stored. */
    preview: async <const T extends string>(
      id: T,
      request: Omit<PreviewRequest, 'modifications'> & { readonly modifications?: ModificationsOf<T> } = {},
      options?: RequestOptions,
    ): Promise<ArrayBuffer> => {
      const path = `/v1/templates/${segment(id)}/preview`;
      return (await this.#transport.send({ method: 'POST', path, json: request, ...options })).body;
    },
    /** Where a render would put every layer. */
    layout: <const T extends string>(id: T, modifications?: ModificationsOf<T>, options?: RequestOptions) =>
      this.#json<Layout>({
        method: 'POST',
        path: `/v1/templates/${segment(id)}/layout`,
        json: { modifications: modifications ?? {} },
        ...options,
      }),
  };

  readonly images = {
    /** Accepts PNG, JPEG, WebP, GIF, AVIF or SVG, at most 15 MiB; the image's id can be the `src` of an image layer. */
    upload: (upload: Upload, options?: RequestOptions) => this.#upload<Image>('/v1/images', upload, options),
    list: (options?: RequestOptions): Promise<readonly Image[]> => this.#all<Image>('/v1/images', 'images', options),
    get: (id: string, options?: RequestOptions) => this.#read<Image>(`/v1/images/${segment(id)}`, options),
    delete: (id: string, options?: RequestOptions) => this.#delete(`/v1/images/${segment(id)}`, options),
  };

  readonly fonts = {
    /**
     * Accepts TTF, OTF, WOFF or WOFF2, at most 5 MiB; the family is available to the account's own templates.
     *
     * @param upload `family` is the name for templates; absent: that in the file
     */
    upload: ({ family, ...upload }: Upload & { readonly family?: string }, options?: RequestOptions) =>
      this.#upload<Font>(`/v1/fonts${queryOf({ family })}`, upload, options),
    list: async (options?: RequestOptions): Promise<readonly Font[]> =>
      (await this.#read<FontList>('/v1/fonts', options)).fonts,
    delete: (id: string, options?: RequestOptions) => this.#delete(`/v1/fonts/${segment(id)}`, options),
  };

  /** One page of who did what, newest first. It takes a key that names the right `read-audit` in its scope. */
  audit({ signal, ...filter }: AuditFilter & Pick<RequestOptions, 'signal'> = {}): Promise<AuditList> {
    return this.#read<AuditList>(`/v1/audit${queryOf(filter)}`, signal ? { signal } : {});
  }

  /** The secrets that sign. They take a key that names the right `manage-secrets` in its scope. */
  readonly secrets = {
    /** What each secret is, by its last characters. */
    list: async (options?: RequestOptions): Promise<SecretList['secrets']> =>
      (await this.#read<SecretList>('/v1/secrets', options)).secrets,
    /** The newest secret: what signs render URLs, or webhooks. */
    show: (purpose: SecretPurpose, options?: RequestOptions) => this.#secret(purpose, 'show', options),
    /** Makes a new secret; signatures of older ones are accepted until they are retired. */
    rotate: (purpose: SecretPurpose, options?: RequestOptions) => this.#secret(purpose, 'rotate', options),
    /** Accepts the newest secret alone, and returns how many were retired. */
    retire: async (purpose: SecretPurpose, options?: RequestOptions): Promise<number> =>
      (await this.#json<RetiredSecrets>({ method: 'POST', path: `/v1/secrets/${purpose}/retire`, ...options })).retired,
  };

  /** The account of the API key; also the simplest way to check a key. */
  account(options?: RequestOptions): Promise<Account> {
    return this.#read<Account>('/v1/account', options);
  }

  /** The usage of this month. */
  usage(options?: RequestOptions): Promise<Usage> {
    return this.#read<Usage>('/v1/usage', options);
  }

  async #warned<T>(path: string, json: unknown, options?: RequestOptions): Promise<WithWarnings<T>> {
    const call: Call = { method: 'POST', path, json, isIdempotent: true, ...options };
    const { body, warnings } = await this.#transport.send(call);
    return { ...parsed<T>(body), warnings };
  }

  async #secret(purpose: SecretPurpose, act: 'show' | 'rotate', options?: RequestOptions): Promise<string> {
    return (await this.#json<Secret>({ method: 'POST', path: `/v1/secrets/${purpose}/${act}`, ...options })).secret;
  }

  async #download(path: string, request: object, options?: RequestOptions): Promise<Download> {
    const json = { ...request, response: 'bytes' };
    const { body, warnings, headers } = await this.#transport.send({
      method: 'POST',
      path,
      json,
      isIdempotent: true,
      ...options,
    });
    const read = (name: string) => headers.get(name) ?? '';
    return {
      id: read('platen-render-id'),
      url: read('platen-render-url'),
      bytes: body,
      type: read('content-type'),
      warnings,
    };
  }

  #upload<T>(path: string, { body, type }: Upload, options?: RequestOptions): Promise<T> {
    const own = body instanceof Blob ? body.type : '';
    const bytes = { body, type: type ?? (own === '' ? 'application/octet-stream' : own) };
    return this.#json<T>({ method: 'POST', path, bytes, isIdempotent: true, ...options });
  }

  #read<T>(path: string, options?: RequestOptions): Promise<T> {
    return this.#json<T>({ method: 'GET', path, ...options });
  }

  /** The items of all pages of a list. */
  async #all<Item>(path: string, name: string, options?: RequestOptions): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let query: string | null = ''; query !== null; ) {
      const page: Readonly<Record<string, unknown>> = await this.#read(`${path}${query}`, options);
      items.push(...(page[name] as readonly Item[]));
      query = typeof page.next === 'string' ? `?after=${encodeURIComponent(page.next)}` : null;
    }
    return items;
  }

  async #delete(path: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: 'DELETE', path, ...options });
  }

  async #json<T>(call: Call): Promise<T> {
    return parsed<T>((await this.#transport.send(call)).body);
  }
}

/**
 * Calls `look` until it finds something.
 *
 * @param what for the message of what takes too long
 * @throws PlatenError with status 0 after `timeout`
 */
async function poll<T>(
  what: string,
  { signal, timeout = Number.POSITIVE_INFINITY }: WaitOptions,
  look: (signal: AbortSignal) => Promise<T | null>,
): Promise<T> {
  const limit = new AbortController();
  const end = () => limit.abort(new PlatenError(0, `The ${what} is not over after ${timeout} ms.`));
  // A timer with a longer delay fires at once.
  const timer = timeout < 2 ** 31 ? setTimeout(end, timeout) : undefined;
  // Bounds the requests too, of a server that does not answer.
  const until = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  try {
    for (let pause = POLL.first; ; pause = Math.min(pause * POLL.growth, POLL.most)) {
      const found = await look(until);
      if (found !== null) return found;
      await wait(pause, until);
    }
  } finally {
    clearTimeout(timer);
  }
}

const parsed = <T>(body: ArrayBuffer): T => JSON.parse(new TextDecoder().decode(body)) as T;

/** `?name=value&…` of what is given, or nothing. */
function queryOf(filter: object): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

/** Encodes an id as one path segment; `id@3` keeps its at sign. */
const segment = (id: string) => encodeURIComponent(id).replace('%40', '@');
