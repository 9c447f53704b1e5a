// The composition root: creates every part of the server, in order of dependency.
//
// Everything opened here is returned as a disposable, which closes it all in reverse order.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium, notRun } from '#chromium/find-chromium.ts';
import { ByteBudget } from '#concurrency/byte-budget.ts';
import { ConcurrencyLimit } from '#concurrency/concurrency-limit.ts';
import { eachAtMost, Gate } from '#concurrency/gate.ts';
import { SingleFlight } from '#concurrency/single-flight.ts';
import { AppError } from '#errors';
import { openFontLibrary } from '#fonts/font-library.ts';
import { createMetricsServer } from '#http/metrics.ts';
import { createHttpServer } from '#http/server.ts';
import { inspectImage } from '#images/inspect.ts';
import { MAX_DECODE_BYTES } from '#images/limits.ts';
import { MemoryBudget } from '#images/memory-budget.ts';
import { setSvgFonts } from '#images/svg-process.ts';
import { openEngine } from '#jobs/open-engine.ts';
import { DEFAULT_EXPORT } from '#output/formats.ts';
import type { Renderer } from '#renderer/renderer.ts';
import { ThreadedRenderer } from '#renderer/threaded-renderer.ts';
import { TwoLanes } from '#renderer/two-lanes.ts';
import { Accounts } from '#service/accounts.ts';
import { Assets } from '#service/assets.ts';
import { AuditLog } from '#service/audit.ts';
import { createDemo, type Demo } from '#service/demo.ts';
import { doJob, type JobContext } from '#service/do-job.ts';
import { Drafts } from '#service/drafts.ts';
import { FontCatalogue } from '#service/font-catalogue.ts';
import { AccountFonts } from '#service/fonts.ts';
import { Idempotency } from '#service/idempotency.ts';
import { openOutside } from '#service/image-sources.ts';
import { ImageLibrary } from '#service/images.ts';
import { Keys } from '#service/keys.ts';
import { Leases } from '#service/leases.ts';
import type { Metrics } from '#service/metrics.ts';
import { withPages } from '#service/page-source.ts';
import { openPages } from '#service/pages.ts';
import { pagesElsewhere } from '#service/pages-elsewhere.ts';
import { Ceremonies } from '#service/people/ceremonies.ts';
import { KnownBrowsers } from '#service/people/known-browsers.ts';
import { Links } from '#service/people/links.ts';
import { Members } from '#service/people/members.ts';
import { Passkeys } from '#service/people/passkeys.ts';
import { People } from '#service/people/people.ts';
import { Sessions } from '#service/people/sessions.ts';
import { SingleSignOn } from '#service/people/single-sign-on.ts';
import { Tries } from '#service/people/tries.ts';
import { Quota } from '#service/quota.ts';
import { RateLimit } from '#service/rate-limit.ts';
import { RecentVariants } from '#service/recent-variants.ts';
import { drawRequest, type RenderContext, turnOfJobs } from '#service/render.ts';
import type { RenderRequest } from '#service/render-request.ts';
import { RenderStorage } from '#service/render-storage.ts';
import { type RetentionContext, sweep } from '#service/retention.ts';
import { captureRequest, type ScreenshotContext } from '#service/screenshot.ts';
import type { ScreenshotRequest } from '#service/screenshot-options.ts';
import { ServerChecks } from '#service/server-checks.ts';
import { StorageLimit, storageUsed } from '#service/storage-limit.ts';
import { openSupplies } from '#service/supplies.ts';
import type { TemplateChecks } from '#service/template-checks.ts';
import { TemplateLibrary } from '#service/templates.ts';
import { ThreadedChecks } from '#service/threaded-checks.ts';
import { Thumbnails } from '#service/thumbnails.ts';
import { Variants } from '#service/variants.ts';
import { openWebhookTransport } from '#service/webhook-transport.ts';
import { Deliveries, sendWebhook, type WebhookTransport } from '#service/webhooks.ts';
import { isDenied } from '#storage/full-disk.ts';
import { openBlobs } from '#storage/open-blobs.ts';
import { isPostgresUrl } from '#storage/open-database.ts';
import { lockForServer, requireSession } from '#storage/server-lock.ts';
import { openStorage, type Storage } from '#storage/storage.ts';
import { type Config, publicAddress } from './config.ts';
import { freeBytes } from './free-bytes.ts';
import { newWorkerName } from './ids.ts';
import type { Log } from './log.ts';
import { openTelemetry } from './open-telemetry.ts';
import { openServerMetrics } from './server-metrics.ts';
import { observed } from './trace.ts';
import { newRequestId } from './trace-context.ts';

const SAMPLES = join(import.meta.dirname, '../samples');
/** Built by `npm run build:studio`; at the same path in a checkout and in the npm package. */
const STUDIO_FILES = join(import.meta.dirname, '../dist/studio');
const DOCS_FILES = join(import.meta.dirname, '../dist/docs');

/** Deadline of one render, ms. */
const RENDER_DEADLINE = 30_000;
/** Maximum renders that hold their images and fonts in memory at the same time. */
const RENDERS_IN_HAND = 64;
/** Additional places for accounts that hold none. */
const SPARE = 4;
/** Maximum slow renders among these. */
const SLOW_IN_HAND = 2;
/** Pause between attempts to start processing jobs, ms. */
const BUSY_PAUSE = 1_000;
/**
 * Connections that may wait to be accepted; further attempts are dropped, and clients repeat them after a second. The
 * system may allow fewer (net.core.somaxconn). With Node's default of 511, many connections of one account cost another
 * account that second.
 */
const BACKLOG = 4_096;
/** Lease time for creating the demo account, ms: of servers that start together, one creates it. */
const DEMO_TAKES = 60_000;
/** Sign-ins by passkey or identity provider that an IP address may begin per minute. */
const CEREMONIES_PER_MINUTE = 60;
/** The same for all clients of a peer that may be a proxy. */
const CEREMONIES_PER_PROXY = 600;
/** How long a request waits for memory, ms. */
const MEMORY_PATIENCE = 10_000;
/** How long a stop waits for running requests, jobs and webhooks, ms. */
const DRAIN_TIME = 25_000;

/** The services that the server and the command line share for one data folder. */
export interface Services extends AsyncDisposable {
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly accounts: Accounts;
  readonly audit: AuditLog;
  readonly keys: Keys;
  readonly templates: TemplateLibrary;
  readonly images: ImageLibrary;
  readonly deliveries: Deliveries;
  readonly fonts: AccountFonts;
  readonly sessions: Sessions;
  readonly browsers: KnownBrowsers;
  readonly people: People;
  readonly links: Links;
  readonly members: Members;
  readonly passkeys: Passkeys;
  /** Null where no identity provider is configured. */
  readonly singleSignOn: SingleSignOn | null;
}

/**
 * Opens the data folder, which several processes may do at once.
 *
 * @param ownClock replaces the storage's clock
 * @param inspect for uploads
 * @param checks of templates
 */
export async function openServices(
  config: Config,
  ownClock?: () => Date,
  inspect: Renderer['inspect'] = inspectImage,
  checks?: TemplateChecks,
): Promise<Services> {
  await using parts = new AsyncDisposableStack();
  const storage = parts.use(await openStorage(config.database));
  const clock = ownClock ?? storage.clock;
  const uploads = parts.use(await openBlobs(config, 'images'));
  const fontBlobs = parts.use(await openBlobs(config, 'uploaded-fonts'));
  const opened = parts.move();
  const sessions = new Sessions(storage, clock);
  const browsers = new KnownBrowsers(storage, clock);
  const peopleContext = { storage, clock, sessions, browsers, tries: new Tries(storage, clock) };
  const people = new People(peopleContext);
  const perMinute = (most: number) => new RateLimit(most, clock);
  const rates = [perMinute(CEREMONIES_PER_MINUTE), perMinute(CEREMONIES_PER_PROXY)] as const;
  const ceremonies = new Ceremonies(storage, clock, ...rates);
  const limit = new StorageLimit(config.plans);
  return {
    storage,
    clock,
    sessions,
    browsers,
    people,
    links: new Links(peopleContext, people),
    members: new Members(storage, clock),
    passkeys: new Passkeys(peopleContext, ceremonies),
    singleSignOn: config.oidc && new SingleSignOn(config.oidc, peopleContext, ceremonies),
    accounts: new Accounts(storage, config.plans, clock),
    audit: new AuditLog(storage),
    keys: new Keys(storage, clock),
    templates: new TemplateLibrary(storage, clock, checks, limit),
    images: new ImageLibrary(storage, uploads, inspect, clock, limit),
    deliveries: new Deliveries(storage, clock),
    fonts: new AccountFonts(storage, fontBlobs, clock, limit),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

export interface RunningServer extends AsyncDisposable {
  /** The URL with which links begin. */
  readonly url: string;
  /** The port it listens on. */
  readonly port: number;
  /** The port of the metrics, or null. */
  readonly metricsPort: number | null;
  /** The link whose user becomes the owner; null once there are people. */
  readonly setupLink: string | null;
  /** The demo created at the first start on the data folder, else null. */
  readonly demo: Demo | null;
  /** Draws a sample, so that the first request is answered as quickly as later ones. */
  warmUp(): Promise<void>;
  /**
   * Begins to stop: no more jobs are started, `/readyz` answers 503, and every answer closes its connection. Requests
   * are still served. Returns after `PLATEN_DRAIN_DELAY`, in which load balancers take the server out of rotation; then
   * dispose of the server.
   */
  drain(): Promise<void>;
}

/** Dependencies of the server on its environment, which tests may replace. */
export interface World {
  readonly clock: () => Date;
  /** Disposed of with the server. */
  readonly openRenderer: (config: Config) => Renderer | Promise<Renderer>;
  readonly webhookTransport: WebhookTransport;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /**
   * Whether jobs start only after `warmUp`. An attempt is counted when a job is claimed: a server that crashes before
   * it can draw would blame the crash on the job.
   */
  readonly jobsAwaitWarmUp: boolean;
}

/**
 * Starts the server.
 *
 * @throws AppError `conflict` when another server uses the data folder, or the port is taken
 */
export async function startServer(config: Config, log: Log, world: Partial<World> = {}): Promise<RunningServer> {
  try {
    return await start(config, log, world);
  } catch (cause) {
    const isSaid = cause instanceof AppError && cause.code === 'conflict';
    if (isSaid || !isDenied(cause)) throw cause;
    const problem = `The folder ${config.dataFolder} cannot be written to.`;
    throw new AppError('conflict', `${problem} Let this user write there, or set PLATEN_DATA to another one.`, {
      cause,
    });
  }
}

async function start(config: Config, log: Log, world: Partial<World>): Promise<RunningServer> {
  await using parts = new AsyncDisposableStack();
  const {
    clock: ownClock,
    random = Math.random,
    jobsAwaitWarmUp = false,
    webhookTransport = parts.use(openWebhookTransport(config)),
    openRenderer = ({ fontFolders, renderConcurrency, rasterMemory, fontMemory }) => {
      const memory = new MemoryBudget(MAX_DECODE_BYTES);
      const warn = (message: string, err: unknown) => log.error({ err }, message);
      const open = (concurrency: number, keptMemory: number, fontShare: number) =>
        new ThreadedRenderer(
          { fontFolders, concurrency, keptMemory, fontMemory: fontMemory * fontShare },
          warn,
          memory,
        );
      return new TwoLanes(open(renderConcurrency, rasterMemory, 2 / 3), () => open(1, 0, 1 / 3));
    },
  } = world;
  const { metrics, requests, waited, countedRenderer, countedPages, watch, ...counted } = parts.use(
    openServerMetrics(),
  );
  const warnOfSpans = (message: string, err: unknown) => log.warn({ err }, message);
  const observer = parts.use(await openTelemetry(config.telemetry, warnOfSpans)).traced(counted.observer);
  const library = await openFontLibrary({ folders: config.fontFolders });
  const { alone, roles } = config;
  const withoutBrowser = !roles.has('browser');
  const chromium = withoutBrowser
    ? null
    : parts.use(
        openPages(config, {
          fonts: library,
          onWarning: (message) => log.warn(message),
          onDenied: (err) => log.info({ err }, 'a page was refused a connection'),
          onTurn: (ms) => waited('pages', ms),
        }),
      );
  const pages = chromium ? countedPages(chromium.pages) : pagesElsewhere(config);
  const gates = {
    admission: new Gate({
      concurrency: RENDERS_IN_HAND,
      waiting: config.renderQueue,
      spare: SPARE,
      onTurn: (ms) => waited('admission', ms),
    }),
    ...(chromium ? { pages: chromium.gate } : {}),
  };
  // Starts in parallel with the rest.
  const renderer = parts.use(countedRenderer(await openRenderer(config)));
  const outside = withPages(parts.use(openOutside(config)), pages);
  const checks = parts.use(new ThreadedChecks({ onWarning: (message, err) => log.error({ err }, message) }));
  await requireSession(config.database);
  if (alone) parts.use(await lockForServer(config.database));
  const services = parts.use(await openServices(config, ownClock, (file) => renderer.inspect(file), checks));
  const { storage, images, clock } = services;
  if (await storage.isIncomplete()) {
    throw new AppError(
      'conflict',
      'Only a part of the data was moved into this database. Run "platen migrate-to" once more, until it says that all was moved.',
    );
  }
  const worker = newWorkerName();
  const leases = new Leases({ storage, clock, holder: worker, alone });

  const { chromiumPath } = config;
  if (chromiumPath !== null && !withoutBrowser && findChromium(config) === null) log.warn(notRun(chromiumPath));
  setSvgFonts(library.folders, library.generic);
  for (const problem of [...library.missing, ...library.skipped]) log.info(problem);
  if (isPostgresUrl(config.database) && alone) {
    log.warn(
      `rows are in PostgreSQL but files in ${config.dataFolder}: back up both together; a second server can only start where files are shared, by ASSETS_URL or PLATEN_SHARED_FILES`,
    );
  }
  if (config.allowPrivateNetworks.length > 0 || config.allowLinkLocal) {
    log.warn(
      'images, pages and webhooks may reach networks that are not public: PLATEN_ALLOW_PRIVATE_NETWORKS, PLATEN_ALLOW_LINK_LOCAL',
    );
  }
  if (config.publicUrl === null && !/^(localhost|127\..*|::1)$/.test(config.host)) {
    log.warn(
      'PLATEN_PUBLIC_URL is not set: behind a proxy, set it to the address that clients use, and let the proxy set X-Forwarded-For, by which clients are told apart',
    );
  }
  const assetBlobs = parts.use(await openBlobs(config, 'assets'));
  const variantBlobs = parts.use(await openBlobs(config, 'variants'));

  const renderStorage = new RenderStorage(storage, config.plans, clock);
  const quota = new Quota(storage.usage, config.plans, clock, renderStorage);
  const abandoned = alone ? await quota.recover() : 0;
  if (abandoned > 0) log.warn({ units: abandoned }, 'gave back what a killed server had set aside');

  let port = config.port;
  const address = () => publicAddress(config, port);
  let stopping = false;
  const supplies = openSupplies({ fonts: services.fonts, images, library, pages, outside, address });
  const pageFilesOf = async (accountId: string) =>
    supplies.pageFiles({ accountId, uploadsVersion: await storage.accounts.uploadsVersion(accountId) });
  const rendering: RenderContext = {
    templates: services.templates,
    quota,
    assets: new Assets(storage, assetBlobs, () => config.assetsUrl ?? address(), clock, renderStorage),
    renderer,
    ...supplies,
    admission: gates.admission,
    slow: new Gate({ concurrency: SLOW_IN_HAND, waiting: config.renderQueue }),
    deadline: RENDER_DEADLINE,
    withoutBrowser,
    underWay: new SingleFlight(({ bytes }) => freeBytes(bytes)),
  };
  const sending = { secrets: storage.secrets, transport: webhookTransport, clock, random, log, observer };
  const engine = parts.use(
    await openEngine({
      database: config.database,
      storage,
      alone,
      withoutBrowser,
      concurrency: config.jobConcurrency,
      worker,
      clock,
      random,
      doJob: (job) => {
        if (job.attempt === 1) waited('jobs', Math.max(0, clock().getTime() - job.createdAt.getTime()));
        const trace = job.trace ?? { requestId: newRequestId(), traceparent: null, tracestate: null };
        return observed(observer, { kind: 'job', job: job.id, attempt: job.attempt }, trace, () => doJob(jobs, job));
      },
      send: (delivery) => sendWebhook(sending, delivery),
      sweep: (signal) => sweep(kept, signal),
      onError: (err, part) => log.error({ err }, part),
      onWarning: (message) => log.warn(message),
    }),
  );
  const { jobs: queue, webhooks } = engine;
  const jobs: JobContext = {
    storage,
    assets: rendering.assets,
    work: jobWork(rendering, { pages, pageFilesOf }, renderStorage),
    queue,
    webhooks,
    clock,
    random,
    log,
  };
  const variants = await Variants.open({
    storage,
    blobs: variantBlobs,
    capacity: config.variantCacheBytes,
    leases,
    alone,
    clock,
  });
  const uploads = [images, services.fonts];
  const { assetTtl, auditTtl } = config;
  const kept: RetentionContext = { storage, assetBlobs, assetTtl, auditTtl, uploads, variants, clock };
  const isWorker = roles.has('worker');
  const slots = { free: () => (isWorker ? queue.free : 0) };
  watch({ renderer, storage, variants, gates, slots, clock });
  const server = createHttpServer(
    {
      ...services,
      ...rendering,
      deliveries: new Deliveries(storage, clock, webhooks),
      clock,
      log,
      idempotency: new Idempotency({ storage, leases, clock, log }),
      variants,
      recentVariants: new RecentVariants({
        changes: storage.changes,
        clock,
        touch: (key, now) => storage.variants.touch(key, now),
      }),
      pages,
      pageFilesOf,
      gotenberg: config.gotenberg,
      previews: new RateLimit(config.previewsPerMinute, clock),
      previewsAtOnce: eachAtMost(config.previewsAtOnce || Number.POSITIVE_INFINITY),
      bulksAtOnce: eachAtMost(1),
      requestRate: new RateLimit(config.requestsPerMinute, clock),
      requestsAtOnce: new ConcurrencyLimit(config.requestsAtOnce),
      connectionsPerAddress: config.connectionsPerAddress,
      badKeys: new RateLimit(config.badKeysPerMinute, clock),
      requests,
      observer,
      isApi: roles.has('api'),
      browserUrl: withoutBrowser ? config.browserUrl : null,
      queue,
      webhookTransport,
      batchConcurrency: config.batchConcurrency,
      address,
      drafts: new Drafts({ ...services, clock }),
      thumbnails: new Thumbnails(rendering),
      fontCatalogue: new FontCatalogue(library, services.fonts),
      studioAddress: () => ({ url: address(), isPublic: config.publicUrl !== null }),
      studioFiles: STUDIO_FILES,
      docsFiles: DOCS_FILES,
      redirects: config.redirects,
      serverChecks: new ServerChecks(
        async () => (await (await import('./cli/examination.ts')).examine()).checks,
        clock,
      ),
      local: () => publicAddress({ ...config, publicUrl: null }, port),
      ownRequests: randomBytes(32).toString('base64url'),
      storageUsed: storageUsed(config.plans, storage),
      memory: { bodies: shared(config.bodyMemory), answers: shared(config.answerMemory) },
      readiness: {
        stopping: () => stopping,
        checkDatabase: () => storage.accounts.isEmpty(),
        filesIn: config.s3 === null ? 'data folder' : `bucket "${config.s3.bucket}" of ASSETS_URL`,
        checkDisk: () => assetBlobs.probe(),
      },
    },
    log,
  );
  /** Retries however long the database is busy: the server is running already, so this is no failed start. */
  const beginJobs = async () => {
    while (isWorker && !stopping) {
      try {
        return await queue.start();
      } catch (err) {
        log.error({ err }, 'jobs cannot be begun');
        await sleep(BUSY_PAUSE);
      }
    }
  };
  let workEnds: Promise<unknown> | null = null;
  const stopWork = () => {
    stopping = true;
    workEnds ??= Promise.all([queue, webhooks, engine.upkeep].map((part) => part.drain(DRAIN_TIME)));
    return workEnds;
  };
  // In parallel, so that the total time is that of the slowest.
  parts.defer(() => Promise.all([close(server), stopWork()]).then(() => {}));
  ({ port } = await listen(server, config));
  const metricsPort =
    config.metricsPort === null ? null : await listenForMetrics(metrics, config, config.metricsPort, parts);
  // All background work is started here and in `beginJobs`.
  if (isWorker && !jobsAwaitWarmUp) await queue.start();
  if (isWorker) await webhooks.start();
  await engine.upkeep.start();
  // After listening, since the demo key is shown only once: a start that fails must not lose it.
  const demo =
    roles.has('api') && (await leases.takeTurn('demo', DEMO_TAKES))
      ? // Our own samples are checked on the main thread: on a busy machine, a worker thread may not start in time.
        await createDemo({ ...services, templates: new TemplateLibrary(storage, clock), plans: config.plans }, SAMPLES)
      : null;

  await claimUnattended(services, config);
  const setup = roles.has('api') ? await services.links.setup() : null;

  const running = parts.move();
  return {
    setupLink: setup && publicAddress(config, port) + setup.path,
    url: publicAddress(config, port),
    port,
    metricsPort,
    demo,
    async warmUp() {
      try {
        await renderer.warmUp();
      } finally {
        if (jobsAwaitWarmUp) await beginJobs();
      }
    },
    drain: async () => {
      // Its failure is reported when the server is disposed of.
      stopWork().catch(() => {});
      await sleep(config.drainDelay);
    },
    [Symbol.asyncDispose]: () => {
      // First of all, however long the rest takes, so that load balancers notice.
      stopping = true;
      return running.disposeAsync();
    },
  };
}

/**
 * Creates the owner configured in the environment, unless there are people already. @throws AppError `invalid_request`
 */
async function claimUnattended({ people, members, accounts }: Services, { owner }: Config): Promise<void> {
  if (!owner || (await people.isClaimed())) return;
  const [account] = await accounts.list();
  if (!account) return;
  const password = (await readFile(owner.passwordFile, 'utf8')).replace(/\r?\n$/, '');
  const person = await people.create({ email: owner.email, name: owner.email.split('@')[0] ?? 'Owner', password });
  await members.add(account.id, person.id, 'owner');
}

/** The work for each kind of job. The requests are our own JSON, checked when they were accepted. */
function jobWork(
  rendering: RenderContext,
  capturing: Pick<ScreenshotContext, 'pages' | 'pageFilesOf'>,
  renderStorage: Pick<RenderStorage, 'checkJob'>,
): JobContext['work'] {
  return {
    render: async (accountId, request) => {
      await renderStorage.checkJob(accountId);
      // A request accepted by an older version has no options.
      const { options = DEFAULT_EXPORT, ...rest } = request as Omit<RenderRequest, 'options'> & Partial<RenderRequest>;
      return drawRequest(rendering, accountId, { ...rest, options });
    },
    screenshot: async (accountId, request) => {
      await renderStorage.checkJob(accountId);
      // A request accepted by an older version has a URL, and lacks the fields that were added since.
      const older = request as Omit<ScreenshotRequest, Added> & Partial<ScreenshotRequest>;
      const complete = { html: null, script: false, waitForExpression: null, ...older };
      return captureRequest(capturing, accountId, complete, turnOfJobs(accountId));
    },
  };
}

/** Fields of screenshots that jobs of older versions may lack. */
type Added = 'html' | 'script' | 'waitForExpression';

/** Memory of requests, of which an account gets at most half. @param total bytes */
const shared = (total: number) => new ByteBudget({ total, share: total / 2, patience: MEMORY_PATIENCE });

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Returns the port it listens on. */
async function listenForMetrics(metrics: Metrics, config: Config, port: number, parts: AsyncDisposableStack) {
  const server = createMetricsServer(metrics);
  parts.defer(() => void server.close().closeAllConnections());
  return (await listen(server, { ...config, port }, 'PLATEN_METRICS_PORT')).port;
}

/** @param variable the one that sets the port */
async function listen(server: Server, { port, host }: Config, variable = 'PORT'): Promise<AddressInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen({ port, host, backlog: BACKLOG }, resolve);
  try {
    await promise;
  } catch (cause) {
    const otherPort = (problem: string) => `Port ${port} of ${host} ${problem}. Set ${variable} to another one.`;
    const otherHost = (problem: string) =>
      `HOST is ${host}, ${problem}. Set it to an address of this machine, or to 0.0.0.0 for all of them.`;
    const sentence = {
      EADDRINUSE: otherPort('is in use'),
      EACCES: otherPort('may not be used by this user'),
      EADDRNOTAVAIL: otherHost('which is no address of this machine'),
      ENOTFOUND: otherHost('a name that cannot be found'),
      EAI_AGAIN: otherHost('a name that cannot be found'),
    }[String(codeOf(cause))];
    if (sentence === undefined) throw cause;
    throw new AppError('conflict', sentence, { cause });
  }
  return server.address() as AddressInfo;
}

/** Stops accepting connections, lets running requests finish, and cuts off those that take too long. */
async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection becomes idle when its last request is answered, and would otherwise be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_TIME);
  await closed;
  clearInterval(idle);
  clearTimeout(cutOff);
}
