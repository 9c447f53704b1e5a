// Errors of requests to a Platen server.

/** The server refused or failed a request. `message` is the server's own sentence. */
export class PlatenError extends Error {
  override readonly name: string = 'PlatenError';
  /** The HTTP status; 0 if no answer came. */
  readonly status: number;
  /** Seconds after which the server suggests trying again, or null. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, retryAfter: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A job ended in `error`, or every item of a batch did. */
export class JobFailedError extends PlatenError {
  override readonly name = 'JobFailedError';
  /** The id of the job or batch. */
  readonly id: string;

  constructor(id: string, message: string) {
    super(200, message);
    this.id = id;
  }
}
