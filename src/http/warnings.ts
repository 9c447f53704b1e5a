// Reports what was odd but did not prevent rendering, in the header `platen-warnings`.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { RequestContext } from './request-context.ts';

const MAX_ENTRIES = 20;
const MAX_BYTES = 2_048;
const MAX_MESSAGE = 300;

/** A JSON array of sentences in ASCII. Entries that do not fit are counted in a last one, `+N more`. */
export function warningsHeader(diagnostics: readonly Diagnostic[]): string {
  const messages = diagnostics.map(({ message }) =>
    message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message,
  );
  for (let kept = Math.min(messages.length, MAX_ENTRIES); ; kept -= 1) {
    const more = messages.length - kept;
    const header = asciiJson([...messages.slice(0, kept), ...(more > 0 ? [`+${more} more`] : [])]);
    if (header.length <= MAX_BYTES || kept === 0) return header;
  }
}

export function setWarnings(koa: RequestContext, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) koa.set('platen-warnings', warningsHeader(diagnostics));
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
