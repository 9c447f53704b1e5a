// What a request chooses of a design: a size, a language and a brand, or several of each, which give several files.

import { ValidationError } from '#core/diagnostics.ts';
import { EVERY } from '#core/template/size.ts';
import type { Choice } from '#design/choice.ts';
import type { Choices } from '../templates/design-texts.ts';

/** Each is one name, a list of names, or `all` (of sizes and languages). */
export interface WantedChoices {
  readonly size?: string | readonly string[] | undefined;
  readonly lang?: string | readonly string[] | undefined;
  readonly brand?: string | readonly string[] | undefined;
}

/** Files of one request. */
export const MAX_FILES = 100;

type Kind = keyof WantedChoices;
/** In the order in which files are listed: the last changes first. */
const KINDS = ['brand', 'lang', 'size'] as const satisfies readonly Kind[];

/** Whether several files are asked for, also if the list has one name. */
export const areSeveral = (wanted: WantedChoices): boolean =>
  KINDS.some((kind) => Array.isArray(wanted[kind]) || wanted[kind] === EVERY);

/** One choice. @throws ValidationError naming the field that asks for several files, where only one is made */
export function oneChoice(wanted: WantedChoices): Choice {
  for (const kind of KINDS) {
    if (!Array.isArray(wanted[kind]) && wanted[kind] !== EVERY) continue;
    throw new ValidationError(kind, 'must be one name here; lists and "all" are for renders');
  }
  return definedOf(wanted as Choice);
}

/**
 * Every combination, sizes innermost.
 *
 * @param find what can be chosen, if everything is asked for
 * @throws ValidationError when these are too many files; what `find` throws
 */
export async function everyChoice(
  wanted: WantedChoices,
  find: () => Promise<Choices> | Choices,
): Promise<readonly Choice[]> {
  const all = wanted.size === EVERY || wanted.lang === EVERY ? await find() : null;
  const named = {
    brand: wanted.brand,
    lang: wanted.lang === EVERY ? all?.languages : wanted.lang,
    size: wanted.size === EVERY ? all?.sizes : wanted.size,
  };
  let choices: readonly Choice[] = [{}];
  for (const kind of KINDS) {
    const names = named[kind];
    if (names === undefined) continue;
    if (names.length === 0) throw new ValidationError(kind, 'the template has no languages');
    choices = choices.flatMap((choice) => [names].flat().map((name) => ({ ...choice, [kind]: name })));
    if (choices.length > MAX_FILES) {
      throw new ValidationError(kind, `with these one request makes more than ${MAX_FILES} files; ask for fewer`);
    }
  }
  return choices;
}

const definedOf = (choice: Choice): Choice =>
  Object.fromEntries(Object.entries(choice).filter(([, name]) => name !== undefined));

/** A choice without members is none. */
export const givenChoice = (choice: Choice): { readonly choice?: Choice } =>
  Object.keys(choice).length === 0 ? {} : { choice };

/**
 * Takes what is chosen out of the columns of a row, or the parameters of a URL.
 *
 * @param parameters those that choose (templates/design-texts.ts); a list in a cell stands between commas
 */
export function splitChoice(
  values: Readonly<Record<string, unknown>>,
  parameters: readonly Kind[],
): { readonly wanted: WantedChoices; readonly modifications: Readonly<Record<string, unknown>> } {
  if (!parameters.some((kind) => typeof values[kind] === 'string')) return { wanted: {}, modifications: values };
  const wanted: Partial<Record<Kind, string | string[]>> = {};
  const modifications = { ...values };
  for (const kind of parameters) {
    const value = values[kind];
    if (typeof value !== 'string') continue;
    delete modifications[kind];
    const names = value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length > 0) wanted[kind] = names.length === 1 ? (names[0] ?? '') : names;
  }
  return { wanted, modifications };
}
