// The rules of a template's parameters: which kinds a layer may have, and what is wrong with a value.
//
// Without zod, so that a form in the browser can say what the API would say.

import { quoted } from '../diagnostics.ts';
import { isList } from '../long-list.ts';
import { type ParameterKind, traitsOf } from './layer-traits.ts';

/** The properties, of which the first that is given is the value of an element of html. */
const VALUE_OF_ELEMENT = ['value', 'text', 'src'];

/** What is asked of the values of one parameter. */
export interface ParameterRules {
  readonly required?: boolean | undefined;
  readonly kind?: ParameterKind | undefined;
  /** Of a text, in characters (code points). */
  readonly maxLength?: number | undefined;
  /** Of a number. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly choices?: readonly string[] | undefined;
}

/** The choices that an error names. */
const MOST_NAMED = 10;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const ADDRESS = /^https?:\/\/[^\s/]/i;

/**
 * What is wrong with a modification of a parameter's layer, as the end of a sentence, or null.
 *
 * @param type the layer's type, or `element`
 * @param given the modification as the caller sent it; undefined = none
 * @param mayMiss whether a value that is required may be missing, as in a preview
 */
export function problemOf(rules: ParameterRules, type: string, given: unknown, mayMiss: boolean): string | null {
  const traits = traitsOf(type);
  const kind = rules.kind ?? traits?.parameters[0] ?? 'text';
  // A list for a table or a frame that repeats, or the values of a chart; its entries are checked with the layers.
  const mayBeList = traits?.takesList === 'always' || traits?.takesList === 'by-repeat';
  if (mayBeList && isList(given) && !(Array.isArray(given) && given.length === 0)) return null;
  const primary = type === 'element' ? VALUE_OF_ELEMENT : [traits?.primary ?? ''];
  const value = kind === 'boolean' ? visibilityIn(given) : valueIn(given, primary);
  const isMissing = value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
  if (isMissing) return rules.required && !mayMiss ? 'is required, and has no value' : null;
  if (kind === 'boolean') return typeof value === 'boolean' ? null : 'must be true or false';
  // What is no word, such as a gradient, is checked with the layer.
  return typeof value === 'string' ? problemOfText(rules, kind, value) : null;
}

function problemOfText({ maxLength, min, max, choices }: ParameterRules, kind: ParameterKind, text: string) {
  if (choices && !choices.includes(text)) {
    const named = choices.slice(0, MOST_NAMED).map((choice) => quoted(choice));
    const more = choices.length > named.length ? ` and ${choices.length - named.length} more` : '';
    return `must be one of ${named.join(', ')}${more}`;
  }
  if (maxLength !== undefined && text.length > maxLength) {
    const length = text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
    if (length > maxLength) return `must have at most ${maxLength} characters, this has ${length}`;
  }
  if (kind === 'url' && !ADDRESS.test(text)) return 'must be an address that begins with https:// or http://';
  if (kind !== 'number') return null;
  if (!NUMBER.test(text)) return 'must be a number, such as 12 or 3.5';
  if (min !== undefined && Number(text) < min) return `must be at least ${min}`;
  return max !== undefined && Number(text) > max ? `must be at most ${max}` : null;
}

function valueIn(given: unknown, properties: readonly string[]): unknown {
  if (typeof given === 'number') return String(given);
  if (typeof given === 'string') return given;
  if (typeof given !== 'object' || given === null) return undefined;
  const property = properties.find((name) => Object.hasOwn(given, name));
  const value = property === undefined ? undefined : (given as Readonly<Record<string, unknown>>)[property];
  return typeof value === 'number' ? String(value) : value;
}

function visibilityIn(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { visible, hidden } = given as { readonly visible?: unknown; readonly hidden?: unknown };
  return visible ?? (typeof hidden === 'boolean' ? !hidden : undefined);
}
