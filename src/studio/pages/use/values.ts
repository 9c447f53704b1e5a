// The values that somebody gives to a template's parameters: what is wrong with them, and what is sent.

import { problemOf } from '#core/template/parameter-rules.ts';
import type { Parameter } from '../../shell/parameters.ts';

/** A text, whether a layer is shown, or the entries of a chart as the API takes them. */
export type Value = string | boolean | object;

/** By parameter; without an entry, the value is the design's own. */
export type Values = Readonly<Record<string, Value>>;

/** The values with one of them changed; one that equals the design is left out, so that rich text keeps its styles. */
export function withValue(values: Values, parameter: Parameter, value: Value | undefined): Values {
  const { [parameter.name]: _before, ...others } = values;
  const isAsDesigned =
    !parameter.required && value === (parameter.kind === 'boolean' ? parameter.isShown : parameter.value);
  // Only words may be empty: no picture, number or colour is.
  const isNothing = value === '' && parameter.kind !== 'text' && parameter.kind !== 'paragraph';
  return value === undefined || isAsDesigned || isNothing ? others : { ...others, [parameter.name]: value };
}

/** What is wrong, by parameter. @param mayMiss whether values that are required may still be missing */
export function problemsOf(
  parameters: readonly Parameter[],
  values: Values,
  mayMiss: boolean,
): Readonly<Record<string, string>> {
  const found = parameters.flatMap((parameter) => {
    const problem = problemOf(parameter, parameter.type, values[parameter.name], mayMiss);
    return problem === null ? [] : [[parameter.name, sentence(problem)] as const];
  });
  return Object.fromEntries(found);
}

export interface NamedProblem {
  readonly name: string;
  readonly problem: string;
  /** Of a list: the entry and its value. */
  readonly cell: { readonly row: number; readonly name: string } | null;
}

/** `.total` or `["unit price"]` */
const nameIn = (path: string): string =>
  path.startsWith('["')
    ? String(JSON.parse(/^\["(?:[^"\\]|\\.)*"/.exec(path)?.[0].slice(1) ?? '""'))
    : (/^\.([^.[]*)/.exec(path)?.[1] ?? '');

/** The parameter that an answer of the server names, and what it says is wrong with it; null if it names none. */
export function problemIn(message: string, parameters: readonly Parameter[]): NamedProblem | null {
  for (const { name, label } of parameters) {
    const paths = [`modifications.${name}`, `modifications[${JSON.stringify(name)}]`];
    const path = paths.find((one) => message.startsWith(one) && /^[:.[]/.test(message.slice(one.length)));
    if (path) {
      const text = message.slice(path.length);
      const colon = [...text.matchAll(/\["(?:[^"\\]|\\.)*"\]|./gs)].find(([part]) => part === ':')?.index;
      const rest = text.slice(0, colon ?? 0);
      const problem = colon === undefined ? '' : text.slice(colon + 1).replace(/^ /, '');
      const [, row, value = ''] = /^(?:\.rows)?\[(\d+)\](.*)$/s.exec(rest) ?? [];
      const own = `${JSON.stringify(label)} `;
      const said = sentence(problem.startsWith(own) ? problem.slice(own.length) : problem);
      if (row === undefined) return { name, problem: said, cell: null };
      return { name, problem: said, cell: { row: Number(row), name: nameIn(value) } };
    }
    if (message.includes(`layer ${JSON.stringify(name)} `)) return { name, problem: message, cell: null };
  }
  return null;
}

/** `“Headline” is required, and has no value.` */
export const inSentence = (label: string, problem: string): string =>
  `“${label}” ${problem[0]?.toLowerCase()}${problem.slice(1)}`;

const sentence = (problem: string) =>
  `${problem[0]?.toUpperCase()}${problem.slice(1)}${problem.endsWith('.') ? '' : '.'}`;

/**
 * The values as the query of a signed URL names them: `true` and `false` could be words, so they name the property.
 * Entries are left out, which no query can carry.
 */
export function queryOf(values: Values): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (typeof value === 'object') return [];
      return [typeof value === 'boolean' ? [`${name}.visible`, String(value)] : [name, value]];
    }),
  );
}
