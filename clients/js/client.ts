// A typed client for the API of a Platen server.

import type {
  Accepted,
  Account,
  BatchRequest,
  BatchResult,
  Font,
  FontList,
  Image,
  ImageList,
  Job,
  Layout,
  PreviewRequest,
  RenderRequest,
  RenderResult,
  ScreenshotRequest,
  StoredTemplate,
  Template,
  TemplateList,
  TemplateSummary,
  Usage,
  VersionList,
} from './contract.generated.ts';
import { JobFailedError, PlatenError } from './errors.ts';
import { type Call, type RequestOptions, Transport, type TransportOptions } from './transport.ts';
import { wait } from './wait.ts';

export type ClientOptions = TransportOptions;

/** An answer with the API's warnings, which come in a response header. */
export type WithWarnings<T> = T & { readonly warnings: readonly string[] };

/** A render request whose caller waits for the asset. */
export type RenderNow = Omit<RenderRequest, 'async' | 'webhookUrl'>;
export type CaptureNow = Omit<ScreenshotRequest, 'async' | 'webhookUrl'>;
export type RenderLater = Omit<RenderRequest, 'async'>;
export type CaptureLater = Omit<ScreenshotRequest, 'async'>;

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

/** ms between polls of a job: the first pause, its growth factor, and the longest pause. */
const POLL = { first: 250, growth: 1.5, most: 5_000 };

export class Platen {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  readonly renders = {
    /** Renders a stored template and waits for the asset. */
    create: (request: RenderNow, options?: RequestOptions) =>
      this.#warned<RenderResult>('/v1/renders', request, options),
    /** Accepts a render as a job; `jobs.wait` or its webhook reports the end. */
    enqueue: (request: RenderLater, options?: RequestOptions) =>
      this.#warned<Accepted>('/v1/renders', { ...request, async: true }, options),
    /** Up to 50 renders in one request; an item that fails is `{error}` in its place. */
    batch: (request: BatchRequest, options?: RequestOptions) =>
      this.#warned<BatchResult>('/v1/renders/batch', request, options),
  };

  readonly screenshots = {
    /** Captures a public web page and waits for the asset. */
    create: (request: CaptureNow, options?: RequestOptions) =>
      this.#warned<RenderResult>('/v1/screenshots', request, options),
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
    wait: async (
      id: string,
      { signal, timeout = Number.POSITIVE_INFINITY }: WaitOptions = {},
    ): Promise<RenderResult> => {
      const limit = new AbortController();
      const end = () => limit.abort(new PlatenError(0, `The job is not over after ${timeout} ms.`));
      // A timer with a longer delay fires at once.
      const timer = timeout < 2 ** 31 ? setTimeout(end, timeout) : undefined;
      // Bounds the requests too, of a server that does not answer.
      const until = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
      try {
        for (let pause = POLL.first; ; pause = Math.min(pause * POLL.growth, POLL.most)) {
          const job = await this.jobs.get(id, { signal: until });
          if (job.result) return job.result;
          if (job.status === 'error') throw new JobFailedError(id, job.error ?? 'The job failed.');
          await wait(pause, until);
        }
      } finally {
        clearTimeout(timer);
      }
    },
  };

  readonly templates = {
    list: async (options?: RequestOptions): Promise<readonly TemplateSummary[]> =>
      (await this.#read<TemplateList>('/v1/templates', options)).templates,
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
    versions: async (id: string, options?: RequestOptions): Promise<VersionList['versions']> =>
      (await this.#read<VersionList>(`/v1/templates/${segment(id)}/versions`, options)).versions,
    /** The bytes of a render that is neither metered nor stored. */
    preview: async (id: string, request: PreviewRequest = {}, options?: RequestOptions): Promise<ArrayBuffer> => {
      const path = `/v1/templates/${segment(id)}/preview`;
      return (await this.#transport.send({ method: 'POST', path, json: request, ...options })).body;
    },
    /** Where a render would put every layer. */
    layout: (id: string, modifications: RenderNow['modifications'] = {}, options?: RequestOptions) =>
      this.#json<Layout>({
        method: 'POST',
        path: `/v1/templates/${segment(id)}/layout`,
        json: { modifications },
        ...options,
      }),
  };

  readonly images = {
    /** Accepts PNG, JPEG, WebP, GIF, AVIF or SVG, at most 15 MiB; the image's id can be the `src` of an image layer. */
    upload: (upload: Upload, options?: RequestOptions) => this.#upload<Image>('/v1/images', upload, options),
    list: async (options?: RequestOptions): Promise<readonly Image[]> =>
      (await this.#read<ImageList>('/v1/images', options)).images,
    get: (id: string, options?: RequestOptions) => this.#read<Image>(`/v1/images/${segment(id)}`, options),
    delete: (id: string, options?: RequestOptions) => this.#delete(`/v1/images/${segment(id)}`, options),
  };

  readonly fonts = {
    /** Accepts TTF, OTF, WOFF or WOFF2, at most 5 MiB; the family is available to the account's own templates. */
    upload: (upload: Upload, options?: RequestOptions) => this.#upload<Font>('/v1/fonts', upload, options),
    list: async (options?: RequestOptions): Promise<readonly Font[]> =>
      (await this.#read<FontList>('/v1/fonts', options)).fonts,
    delete: (id: string, options?: RequestOptions) => this.#delete(`/v1/fonts/${segment(id)}`, options),
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

  #upload<T>(path: string, { body, type }: Upload, options?: RequestOptions): Promise<T> {
    const own = body instanceof Blob ? body.type : '';
    const bytes = { body, type: type ?? (own === '' ? 'application/octet-stream' : own) };
    return this.#json<T>({ method: 'POST', path, bytes, isIdempotent: true, ...options });
  }

  #read<T>(path: string, options?: RequestOptions): Promise<T> {
    return this.#json<T>({ method: 'GET', path, ...options });
  }

  async #delete(path: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: 'DELETE', path, ...options });
  }

  async #json<T>(call: Call): Promise<T> {
    return parsed<T>((await this.#transport.send(call)).body);
  }
}

const parsed = <T>(body: ArrayBuffer): T => JSON.parse(new TextDecoder().decode(body)) as T;

/** Encodes an id as one path segment; `id@3` keeps its at sign. */
const segment = (id: string) => encodeURIComponent(id).replace('%40', '@');
