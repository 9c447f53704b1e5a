// Logs JSON lines to standard error, with secrets removed. The only module that uses pino.
//
// No code logs a request's headers, query or body; redaction is a second line of defence.

import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { currentTrace } from '#base/trace.ts';
import { traceFields } from './trace-context.ts';

export type Log = Logger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** Fields that are redacted, at the top level and one level down. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'key',
  'modifications',
  'password',
  'query',
  'secret',
  'sig',
  'signing',
  'token',
  'url',
  'webhook',
];

/**
 * Patterns of secrets anywhere in a message or stack: API keys, signing secrets, session, link and ceremony tokens,
 * `sig=…`, userinfo.
 */
const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  [/\bplt_(live|test)_[0-9A-Za-z]+/g, 'plt_$1_[cut]'],
  [/\b(sgn|whsec)_[0-9A-Za-z+/=]+/g, '$1_[cut]'],
  [/\b(pls|pll|plc)_[0-9A-Za-z]+/g, '$1_[cut]'],
  [/\bsig=[^&\s"']*/g, 'sig=[cut]'],
  [/(\bhttps?:\/\/)[^/\s@]*@/gi, '$1[cut]@'],
];

/** Removes from `text` everything that looks like one of our secrets. */
function withoutSecrets(text: string): string {
  return SECRET_TEXT.reduce((cut, [pattern, replacement]) => cut.replace(pattern, replacement), text);
}

/** Writes to standard error by default: standard output belongs to the program's results. */
export function createLog(level: LogLevel, out: DestinationStream = destination({ fd: 2, sync: true })): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // The trace of the request or job that the line belongs to.
      mixin: () => traceFields(currentTrace()),
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[cut]' },
      // A message or stack may quote the caller's input.
      hooks: { streamWrite: withoutSecrets },
    },
    out,
  );
}
