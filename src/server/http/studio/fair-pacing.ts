// Paces the studio's requests: how many are worked on at once, of one account and of all clients without a session. The
// others wait in turn. The database's answers arrive together: hundreds of requests worked on at once would all go on in
// one turn of the event loop. The wait is not limited here: connections limit how many requests wait, and clients how long.

import { NEVER } from '#base/concurrency/deadline.ts';
import { eachAtMost, Gate } from '#base/concurrency/gate.ts';
import type { FairnessKeys } from '../middleware/fairness-key.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import type { NamedOperation, StudioOperationId } from './contract.ts';

/** Requests whose session is looked up at once, in turn by person or address. */
const ENTRANCE = { concurrency: 4, waiting: Number.POSITIVE_INFINITY, spare: 2 };
/** Requests without an account that are worked on at once, likewise. */
const STRANGERS = { concurrency: 4, waiting: Number.POSITIVE_INFINITY, spare: 2 };
/** Requests of one account that are worked on at once: those answered from the database, and those that take longer. */
const [QUICK, LONG] = [4, 16];

/** They decode, draw or send files, or start processes. */
const LONG_OPERATIONS: ReadonlySet<StudioOperationId> = new Set([
  'studioAddFont',
  'studioCheckServer',
  'studioDrawReview',
  'studioDrawThumbnail',
  'studioImportTemplate',
  'studioOpenBatch',
  'studioOpenFace',
  'studioOpenImage',
  'studioUploadFont',
  'studioUploadImage',
]);
/** They hash passwords, ask the provider or draw, and wait for their turns to do so elsewhere. */
const UNPACED: ReadonlySet<StudioOperationId> = new Set([
  'studioSignIn',
  'studioConfirmPassword',
  'studioChangePassword',
  'studioAskProvider',
  'studioSignInByProvider',
  'studioSetUp',
  'studioUseLink',
  'studioDrawReviewed',
  'studioPreviewTemplate',
  'studioPreviewDocument',
  'studioMeasureDocument',
  'studioRenderBatch',
]);
/** What paces the studio's requests. */
export interface Pacing {
  readonly fairness: FairnessKeys;
  readonly turns: FairPacing;
}

export class FairPacing {
  readonly #entrance = new Gate(ENTRANCE);
  readonly #strangers = new Gate(STRANGERS);
  readonly #quick = eachAtMost(QUICK);
  readonly #long = eachAtMost(LONG);

  /** Runs `work`, which finds out who sent a request, when its turn comes. */
  async enter<T>(whose: string, work: () => Promise<T>): Promise<T> {
    return this.#entrance.pass(NEVER, work, whose);
  }

  /**
   * Runs the handler of an operation in its turn, which a request with a body takes once that has arrived.
   *
   * @param whose the account, person or address
   */
  async take(
    koa: RequestContext,
    { id, access }: NamedOperation,
    whose: string,
    handle: () => Promise<void> | void,
  ): Promise<void> {
    if (UNPACED.has(id)) return handle();
    const ofAccount = LONG_OPERATIONS.has(id) ? this.#long : this.#quick;
    const gate = access === 'open' || access === 'person' ? this.#strangers : ofAccount;
    if (!hasBody(koa)) return gate.pass(NEVER, async () => handle(), whose);
    const over = Promise.withResolvers<void>();
    koa.state.turn = () =>
      new Promise((come) => {
        void gate.pass(
          NEVER,
          () => {
            come();
            return over.promise;
          },
          whose,
        );
      });
    try {
      await handle();
    } finally {
      over.resolve();
    }
  }
}

/** RFC 9112, section 6. */
const hasBody = (koa: RequestContext) =>
  koa.get('transfer-encoding') !== '' || !['', '0'].includes(koa.get('content-length'));
