// Warns of unknown fields in a request body, with the nearest known name.

import { type Diagnostic, quoted } from '#core/diagnostics.ts';
import { nearestName } from '#core/nearest-name.ts';

/** Names that other services use for our fields, in lower case without separators. */
const SYNONYMS: Readonly<Record<string, string>> = {
  callback: 'webhookUrl',
  callbackurl: 'webhookUrl',
  webhook: 'webhookUrl',
  changes: 'modifications',
  data: 'modifications',
  layers: 'modifications',
  params: 'modifications',
  variables: 'modifications',
  devicescalefactor: 'scale',
  dpr: 'scale',
  extension: 'output',
  filetype: 'output',
  format: 'output',
  type: 'output',
  id: 'template',
};

/** Maximum number of fields that are reported one by one. */
const MAX_REPORTED = 10;

/**
 * @param at path of the fields in the request: `renders[2]`, or '' for the body itself
 * @param known the known fields
 */
export function unknownFields(
  fields: Readonly<Record<string, unknown>>,
  known: readonly string[],
  at = '',
): readonly Diagnostic[] {
  const unknown = Object.keys(fields).filter((name) => !known.includes(name));
  return unknown.slice(0, MAX_REPORTED).map((name) => {
    const synonym = SYNONYMS[name.toLowerCase().replace(/[_-]/g, '')];
    const near = synonym !== undefined && known.includes(synonym) ? synonym : nearestName(name, known);
    const shown = quoted(name);
    const place = at === '' ? 'The request' : at;
    const hint = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
    const message = `${place} has no field ${shown}, which was ignored${hint === '' ? '.' : hint}`;
    return { code: 'unknown-field', layer: null, message };
  });
}

/** The unknown field that was most likely meant for a missing one: the one with the nearest name. */
export function misspeltField(
  fields: Readonly<Record<string, unknown>>,
  missing: string,
  known: readonly string[],
): string | null {
  const candidates = Object.keys(fields).filter((name) => !known.includes(name));
  return nearestName(missing, candidates);
}
