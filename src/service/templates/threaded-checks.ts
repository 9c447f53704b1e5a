// Checks templates for a server: small ones on the main thread, large ones on a worker thread, so that they do not
// block requests.
//
// One check runs at a time, in round robin over accounts. A check that takes too long or too much memory is ended with
// its thread; the next check starts a new one.

import { withDeadline } from '#concurrency/deadline.ts';
import { Gate } from '#concurrency/gate.ts';
import { YOUNG } from '#concurrency/young-generation.ts';
import type { Choice } from '#core/design/choice.ts';
import type { Missing } from '#core/design/materials.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Purpose } from '#core/resolve/check-parameters.ts';
import type { CheckedAny } from '#core/resolve/resolve-any.ts';
import { AppError } from '#errors';
import { startThread } from '#renderer/start-thread.ts';
import { ThreadRpc } from '#renderer/thread-rpc.ts';
import type { TemplateSummary } from '#storage/templates.ts';
import type { Parameter } from '../rendering/signed-url.ts';
import type { CheckHandlers, TextHandlers } from './check-messages.ts';
import { type Choices, type MaterialTexts, NO_TEXTS } from './design-texts.ts';
import { isLighter } from './json-weight.ts';
import {
  type CheckedDocument,
  keyOf,
  LocalChecks,
  type StoredTemplateText,
  type TemplateChecks,
  type TemplateKey,
} from './template-checks.ts';

export interface ThreadedChecksOptions {
  /** Timeout of one check, ms. The largest take some 50. */
  readonly deadline?: number;
  /** Called with the reason when a thread was replaced. */
  readonly onWarning?: (message: string, error: unknown) => void;
}

/**
 * Templates and modifications of at most this weight each are checked on the calling thread: some 5 ms at most, where
 * passing them to another thread takes 0.2 ms.
 */
const SMALL = 12_000;
/** Heap limit of the thread, MB. */
const HEAP = 1_024;
const DEADLINE = 5_000;
/** Maximum waiting checks. */
const WAITING = 1_000;
/** How long a check may wait for its turn, ms. */
const PATIENCE = 30_000;

export class ThreadedChecks implements TemplateChecks, AsyncDisposable {
  readonly #deadline: number;
  readonly #onWarning: (message: string, error: unknown) => void;
  readonly #here = new LocalChecks();
  readonly #turns = new Gate({ concurrency: 1, waiting: WAITING });
  #thread: CheckingThread | null = null;

  constructor({ deadline = DEADLINE, onWarning = () => {} }: ThreadedChecksOptions = {}) {
    this.#deadline = deadline;
    this.#onWarning = onWarning;
  }

  async read(
    accountId: string,
    document: unknown,
    materials: MaterialTexts = NO_TEXTS,
    id: string | null = null,
  ): Promise<CheckedDocument | Missing> {
    const isShort = isSmall(document) && charactersIn(materials) <= SMALL;
    if (isShort) return this.#here.read(accountId, document, materials, id);
    return this.#there(accountId, ({ calls }) => calls.call('read', { document, materials, id }));
  }

  async design(template: StoredTemplateText, choice: Choice, materials: MaterialTexts) {
    const isSmall = isShort(template) && charactersIn(materials) <= SMALL;
    if (isSmall) return this.#here.design(template, choice, materials);
    const { accountId, document: text, id } = template;
    return this.#there(accountId, ({ calls }) => calls.call('design', { text, choice, materials, id }));
  }

  async choicesOf(template: StoredTemplateText): Promise<Choices> {
    if (isShort(template)) return this.#here.choicesOf(template);
    return this.#there(template.accountId, (thread) =>
      thread.having(template, (key) => thread.calls.call('choicesOf', key)),
    );
  }

  async summaryOf(template: StoredTemplateText): Promise<TemplateSummary> {
    if (isShort(template)) return this.#here.summaryOf(template);
    return this.#there(template.accountId, (thread) =>
      thread.having(template, (key) => thread.calls.call('summaryOf', key)),
    );
  }

  async check(
    template: StoredTemplateText,
    modifications: Modifications,
    purpose: Purpose = 'render',
  ): Promise<CheckedAny> {
    if (isShort(template) && isSmall(modifications)) return this.#here.check(template, modifications, purpose);
    return this.#there(template.accountId, (thread) =>
      thread.having(template, (key) => thread.calls.call('check', { template: key, modifications, purpose })),
    );
  }

  async toModifications(template: StoredTemplateText, parameters: readonly Parameter[]): Promise<Modifications> {
    if (isShort(template)) return this.#here.toModifications(template, parameters);
    return this.#there(template.accountId, (thread) =>
      thread.having(template, (key) => thread.calls.call('toModifications', { template: key, parameters })),
    );
  }

  async unknownParameters(template: StoredTemplateText, names: readonly string[]): Promise<readonly Diagnostic[]> {
    if (isShort(template)) return this.#here.unknownParameters(template, names);
    return this.#there(template.accountId, (thread) =>
      thread.having(template, (key) => thread.calls.call('unknownParameters', { template: key, names })),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.end(new Error('The checks are closed.'));
  }

  /**
   * @throws AppError `overloaded` when the check waited or ran too long
   */
  async #there<T>(accountId: string, work: (thread: CheckingThread) => Promise<T>): Promise<T> {
    return withDeadline(PATIENCE, (patience) =>
      this.#turns.pass(
        patience,
        async () => {
          const thread = this.#standing();
          const timer = setTimeout(() => thread.end(new ChecksEnded('a check took too long')), this.#deadline);
          try {
            return await work(thread);
          } catch (error) {
            if (!(error instanceof ChecksEnded)) throw error;
            const message = 'The template could not be checked in time; try again, or make it smaller.';
            throw new AppError('overloaded', message, { cause: error, retryAfter: 5 });
          } finally {
            clearTimeout(timer);
          }
        },
        accountId,
      ),
    );
  }

  #standing(): CheckingThread {
    this.#thread ??= new CheckingThread((error) => {
      this.#thread = null;
      if (error instanceof ChecksEnded) this.#onWarning('the checking thread has ended and is replaced', error);
    });
    return this.#thread;
  }
}

/** The thread ended before it answered. */
class ChecksEnded extends Error {
  override readonly name = 'ChecksEnded';
}

class CheckingThread {
  readonly calls: ThreadRpc<CheckHandlers>;
  readonly #worker = startThread(new URL('./checking-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP, maxYoungGenerationSizeMb: YOUNG.helping },
  });
  readonly #texts = new Map<string, string>();
  readonly #onEnd: (error: unknown) => void;
  #hasEnded = false;

  constructor(onEnd: (error: unknown) => void) {
    this.#onEnd = onEnd;
    this.calls = new ThreadRpc<CheckHandlers>(this.#worker, {
      text: async (template) => this.#texts.get(keyOf(template)) ?? '',
    } satisfies TextHandlers);
    // Must follow the message listener that ThreadRpc adds: adding one refs the thread again.
    this.#worker.unref();
    const ended = (cause: unknown) => this.#end(new ChecksEnded('the thread ended', { cause }));
    this.#worker.on('error', ended).on('exit', () => ended(null));
  }

  /** Does work during which the thread may request the text of this template. */
  async having<T>(template: StoredTemplateText, work: (key: TemplateKey) => Promise<T>): Promise<T> {
    const { id, version, design, document } = template;
    const key = keyOf(template);
    this.#texts.set(key, document);
    try {
      return await work({ id, version, ...(design !== undefined && { design }) });
    } finally {
      this.#texts.delete(key);
    }
  }

  async end(reason: unknown): Promise<void> {
    this.#end(reason);
    await this.#worker.terminate();
  }

  #end(reason: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(reason);
    this.calls.end(reason);
  }
}

const isShort = ({ document }: StoredTemplateText) => document.length <= SMALL;

const isSmall = (value: unknown) => isLighter(value, SMALL);

const charactersIn = (texts: MaterialTexts): number =>
  Object.values(texts)
    .flatMap((byReference: MaterialTexts['brands']) => [...byReference.values()])
    .reduce((sum, { length }) => sum + length, 0);
