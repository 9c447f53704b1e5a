// The checks of the whole server, as the studio shows them: kept for a minute, run once at a time.
//
// A run starts a Chromium and opens the database, so it must not be made per request. The messages name paths of the
// server, so only its operator reads them.

/** A finding of `platen doctor`. */
export interface ServerCheck {
  readonly name: string;
  readonly state: 'ok' | 'limited' | 'broken';
  readonly message: string;
}

/** How long findings are kept, ms. */
const KEPT = 60_000;

const FOR_OTHERS = {
  ok: 'Works.',
  limited: 'Works in part. The owners of the oldest account of this server see why.',
  broken: 'Does not work. The owners of the oldest account of this server see why.',
} as const;

export class ServerChecks {
  readonly #examine: () => Promise<readonly ServerCheck[]>;
  readonly #clock: () => Date;
  #running: Promise<readonly ServerCheck[]> | null = null;
  #kept: { readonly at: number; readonly checks: readonly ServerCheck[] } | null = null;

  /**
   * @param examine makes the checks, which may take seconds
   */
  constructor(examine: () => Promise<readonly ServerCheck[]>, clock: () => Date) {
    this.#examine = examine;
    this.#clock = clock;
  }

  /**
   * The findings, at most a minute old.
   *
   * @param isOperator others get the same checks with messages that reveal nothing of the server
   */
  async read(isOperator: boolean): Promise<readonly ServerCheck[]> {
    const isFresh = this.#kept !== null && this.#clock().getTime() - this.#kept.at < KEPT;
    const checks = isFresh && this.#kept ? this.#kept.checks : await this.#run();
    return isOperator ? checks : checks.map((check) => ({ ...check, message: FOR_OTHERS[check.state] }));
  }

  #run(): Promise<readonly ServerCheck[]> {
    this.#running ??= this.#examine()
      .then((checks) => {
        this.#kept = { at: this.#clock().getTime(), checks };
        return checks;
      })
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }
}
