// The one list of expected failures. Everything else that is thrown is a bug: 500 and a logged stack.

export const ERROR_CODES = [
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
 * `message` is public: it goes to the API caller, the job row and the webhook word for word, so it says what was
 * wrong and how to mend it. Whatever must stay in our logs goes in `cause`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** When it makes sense to try again, in seconds; null where the error does not pass by itself. */
  readonly retryAfter: number | null;
  /** What a program may want to know besides, as plain JSON: told in answers of the studio. */
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

/** What a caller is told of a bug, or of anything else that is not theirs. */
export const OUR_FAULT = 'Something went wrong on our side; please try again.';
