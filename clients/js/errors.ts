// What can go wrong between a caller and a Platen server.

/** The server refused, or could not do, what was asked. `message` is its own sentence. */
export class PlatenError extends Error {
  override readonly name: string = 'PlatenError';
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Seconds after which the server suggests to try again, or null. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, retryAfter: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A job ended in `error`. */
export class JobFailedError extends PlatenError {
  override readonly name = 'JobFailedError';
  /** The job's id. */
  readonly id: string;

  constructor(id: string, message: string) {
    super(200, message);
    this.id = id;
  }
}
