// The codes of all expected failures. Any other error is a bug: 500 and a logged stack.

const ERROR_CODES = [
  'invalid_request',
  'url_not_allowed',
  'unauthorized',
  'quota_exceeded',
  'bad_signature',
  'not_found',
  'method_not_allowed',
  'too_large',
  'range_not_satisfiable',
  'conflict',
  'key_reused',
  'rate_limited',
  'overloaded',
  'no_browser',
  'forbidden',
  'suspended',
  'foreign_origin',
  'password_needed',
  'password_wrong',
  'link_invalid',
  'sign_in_refused',
  'changed',
  'precondition_required',
  'render_failed',
  'file_damaged',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * An expected failure.
 *
 * `message` is public: it goes verbatim to the API caller, the job row and the webhook, so it says what was wrong and
 * how to fix it. Details for our logs go in `cause`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** When to try again, in seconds; null where the error is not temporary. */
  readonly retryAfter: number | null;
  /** Further data for programs, as plain JSON; included in answers of the studio. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & { readonly retryAfter?: number; readonly details?: Readonly<Record<string, unknown>> },
  ) {
    super(message, options);
    this.code = code;
    this.retryAfter = options?.retryAfter ?? null;
    this.details = options?.details ?? {};
  }
}

/** The message for a caller when the error is a bug, or otherwise not theirs. */
export const OUR_FAULT = 'Something went wrong on our side; please try again.';
