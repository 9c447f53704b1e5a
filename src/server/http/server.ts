// The HTTP server: the middleware of every request, and the table of routes.
//
// Handlers parse, call one service function and answer. Order: error boundary, key, route, body.

import { createServer, type IncomingMessage, METHODS, type Server } from 'node:http';
import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { resultWithin } from '#base/concurrency/deadline.ts';
import { AppError } from '#base/errors.ts';
import type { Observer } from '#base/trace.ts';
import type { Log } from '#server/observability/log.ts';
import type { MetricCounter } from '#server/observability/metrics.ts';
import type { Right } from '#server/service/accounts/key-scope.ts';
import type { RateLimit } from '#server/service/accounts/rate-limit.ts';
import type { Idempotency } from '#server/service/idempotency.ts';
import type { InstantBatchContext } from '#server/service/jobs/instant-batch.ts';
import type { EnqueueContext } from '#server/service/jobs/jobs.ts';
import type { ScreenshotContext } from '#server/service/pages/screenshot.ts';
import type { PreviewContext } from '#server/service/rendering/preview.ts';
import type { SignedContext } from '#server/service/rendering/signed-render.ts';
import { addGotenbergRoutes } from './gotenberg/routes.ts';
import { serveMcp } from './mcp.ts';
import { limitRequests, may, requireKey } from './middleware/authentication.ts';
import { MAX_BODY } from './middleware/body.ts';
import { limitConnections, tellClientsApart } from './middleware/connection-limit.ts';
import { errorBoundary } from './middleware/errors.ts';
import { admitFairly } from './middleware/fair-admission.ts';
import { FairnessKeys } from './middleware/fairness-key.ts';
import { withFile } from './middleware/file-answer.ts';
import { forwardPages } from './middleware/forward-pages.ts';
import type { Handler, RequestMemory, State } from './middleware/request-context.ts';
import { lendMemory, recognizeOwn } from './middleware/request-memory.ts';
import { cutOffSlowReaders } from './middleware/slow-readers.ts';
import { accessLog, countRequests, traceRequests } from './middleware/tracing.ts';
import type { Route } from './middleware/unanswered.ts';
import { uploadLimit } from './middleware/upload.ts';
import { type Contract, openApiDocument } from './openapi/document.ts';
import { isGotenbergPath, isStudioApi } from './paths.ts';
import { showStart } from './start-page.ts';
import { isFileName, sendSiteFile, setSiteHeaders, siteFiles } from './static-site.ts';
import { accountRoutes } from './studio/account-routes.ts';
import { STUDIO_OPERATIONS, type StudioOperationId } from './studio/contract.ts';
import { FairPacing } from './studio/fair-pacing.ts';
import { guarded } from './studio/guard.ts';
import { forwardedClient, mayBeProxy } from './studio/origin.ts';
import { renderRoutes } from './studio/render-routes.ts';
import { reviewRoutes } from './studio/review-routes.ts';
import { sessionRoutes } from './studio/session-routes.ts';
import { serveEditorElement, serveEmbeddedEditor, serveStudio } from './studio/static-files.ts';
import type { StudioContext } from './studio/studio-context.ts';
import { templateRoutes } from './studio/template-routes.ts';
import { accountHandlers } from './v1/account.ts';
import { batchHandlers } from './v1/batches.ts';
import { brandHandlers } from './v1/brands.ts';
import { createRender } from './v1/create-render.ts';
import { fontHandlers, MAX_FONT } from './v1/fonts.ts';
import { idempotent } from './v1/idempotency.ts';
import { imageHandlers, MAX_IMAGE } from './v1/images.ts';
import { createInstantBatch, MAX_BATCH_BODY } from './v1/instant-batch.ts';
import type { Access, Operation } from './v1/operation.ts';
import { OPERATIONS, type OperationId } from './v1/operations.ts';
import { outdatedHandlers } from './v1/outdated-uses.ts';
import { renderHandlers } from './v1/renders.ts';
import { createScreenshot, MAX_SCREENSHOT_BODY } from './v1/screenshots.ts';
import { isSignedPath, renderSigned } from './v1/signed-renders.ts';
import { readTemplateSchema, templateHandlers } from './v1/templates.ts';

export interface ServerContext
  extends SignedContext,
    PreviewContext,
    EnqueueContext,
    InstantBatchContext,
    ScreenshotContext,
    StudioContext {
  /** The URL at which the server reaches itself. */
  readonly local: () => string;
  /** The secret by which it recognises its own requests. */
  readonly ownRequests: string;
  readonly memory: RequestMemory;
  readonly idempotency: Idempotency;
  /** Folder of the studio's built files. */
  readonly studioFiles: string;
  /** Folder of the built documentation. */
  readonly docsFiles: string;
  readonly readiness: Readiness;
  /** Whether clients are redirected to the bucket for stored files. */
  readonly redirects: boolean;
  /** Limits requests with invalid keys, per address. */
  readonly badKeys: RateLimit;
  /** Maximum open connections per client address; 0 = unlimited. */
  readonly connectionsPerAddress: number;
  /** Counts answers. */
  readonly requests: MetricCounter;
  readonly observer: Observer;
  /** Whether it answers requests of the API, or only those about its own health. */
  readonly isApi: boolean;
  /** Where requests that need a browser are forwarded, if this server has none. */
  readonly browserUrl: string | null;
  /** Whether the routes in Gotenberg's shape are served. */
  readonly gotenberg: boolean;
}

/** Names of handlers: those of operations. What keys and people both ask has one, under the name that it has for keys. */
type HandlerName = OperationId | Exclude<StudioOperationId, `studio${Capitalize<OperationId>}`>;

/** What answers each operation of both tables. One that is in neither group, or in no table, does not compile. */
function handlersOf(ctx: ServerContext): Readonly<Record<HandlerName, Handler>> {
  return {
    readHealth,
    readReadiness: readReadiness(ctx.readiness),
    readContract: readContract(ctx.address, 'keys'),
    readStudioContract: readContract(ctx.address, 'studio'),
    readTemplateSchema,
    renderSigned: renderSigned(ctx),
    createRender: createRender(ctx),
    createBatch: createInstantBatch(ctx),
    createScreenshot: createScreenshot(ctx),
    ...accountHandlers(ctx),
    ...accountRoutes(ctx),
    ...sessionRoutes(ctx),
    ...templateHandlers(ctx),
    ...templateRoutes(ctx),
    ...brandHandlers(ctx),
    ...outdatedHandlers(ctx),
    ...renderHandlers(ctx),
    ...renderRoutes(ctx),
    ...reviewRoutes(ctx),
    ...batchHandlers(ctx),
    ...imageHandlers(ctx),
    ...fontHandlers(ctx),
  };
}

/** Maximum bodies of what may carry an Idempotency-Key, bytes, where it is not that of a template. */
const BODIES: Readonly<Partial<Record<OperationId, number>>> = {
  createBatch: MAX_BATCH_BODY,
  createMergedBatch: MAX_BATCH_BODY,
  createScreenshot: MAX_SCREENSHOT_BODY,
  uploadImage: uploadLimit(MAX_IMAGE),
  uploadFont: uploadLimit(MAX_FONT),
};

/** All paths and methods that are answered. */
export function routes(ctx: ServerContext, fairness = new FairnessKeys()): Router<State> {
  const handlers = handlersOf(ctx);
  // Paths are compared exactly: a path that the key check does not recognise must not match a route either.
  const router = new Router<State>({ sensitive: true, strict: true, methods: METHODS });

  router.get('/', showStart(ctx));
  // Relative, as a proxy may have added a prefix to the path.
  router.get('/docs', (koa) => koa.redirect('docs/'));
  router.get('/docs/{*path}', serveDocs(ctx.docsFiles));

  for (const [id, operation] of entriesOf<OperationId, Operation>(OPERATIONS)) {
    let handle = handlers[id];
    if (operation.idempotent) handle = idempotent(ctx.idempotency, BODIES[id] ?? MAX_BODY, handle);
    if (Object.values(operation.answers).some(({ orFile }) => orFile)) handle = withFile(ctx.assets, handle);
    addRoute(router, operation, admit(operation, handle));
  }

  router.all(MCP, serveMcp(ctx.local, ctx.ownRequests));
  if (ctx.gotenberg) addGotenbergRoutes(router, ctx, handlers.readReadiness);

  const pacing = { fairness, turns: new FairPacing() };
  for (const [id, operation] of entriesOf<StudioOperationId, Operation>(STUDIO_OPERATIONS)) {
    const shared = id.replace(/^studio(.)/, (_, first: string) => first.toLowerCase());
    const handle = handlers[(id in handlers ? id : shared) as HandlerName];
    addRoute(router, operation, guarded(ctx, pacing, { id, ...operation }, handle));
  }
  router.get('/studio', (koa) => koa.redirect('studio/'));
  router.get('/studio/embed/:accountId', serveEmbeddedEditor(ctx.studioFiles, ctx.basePath, ctx.editorTokens));
  router.get('/studio/platen-editor.js', serveEditorElement(ctx.studioFiles));
  router.get('/studio/{*path}', serveStudio(ctx.studioFiles, ctx.basePath));

  return onlyTryingLikely(router);
}

/** Has the router try only the patterns whose beginning, up to their first parameter, is that of the path. */
function onlyTryingLikely(router: Router<State>): Router<State> {
  const beginnings = router.stack.map((layer) => [String(layer.path).split(/[:{*]/, 1)[0] ?? '', layer] as const);
  const likely = Object.create(router) as Router<State>;
  router.match = (path, method) => {
    likely.stack = beginnings.flatMap(([beginning, layer]) => (path.startsWith(beginning) ? layer : []));
    return Router.prototype.match.call(likely, path, method);
  };
  return router;
}

const MCP = '/mcp';
const DESCRIPTIONS = ['/v1/openapi.json', '/v1/openapi-studio.json', '/v1/schema/template.json'];
/** Paths under `/v1/` that need no key. */
const isOpen = (path: string) => DESCRIPTIONS.includes(path) || isStudioApi(path) || isSignedPath(path);
const isGuarded = (path: string) => path === MCP || isGotenbergPath(path) || (path.startsWith('/v1/') && !isOpen(path));

const EVEN_SUSPENDED = new Set(
  Object.values<Operation>(OPERATIONS).flatMap(({ method, path, evenSuspended }) =>
    evenSuspended ? `${method} ${path}` : [],
  ),
);
const isEvenSuspended = (method: string, path: string) => EVEN_SUSPENDED.has(`${method.toLowerCase()} ${path}`);

/** The answer of a server without the role "api". */
const refuseApi: Middleware<State> = async (koa, next) => {
  if (koa.path === '/healthz' || koa.path === '/readyz') return next();
  const message = 'This server lacks the role "api" (PLATEN_ROLES): send requests to one that has it.';
  throw new AppError('overloaded', message);
};

/** What the router answers, for the errors of what it does not. */
function namedRoutes(router: Router<State>): readonly Route[] {
  return router.stack.map(({ path, methods }) => ({ path: String(path), methods }));
}

/** Creates the server, not listening yet. */
export function createHttpServer(ctx: ServerContext, log: Log): Server {
  const fairness = new FairnessKeys();
  const forwarded = (request: IncomingMessage) => forwardedClient(request, ctx.studioAddress());
  const router = routes(ctx, fairness);
  const app = new Koa<State>();
  app.use(traceRequests(ctx.observer));
  app.use(cutOffSlowReaders());
  app.use(countRequests(ctx.requests));
  app.use(accessLog(log));
  app.use(async (koa, next) => {
    // Otherwise a client or load balancer would send its next request over a connection that is about to be closed.
    if (ctx.readiness.stopping()) koa.set('connection', 'close');
    koa.set('x-content-type-options', 'nosniff');
    if (koa.path.startsWith('/v1/') || koa.path === MCP || isGotenbergPath(koa.path))
      koa.set('cache-control', 'no-store');
    await next();
  });
  app.use(errorBoundary(log, namedRoutes(router)));
  app.use(tellClientsApart(ctx.connectionsPerAddress, forwarded));
  if (!ctx.isApi) app.use(refuseApi);
  app.use(forwardPages(ctx.browserUrl));
  app.use(requireKey(ctx.keys, ctx.badKeys, isGuarded, isGotenbergPath, fairness, isEvenSuspended));
  app.use(recognizeOwn(ctx.ownRequests));
  app.use(lendMemory(ctx.memory));
  app.use(limitRequests(ctx.requestRate, ctx.requestsAtOnce));
  app.use(router.routes());
  app.use(router.allowedMethods());
  // Errors after the answer has begun: most often the client went away.
  app.on('error', (err) => log.debug({ err }, 'answer broken off'));

  const admitted = admitFairly(app.callback(), (request) => fairness.of(request, forwarded(request) ?? undefined));
  const server = createServer(LIMITS, (request, response) => {
    request.url = withoutBase(request.url ?? '/', ctx.basePath);
    admitted(request, response);
  });
  limitConnections(server, {
    most: ctx.connectionsPerAddress,
    all: 2_048,
    isProxy: (address) => mayBeProxy(address, ctx.studioAddress()),
  });
  server.maxRequestsPerSocket = 1_000;
  return server;
}

/** The path of a request without that of the public URL, which a proxy may have left there. Before everything else. */
function withoutBase(url: string, base: string): string {
  const isBelow = base !== '' && url.startsWith(base) && /^[/?]|^$/.test(url.slice(base.length));
  return isBelow ? url.slice(base.length).replace(/^(?!\/)/, '/') : url;
}

/** Cuts off clients that send a request too slowly; Node's defaults would let them hold a socket for five minutes. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
} as const;

// Serves the documentation under /docs: static pages built from docs/*.md by `npm run build:docs`.

const DOCS = '/docs';

/** Allows only the site's own script, for the search. Trusted Types: no text becomes markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** `GET /docs/…`: `/docs/webhooks` is the page webhooks.html. @param folder with the built site */
export function serveDocs(folder: string): Handler {
  const files = siteFiles(folder);
  return async (koa) => {
    setSiteHeaders(koa, POLICY);
    const found = await files();
    if (found.size === 0) {
      throw new AppError(
        'not_found',
        'The documentation is not built here: run "npm run build:docs", then load this again. Its text is in docs/.',
      );
    }
    const name = koa.path.slice(DOCS.length + 1);
    const file = isFileName(name) ? found.get(name) : found.get(`${name || 'index'}.html`);
    if (!file) throw new AppError('not_found', 'There is no such page; the documentation begins at /docs.');
    await sendSiteFile(koa, file, true);
  };
}

// `/healthz`: the process runs. `/readyz`: whether requests should be sent here.

export interface Readiness {
  /** True once the server was told to stop. */
  readonly stopping: () => boolean;
  /** Whether the database takes writes; rejects when it does not answer. */
  readonly checkDatabase: () => Promise<boolean>;
  /** Where files are stored, for the message: `data folder`, `bucket "pictures" of ASSETS_URL`. */
  readonly filesIn: string;
  /** Rejects when nothing can be stored. */
  readonly checkDisk: () => Promise<unknown>;
  /** Rejects, or does not resolve, while no thread draws. */
  readonly checkDrawing: () => Promise<unknown>;
}

const readHealth: Handler = (koa) => {
  koa.body = { status: 'ok' };
};

/** How long a result of a check is reused, ms, so that frequent requests keep neither disk nor thread busy. */
const BELIEVED = 1_000;
/** How long the drawing thread may take to answer, ms. */
const DRAWING = 3_000;

export function readReadiness({ stopping, checkDatabase, filesIn, checkDisk, checkDrawing }: Readiness): Handler {
  const checkDiskRarely = rarely(checkDisk);
  const checkDrawingRarely = rarely(() => resultWithin(DRAWING, checkDrawing(), () => new Error('No thread answers.')));
  return async (koa) => {
    if (stopping()) throw notReady('The server is stopping.');
    const isWritable = await checkDatabase().catch((cause) => {
      throw notReady('The database does not answer.', cause);
    });
    if (!isWritable) throw notReady('The database is read-only.');
    await checkDiskRarely().catch((cause) => {
      throw notReady(`The ${filesIn} cannot be written to.`, cause);
    });
    await checkDrawingRarely().catch((cause) => {
      throw notReady('The server cannot draw at the moment.', cause);
    });
    koa.body = { status: 'ready' };
  };
}

const notReady = (message: string, cause?: unknown) => new AppError('overloaded', message, { cause, retryAfter: 5 });

/** Runs the check at most once per `BELIEVED` ms; in between returns the last result. */
function rarely(check: () => Promise<unknown>): () => Promise<unknown> {
  let last: Promise<unknown> | null = null;
  return () => {
    if (last) return last;
    last = check();
    setTimeout(() => {
      last = null;
    }, BELIEVED).unref();
    return last;
  };
}

// Binds declared operations to their handlers.

export const entriesOf = <Name extends string, T>(table: Readonly<Record<Name, T>>) =>
  Object.entries(table) as [Name, T][];

function addRoute(router: Router<State>, { method, path }: Operation, handle: Handler): void {
  router[method](path.replace(/\{(\w+)\}/g, ':$1'), handle);
}

/** Runs `handle` only for keys with the right that the operation requires. Whether there is a key is checked before. */
function admit({ access }: Operation, handle: Handler): Handler {
  return isRights(access) ? may(access, handle) : handle;
}

type Rights = Right | readonly Right[];
const OTHERS: readonly Access[] = ['open', 'signature', 'key', 'person', 'viewer', 'editor', 'owner', 'editor-token'];
const isRights = (access: Access): access is Rights => !OTHERS.includes(access);

// Serves the OpenAPI contract, of the API for keys and of the studio's. The documentation shows both at /docs/api.

/**
 * @param address the server's own URL, known once it listens
 */
function readContract(address: () => string, contract: Contract): Handler {
  let text: string | null = null;
  return (koa) => {
    text ??= JSON.stringify(openApiDocument(address(), contract));
    koa.type = 'application/json; charset=utf-8';
    koa.body = text;
  };
}
