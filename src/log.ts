// The door to pino: JSON lines on standard error, with every secret cut out before it is written.
//
// Nobody logs a request's headers, query or body; redaction is the second wall, not the first.

import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { currentTrace } from './trace.ts';
import { traceFields } from './trace-context.ts';

export type Log = Logger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** Fields that never reach a log line, at the top and one level down. */
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

/** Secrets by their looks, wherever they stand in a message or a stack: API keys, signing secrets, `sig=…`, userinfo. */
const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  [/\bplt_(live|test)_[0-9A-Za-z]+/g, 'plt_$1_[cut]'],
  [/\b(sgn|whsec)_[0-9A-Za-z+/=]+/g, '$1_[cut]'],
  [/\b(pls|pll)_[0-9A-Za-z]+/g, '$1_[cut]'],
  [/\bsig=[^&\s"']*/g, 'sig=[cut]'],
  [/(\bhttps?:\/\/)[^/\s@]*@/gi, '$1[cut]@'],
];

/** `text` without anything that looks like one of our secrets. */
function withoutSecrets(text: string): string {
  return SECRET_TEXT.reduce((cut, [pattern, replacement]) => cut.replace(pattern, replacement), text);
}

/** Writes to standard error unless told otherwise: standard output belongs to what the user asked for. */
export function createLog(level: LogLevel, out: DestinationStream = destination({ fd: 2, sync: true })): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Of the request or job that the line is about.
      mixin: () => traceFields(currentTrace()),
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[cut]' },
      // A message or a stack may quote what the caller sent.
      hooks: { streamWrite: withoutSecrets },
    },
    out,
  );
}
