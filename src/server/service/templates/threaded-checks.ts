// Checks templates for a server, and imports SVG files: small templates on the main thread, the rest on worker threads,
// so that they do not block requests.
//
// One check runs at a time, in round robin over accounts. One that is slow takes its thread to a lane of its own, where
// its account then waits for a while, so that the other accounts' checks go on. A check that takes too long or too much
// memory is ended with its thread; the next check starts a new one.

import { endsWithin, NEVER, withDeadline } from '#base/concurrency/deadline.ts';
import { countThreadTime, isSlowItself, whenLate } from '#base/concurrency/fair-deadline.ts';
import { Gate } from '#base/concurrency/gate.ts';
import { YOUNG } from '#base/concurrency/young-generation.ts';
import { AppError } from '#base/errors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Purpose } from '#core/resolve/check-parameters.ts';
import type { CheckedAny } from '#core/resolve/resolve-any.ts';
import type { Choice } from '#design/choice.ts';
import type { Missing } from '#design/materials.ts';
import { startThread } from '#draw/renderer/start-thread.ts';
import { ThreadRpc } from '#draw/renderer/thread-rpc.ts';
import type { TemplateSummary } from '#server/storage/templates.ts';
import type { NamedValue } from '../rendering/signed-url.ts';
import type { CheckHandlers, TextHandlers } from './check-messages.ts';
import { type Choices, looksOf, type MaterialTexts, NO_TEXTS } from './design-texts.ts';
import { isLighter } from './json-weight.ts';
import type { ReadSvgTemplate, SvgFile } from './svg-template.ts';
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
  /** From how many ms on a check is slow; on a busy machine later. */
  readonly slow?: number;
  /** Called with the reason when a thread was replaced. */
  readonly onWarning?: Warn;
}

/**
 * Templates and modifications of at most this weight each are checked on the calling thread: some 5 ms at most, where
 * passing them to another thread takes 0.2 ms.
 */
const SMALL = 12_000;
/** How much more a short design may be once it is made; and the values that a brand has at least. */
const [FEW, VALUES] = [2, 10];
/** Heap limit of the thread, MB. */
const HEAP = 1_024;
const DEADLINE = 5_000;
const SLOW = 250;
/** How long an account whose check was slow waits in the lane of the slow ones, ms. */
const REMEMBERED = 60_000;
/** Maximum waiting checks. */
const WAITING = 1_000;
/** How long a check may wait for its turn, ms. */
const PATIENCE = 30_000;

export class ThreadedChecks implements TemplateChecks, AsyncDisposable {
  readonly #deadline: number;
  readonly #slowAfter: number;
  readonly #here = new LocalChecks();
  readonly #quick: Lane;
  readonly #slow: Lane;
  /** Accounts whose last check was slow, and what will forget it. */
  readonly #slowAccounts = new Map<string, NodeJS.Timeout>();

  constructor({ deadline = DEADLINE, slow = SLOW, onWarning = () => {} }: ThreadedChecksOptions = {}) {
    this.#deadline = deadline;
    this.#slowAfter = slow;
    this.#quick = new Lane(onWarning);
    this.#slow = new Lane(onWarning);
  }

  async read(
    accountId: string,
    document: unknown,
    materials: MaterialTexts = NO_TEXTS,
    id: string | null = null,
  ): Promise<CheckedDocument | Missing> {
    const isShort = isSmall(document) && isShortDesign(JSON.stringify(document) ?? '', materials, looksOf(document));
    if (isShort) return this.#here.read(accountId, document, materials, id);
    return this.#there(accountId, ({ calls }) => calls.call('read', { document, materials, id }));
  }

  async design(template: StoredTemplateText, choice: Choice, materials: MaterialTexts) {
    if (isShort(template) && isShortDesign(template.document, materials, 1))
      return this.#here.design(template, choice, materials);
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

  async toModifications(template: StoredTemplateText, parameters: readonly NamedValue[]): Promise<Modifications> {
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

  async readSvgTemplate(accountId: string, file: SvgFile): Promise<ReadSvgTemplate> {
    return this.#there(accountId, ({ calls }) => calls.call('readSvgTemplate', file));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#slowAccounts.values()) clearTimeout(timer);
    await Promise.all([this.#quick.close(), this.#slow.close()]);
  }

  /**
   * @param work is done again if it turned out to be slow while another slow check ran
   * @throws AppError `invalid_request` when the check took too long, `overloaded` when that was because of others
   */
  async #there<T>(accountId: string, work: Work<T>): Promise<T> {
    try {
      return await withDeadline(PATIENCE, async (patience) => {
        if (!this.#slowAccounts.has(accountId)) {
          const begun = await this.#quick.turns.pass(patience, () => this.#begin(accountId, work), accountId);
          if (begun) return begun.result;
        }
        return this.#slow.turns.pass(patience, async () => this.#inTime(await this.#slow.standing(), work), accountId);
      });
    } catch (cause) {
      if (!(cause instanceof ChecksEnded)) throw cause;
      const message = 'The server is busy, and could not check the template in time; try again in a few seconds.';
      throw new AppError('overloaded', message, { cause, retryAfter: 5 });
    }
  }

  /**
   * Works on the quick thread until the check is done or slow. A slow one goes on if the other lane is free, and takes
   * its thread there.
   *
   * @returns its result, wrapped as that may be still to come; null when it was ended because the other lane is taken
   */
  async #begin<T>(accountId: string, work: Work<T>): Promise<{ readonly result: Promise<T> } | null> {
    const thread = await this.#quick.standing();
    const result = this.#inTime(thread, work);
    const isDone = result.then(
      () => {},
      () => {},
    );
    do {
      if (await endsWithin(this.#slowAfter, isDone)) return { result };
    } while (!isSlowItself(await thread.used(), this.#slowAfter));
    this.#remember(accountId);
    if (!this.#slow.isFree) {
      await thread.end(new Error('A check was slow while another was.'));
      return null;
    }
    const moved = this.#slow.turns.pass(NEVER, () => result, accountId);
    this.#slow.take(this.#quick.give());
    return { result: moved };
  }

  #remember(accountId: string): void {
    clearTimeout(this.#slowAccounts.get(accountId));
    const forget = () => {
      this.#slowAccounts.delete(accountId);
      if (this.#slowAccounts.size === 0 && this.#slow.isFree) void this.#slow.close();
    };
    this.#slowAccounts.set(accountId, setTimeout(forget, REMEMBERED).unref());
  }

  /**
   * Work within the deadline of one check, or later as long as others have the processor.
   *
   * @throws ChecksEnded
   */
  async #inTime<T>(thread: CheckingThread, work: Work<T>): Promise<T> {
    thread.begin();
    let isItsOwn = false;
    const done = whenLate(
      this.#deadline,
      () => thread.used(),
      (isOwn) => {
        isItsOwn = isOwn;
        void thread.end(new ChecksEnded('a check took too long'));
      },
    );
    try {
      return await work(thread);
    } catch (error) {
      if (!(error instanceof ChecksEnded)) throw error;
      const what = hasTakenAllMemory(error) ? 'too much memory' : `more than ${this.#deadline / 1e3} s`;
      if (!isItsOwn && !hasTakenAllMemory(error)) throw error;
      throw new AppError('invalid_request', `Checking this took ${what}; give it less text or fewer layers.`, {
        cause: error,
      });
    } finally {
      done();
    }
  }
}

type Warn = (message: string, error: unknown) => void;
type Work<T> = (thread: CheckingThread) => Promise<T>;

/** A thread, which is started when it is needed, and those who wait for it. */
class Lane {
  readonly turns = new Gate({ concurrency: 1, waiting: WAITING });
  readonly #onWarning: Warn;
  #thread: CheckingThread | null = null;

  constructor(onWarning: Warn) {
    this.#onWarning = onWarning;
  }

  /** Whether nobody is in it. */
  get isFree(): boolean {
    return this.turns.running === 0;
  }

  /** Its thread, once that has started. @throws ChecksEnded */
  async standing(): Promise<CheckingThread> {
    if (!this.#thread || this.#thread.hasEnded) this.#thread = new CheckingThread(this.#onWarning);
    await this.#thread.started;
    return this.#thread;
  }

  /** Gives its thread away; the next check starts another. */
  give(): CheckingThread | null {
    const thread = this.#thread;
    this.#thread = null;
    return thread;
  }

  take(thread: CheckingThread | null): void {
    void this.close();
    this.#thread = thread;
  }

  async close(): Promise<void> {
    await this.give()?.end(new Error('The checks are closed.'));
  }
}

const hasTakenAllMemory = ({ cause }: Error) =>
  (cause as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';

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
  readonly #onWarning: Warn;
  hasEnded = false;
  readonly started: Promise<void>;
  /** The processor time since the check began, ms. */
  used = async (): Promise<number> => 0;

  constructor(onWarning: Warn) {
    this.#onWarning = onWarning;
    this.calls = new ThreadRpc<CheckHandlers>(this.#worker, {
      text: async (template) => this.#texts.get(keyOf(template)) ?? '',
    } satisfies TextHandlers);
    // Must follow the message listener that ThreadRpc adds: adding one refs the thread again.
    this.#worker.unref();
    const ended = (cause: unknown) => this.#end(new ChecksEnded('the thread ended', { cause }));
    this.#worker.on('error', ended).on('exit', () => ended(null));
    this.started = this.calls.call('start', null);
  }

  /** Begins to count what one check uses. */
  begin(): void {
    this.used = countThreadTime(this.#worker);
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
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (reason instanceof ChecksEnded) this.#onWarning('the checking thread has ended and is replaced', reason);
    this.calls.end(reason);
  }
}

const isShort = ({ document }: StoredTemplateText) => document.length <= SMALL;

const isSmall = (value: unknown) => isLighter(value, SMALL);

/** Whether a short text stays so as a design: each use repeats its component, or a value of its brand; so do its looks. */
function isShortDesign(text: string, { templates, brands }: MaterialTexts, looks: number): boolean {
  const texts = [text, ...templates.values()];
  const uses = (mark: RegExp) => texts.reduce((sum, one) => sum + one.split(mark).length, 0);
  const more =
    templates.size + brands.size === 0
      ? 0
      : charactersIn(templates) * uses(/"template"/) + (charactersIn(brands) * uses(/"\$/)) / VALUES;
  return (text.length + more) * looks <= SMALL * FEW;
}

const charactersIn = (texts: ReadonlyMap<string, string>): number =>
  [...texts.values()].reduce((sum, { length }) => sum + length, 0);
