// The composition root: creates every part of the server, in order of dependency.
//
// Everything opened here is returned as a disposable, which closes it all in reverse order.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ByteBudget } from '#base/concurrency/byte-budget.ts';
import { ConcurrencyLimit } from '#base/concurrency/concurrency-limit.ts';
import { eachAtMost, Gate } from '#base/concurrency/gate.ts';
import { SingleFlight } from '#base/concurrency/single-flight.ts';
import { AppError } from '#base/errors.ts';
import { newWorkerName } from '#base/ids.ts';
import { readCatalog } from '#draw/fonts/catalog.ts';
import { freeBytes } from '#draw/renderer/free-bytes.ts';
import type { Renderer } from '#draw/renderer/renderer.ts';
import { findChromium, notRun } from '#server/chromium/find-chromium.ts';
import { type Config, publicAddress, tooFewFiles } from '#server/config/config.ts';
import { createHttpServer } from '#server/http/server.ts';
import { OutboundClient } from '#server/net/outbound-client.ts';
import type { Log } from '#server/observability/log.ts';
import { openTelemetry } from '#server/observability/open-telemetry.ts';
import { createDemo, type Demo } from '#server/service/accounts/demo.ts';
import { Quota } from '#server/service/accounts/quota.ts';
import { RateLimit } from '#server/service/accounts/rate-limit.ts';
import { storageUsed } from '#server/service/accounts/storage-limit.ts';
import { Assets } from '#server/service/files/assets.ts';
import { FontCatalogue, type FontRegistry } from '#server/service/files/font-catalogue.ts';
import { Idempotency } from '#server/service/idempotency.ts';
import { openWebhookTransport } from '#server/service/jobs/webhook-transport.ts';
import { Deliveries, type WebhookTransport } from '#server/service/jobs/webhooks.ts';
import { Leases } from '#server/service/leases.ts';
import { outboundGuard } from '#server/service/pages/outbound-guard.ts';
import { claimUnattended } from '#server/service/people/unattended-owner.ts';
import { RecentVariants } from '#server/service/rendering/recent-variants.ts';
import type { RenderContext } from '#server/service/rendering/render.ts';
import { RenderStorage } from '#server/service/rendering/render-storage.ts';
import { openSupplies } from '#server/service/rendering/supplies.ts';
import { Thumbnails } from '#server/service/rendering/thumbnails.ts';
import { Variants } from '#server/service/rendering/variants.ts';
import { ServerChecks } from '#server/service/server-checks.ts';
import { Drafts } from '#server/service/templates/drafts.ts';
import { Reviews } from '#server/service/templates/reviews.ts';
import { TemplateLibrary } from '#server/service/templates/templates.ts';
import { ThreadedChecks } from '#server/service/templates/threaded-checks.ts';
import { denialOf } from '#server/storage/full-disk.ts';
import { openBlobs } from '#server/storage/open-blobs.ts';
import { isPostgresUrl } from '#server/storage/open-database.ts';
import { lockForServer, requireSession } from '#server/storage/server-lock.ts';
import { close, listen, listenForMetrics } from './listen.ts';
import { openDrawing } from './open-drawing.ts';
import { openWork } from './open-work.ts';
import { openServerMetrics } from './server-metrics.ts';
import { openServices } from './services.ts';

const SAMPLES = join(import.meta.dirname, '../../samples');
/** Built by `npm run build:studio`; at the same path in a checkout and in the npm package. */
const STUDIO_FILES = join(import.meta.dirname, '../../dist/studio');
const DOCS_FILES = join(import.meta.dirname, '../../dist/docs');

/** Deadline of one render, ms. */
const RENDER_DEADLINE = 30_000;
/** Maximum slow renders among those that hold their images and fonts in memory. */
const SLOW_IN_HAND = 2;
/** Lease time for creating the demo account, ms: of servers that start together, one creates it. */
const DEMO_TAKES = 60_000;
/** How long a request waits for memory, ms. */
const MEMORY_PATIENCE = 10_000;

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
  readonly openRenderer: (config: Config, log: Log) => Renderer | Promise<Renderer>;
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
    const denial = cause instanceof AppError && cause.code === 'conflict' ? null : denialOf(cause);
    if (denial === null) throw cause;
    const [problem, remedy] =
      denial === 'EROFS'
        ? ['is on a disk that is mounted read-only', 'Mount a volume that can be written to there']
        : ['cannot be written to', 'Let this user write there'];
    const sentence = `The folder ${config.dataFolder} ${problem}. ${remedy}, or set PLATEN_DATA to another one.`;
    throw new AppError('conflict', sentence, { cause });
  }
}

async function start(config: Config, log: Log, world: Partial<World>): Promise<RunningServer> {
  await using parts = new AsyncDisposableStack();
  const {
    clock: ownClock,
    random = Math.random,
    jobsAwaitWarmUp = false,
    webhookTransport = parts.use(openWebhookTransport(config)),
  } = world;
  const measured = parts.use(openServerMetrics());
  const warnOfSpans = (message: string, err: unknown) => log.warn({ err }, message);
  const observer = parts.use(await openTelemetry(config.telemetry, warnOfSpans)).traced(measured.observer);
  const { alone, roles } = config;
  const withoutBrowser = !roles.has('browser');
  const { library, renderer, pages, gates, outside } = await openDrawing(
    config,
    log,
    parts,
    measured,
    world.openRenderer,
  );
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
  warnOfConfig(config, log);
  const worker = newWorkerName();
  const leases = new Leases({ storage, clock, holder: worker, alone });
  const assetBlobs = parts.use(await openBlobs(config, 'assets'));
  const variantBlobs = parts.use(await openBlobs(config, 'variants'));

  const renderStorage = new RenderStorage(storage, config.plans, clock);
  const quota = new Quota(storage.usage, config.plans, clock, renderStorage);
  const abandoned = alone ? await quota.recover() : 0;
  if (abandoned > 0) log.warn({ units: abandoned }, 'gave back what a killed server had set aside');

  let port = config.port;
  const address = () => publicAddress(config, port);
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
  const capacity = config.variantCacheBytes;
  const variants = await Variants.open({ storage, blobs: variantBlobs, capacity, leases, alone, clock });
  const work = await openWork(config, log, parts, {
    ...{ services, rendering, renderStorage, pages, pageFilesOf, variants, assetBlobs, webhookTransport },
    ...{ worker, random, observer, address, onStarted: (ms) => measured.waited('jobs', ms) },
  });
  const { jobs: queue, webhooks } = work.engine;
  const previewing = {
    previews: new RateLimit(config.previewsPerMinute, clock),
    previewsAtOnce: eachAtMost(config.previewsAtOnce || Number.POSITIVE_INFINITY),
  };
  const drafts = new Drafts({ ...services, clock });
  const thumbnails = new Thumbnails(rendering);
  measured.watch({ renderer, storage, variants, gates, slots: { free: () => work.freeSlots }, clock });
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
      ...previewing,
      batchesAtOnce: eachAtMost(1),
      requestRate: new RateLimit(config.requestsPerMinute, clock),
      requestsAtOnce: new ConcurrencyLimit(config.requestsAtOnce),
      connectionsPerAddress: config.connectionsPerAddress,
      badKeys: new RateLimit(config.badKeysPerMinute, clock),
      requests: measured.requests,
      observer,
      isApi: roles.has('api'),
      browserUrl: withoutBrowser ? config.browserUrl : null,
      queue,
      webhookTransport,
      batchConcurrency: config.batchConcurrency,
      address,
      ...{ drafts, thumbnails },
      reviews: new Reviews({
        ...rendering,
        ...previewing,
        ...{ storage, people: services.people, drafts, thumbnails, clock },
      }),
      fontCatalogue: new FontCatalogue(library, services.fonts, openFontRegistry(config, parts)),
      studioAddress: () => ({ url: address(), isPublic: config.publicUrl !== null }),
      basePath: new URL(config.publicUrl ?? 'http://localhost').pathname.replace(/\/$/, ''),
      studioFiles: STUDIO_FILES,
      docsFiles: DOCS_FILES,
      redirects: config.redirects,
      serverChecks: new ServerChecks(
        async () => (await (await import('#server/maintenance/doctor-checks.ts')).examine()).checks,
        clock,
      ),
      local: () => publicAddress({ ...config, publicUrl: null }, port),
      ownRequests: randomBytes(32).toString('base64url'),
      exporting: { ...services, assetBlobs, clock },
      storageUsed: storageUsed(config.plans, storage, renderStorage),
      memory: { bodies: shared(config.bodyMemory), answers: shared(config.answerMemory) },
      readiness: {
        stopping: () => work.isStopping,
        checkDatabase: storage.isWritable,
        filesIn: config.s3 === null ? 'data folder' : `bucket "${config.s3.bucket}" of ASSETS_URL`,
        checkDisk: () => assetBlobs.probe(),
        checkDrawing: () => renderer.status(),
      },
    },
    log,
  );
  // In parallel, so that the total time is that of the slowest.
  parts.defer(() => Promise.all([close(server), work.stop()]).then(() => {}));
  ({ port } = await listen(server, config));
  const metricsPort =
    config.metricsPort === null ? null : await listenForMetrics(measured.metrics, config, config.metricsPort, parts);
  await work.begin(!jobsAwaitWarmUp);
  // After listening, since the demo key is shown only once: a start that fails must not lose it.
  const demo =
    roles.has('api') && (await leases.isFirstThisPeriod('demo', DEMO_TAKES))
      ? // Our own samples are checked on the main thread: on a busy machine, a worker thread may not start in time.
        await createDemo({ ...services, templates: new TemplateLibrary(storage, clock), plans: config.plans }, SAMPLES)
      : null;

  if (config.owner) await claimUnattended(services, config.owner);
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
        if (jobsAwaitWarmUp) await work.beginJobs();
      }
    },
    drain: async () => {
      // Its failure is reported when the server is disposed of.
      work.stop().catch(() => {});
      await sleep(config.drainDelay);
    },
    [Symbol.asyncDispose]: () => {
      // First of all, however long the rest takes, so that load balancers notice.
      work.announceStop();
      return running.disposeAsync();
    },
  };
}

/** Memory of requests, of which an account gets at most half. @param total bytes */
const shared = (total: number) => new ByteBudget({ total, share: total / 2, patience: MEMORY_PATIENCE });

/** Null where the operator names no registry: nothing is fetched from one. */
function openFontRegistry(config: Config, parts: AsyncDisposableStack): FontRegistry | null {
  if (config.fontRegistry === null) return null;
  const client = new OutboundClient(outboundGuard(config), { userAgent: 'Platen' });
  parts.defer(() => client.close());
  return { url: config.fontRegistry, client, families: readCatalog().families };
}

/** Warns of settings that work, and that an operator may not have meant. */
export function warnOfConfig(config: Config, log: Log): void {
  const { chromiumPath, alone, roles } = config;
  if (chromiumPath !== null && roles.has('browser') && findChromium(config) === null) log.warn(notRun(chromiumPath));
  const files = tooFewFiles(config);
  if (files !== null) log.warn(files);
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
  const unlimited = Object.entries(config.plans).flatMap(([name, { storage }]) =>
    storage === undefined ? [name] : [],
  );
  if (unlimited.length > 0) {
    log.warn(
      `accounts may store any amount of images, fonts and templates: PLATEN_PLANS has no storage for ${unlimited.join(', ')}`,
    );
  }
  if (config.publicUrl === null && !/^(localhost|127\..*|::1)$/.test(config.host)) {
    log.warn(
      'PLATEN_PUBLIC_URL is not set: behind a proxy, set it to the address that clients use, and let the proxy set X-Forwarded-For, by which clients are told apart',
    );
  }
}
