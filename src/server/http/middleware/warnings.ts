// Reports warnings, which did not prevent rendering, in the header `platen-warnings`.

import type { Diagnostic } from '#core/diagnostics.ts';
import { asciiJson, warningSentences } from '#server/service/rendering/warnings.ts';
import type { RequestContext } from './request-context.ts';

/** A JSON array of sentences in ASCII. Entries that do not fit are counted in a last one, `+N more`. */
export const warningsHeader = (diagnostics: readonly Diagnostic[]): string => asciiJson(warningSentences(diagnostics));

export function setWarnings(koa: RequestContext, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) koa.set('platen-warnings', warningsHeader(diagnostics));
}
