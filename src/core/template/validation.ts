// Converts zod's issues to one public sentence: where the problem is and how to fix it.

import type { z } from 'zod';
import { quoted, shortened, ValidationError } from '../diagnostics.ts';
import { meantName } from './other-names.ts';

/** A schema for each field of a value: with one too few, too many or of another type, it does not compile. */
export type SchemasOf<Value extends object> = {
  readonly [Name in keyof Value]-?: z.ZodType<Value[Name] | (undefined extends Value[Name] ? undefined : never)>;
};

/** The value; it does not compile while there are fields of it that nobody reads. */
export type AllRead<Value, _Unread extends never> = Value;

/** The schemas with their sentences, which the contract shows. */
export function described<Schemas extends Readonly<Record<string, z.ZodType>>>(
  schemas: Schemas,
  sentences: Readonly<Record<keyof Schemas, string>>,
): Schemas {
  const entries = Object.entries(schemas).map(([name, schema]) => [
    name,
    schema.meta({ description: sentences[name] }),
  ]);
  return Object.fromEntries(entries) as Schemas;
}

type Issue = z.core.$ZodIssue;

/** The most problems that one error names, and unknown properties of one object. */
const MAX_PROBLEMS = 8;
/** The length of an error's sentence from which it names no more problems, characters. */
const LONG = 600;

/** Formats a path such as `layers[3].fontSize`; keys that are not identifiers are quoted. */
export function formatPath(root: string, path: readonly PropertyKey[]): string {
  let text = root;
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else {
      const name = shortened(String(part));
      const isPlain = /^[\p{L}_$][\p{L}\p{N}_$-]*…?$/u.test(name);
      text += isPlain ? `${text && '.'}${name}` : `[${quoted(name)}]`;
    }
  }
  return text;
}

const listed = (values: readonly unknown[]) =>
  values.map((value) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))).join(', ');

const EXPECTED: Readonly<Record<string, string>> = {
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** px of the units that CSS relates to px. */
const UNITS: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4 };

/** For a number or boolean written as a string, what to write instead; for a list or string, that it is none. */
function hintFor(issue: Issue): string {
  const { input } = issue;
  if (issue.path.at(-1) === 'lineHeight') return '; it is a multiple of the font size, such as 1.5';
  if (takesNumber(issue) && typeof input === 'string') return numberHint(input.trim());
  if (issue.code !== 'invalid_type' || input === undefined) return '';
  if (issue.expected === 'boolean' && /^(true|false)$/i.test(String(input))) {
    return `; write ${String(input).toLowerCase()} without quotes`;
  }
  if (EXPECTED[issue.expected] === 'an object' && Array.isArray(input)) return ', not a list';
  if (issue.expected === 'array' && typeof input === 'object' && input !== null) return ', not an object';
  return '';
}

/** Whether a number would be right, alone or as one of several forms. */
function takesNumber(issue: Issue): boolean {
  if (issue.code === 'invalid_type') return issue.expected === 'number' || issue.expected === 'int';
  return issue.code === 'invalid_union' && issue.errors.some((branch) => branch.some(takesNumber));
}

function numberHint(text: string): string {
  // The other names of weights are no words of CSS.
  if (text === 'bold') return '; write 700 for "bold"';
  const [, digits = '', unit = ''] = /^([+-]?\d{1,9}(?:\.\d{1,9})?)\s*([a-z]{0,4}|%)$/i.exec(text) ?? [];
  const perUnit = UNITS[unit.toLowerCase()];
  if (digits === '') return '';
  if (unit === '') return `; write ${Number(digits)} without quotes`;
  if (unit === 'deg') return `; write ${Number(digits)}, a number of degrees, for ${JSON.stringify(text)}`;
  if (unit === '%') return `; write a number without "%"`;
  if (perUnit !== undefined) {
    return `; write ${Number((Number(digits) * perUnit).toFixed(2))}, a number of px, for ${JSON.stringify(text)}`;
  }
  return `; lengths are numbers of px, or have a unit such as "mm", not ${JSON.stringify(unit)}`;
}

function describe(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${EXPECTED[issue.expected] ?? `a ${issue.expected}`}`;
    case 'too_small':
    case 'too_big': {
      const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
      if (issue.origin === 'string') return `must have ${bound} characters`;
      if (issue.origin === 'array') return `must have ${bound} entries`;
      return `must be ${bound}`;
    }
    case 'invalid_value':
      return (
        (issue.values.length === 1 ? 'must be ' : 'must be one of ') +
        listed(issue.values) +
        nearestValue(issue.input, issue.values)
      );
    case 'invalid_union': {
      const { discriminator, options } = issue as { discriminator?: string; options?: readonly string[] };
      if (discriminator === undefined || !options?.length) return 'is in none of the expected forms';
      const given = (issue.input as Readonly<Record<string, unknown>> | undefined)?.[discriminator];
      const all = `${listed(options.slice(0, -1))} or ${listed(options.slice(-1))}`;
      return `${given === undefined ? 'is required: ' : 'must be '}${all}${nearestValue(given, options)}`;
    }
    case 'unrecognized_keys': {
      const { length } = issue.keys;
      const more = length > MAX_PROBLEMS ? ` and ${length - MAX_PROBLEMS} more` : '';
      return `unknown ${length === 1 ? 'property' : 'properties'} ${listed(issue.keys.slice(0, MAX_PROBLEMS))}${more}`;
    }
    case 'invalid_format':
      return 'is not in the expected form';
    default:
      return issue.message;
  }
}

function nearestValue(input: unknown, values: readonly unknown[]): string {
  const names = values.filter((value) => typeof value === 'string');
  const near = typeof input === 'string' && names.length > 1 ? meantName(input.slice(0, 100), names) : null;
  return near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
}

/** Whether a message is zod's own English, which is replaced; messages from our schemas stay. */
const isStock = (message: string) => /^(Invalid|Too (small|big)|Unrecognized)/.test(message);

/** The deepest issue of a union's best-fitting branch, else the issue itself. */
function mostTelling(issue: Issue): { path: PropertyKey[]; issue: Issue } {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const byDepth = issue.errors.flatMap(([first]) => first ?? []).sort((a, b) => b.path.length - a.path.length);
    const [branch, next] = byDepth;
    // A sentence of our own tells the forms there are: it is the better one, unless the input clearly has one of them.
    if (branch && (isStock(issue.message) || (branch.path.length > 0 && !next?.path.length))) {
      const inner = mostTelling(branch);
      return { path: [...issue.path, ...inner.path], issue: inner.issue };
    }
  }
  // The key itself is invalid: report the message of the key's schema, under the key's name.
  if (issue.code === 'invalid_key' && issue.issues[0]) return { path: [...issue.path], issue: issue.issues[0] };
  return { path: [...issue.path], issue };
}

/** The parsed input and its schema, for suggestions and for the names of layers. */
export interface ParsedInput {
  readonly schema: z.ZodType;
  readonly input: unknown;
}

/** The issues as one ValidationError under `root`: its path is the first one's, its sentence names them all. */
export function validationError(root: string, issues: readonly Issue[], parsed?: ParsedInput): ValidationError {
  const problems = issues.slice(0, MAX_PROBLEMS).map((each) => {
    const { path, issue } = mostTelling(each);
    const problem = (isStock(issue.message) ? describe(issue) : issue.message) + hintFor(issue);
    return { path: formatPath(root, path), problem: problem + (parsed ? suggestion(path, issue, parsed) : '') };
  });
  const [first, ...others] = problems;
  if (!first) return new ValidationError(root, 'is invalid');
  let sentence = first.problem;
  let named = 1;
  for (const { path, problem } of others) {
    if (sentence.length > LONG) break;
    sentence += `; ${path === '' ? '' : `${path}: `}${problem}`;
    named += 1;
  }
  const rest = issues.length > named ? `; and ${issues.length - named} more` : '';
  return new ValidationError(first.path, sentence + rest);
}

/** For unknown properties: the layer that has them, and the names that were most likely meant. */
function suggestion(path: readonly PropertyKey[], issue: Issue, { schema, input }: ParsedInput): string {
  if (issue.code !== 'unrecognized_keys') return '';
  const known = knownKeys(schema, input, path);
  const near = issue.keys.slice(0, MAX_PROBLEMS).flatMap((key) => meantName(key, known) ?? []);
  const layer = layerAt(input, path);
  return [
    layer === null ? '' : ` in layer ${quoted(layer)}`,
    near.length === 0 ? '' : `; did you mean ${listed(near)}?`,
    issue.keys.includes('footnote') ? '; footnotes are for the `spans` of texts that flow, not for cells' : '',
  ].join('');
}

/** The name of the innermost layer on the way to `path`. */
function layerAt(input: unknown, path: readonly PropertyKey[]): string | null {
  let name: string | null = null;
  let value = input;
  for (const [index, key] of path.entries()) {
    value = (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key];
    const isLayer = /^(layers|children)$/.test(String(path[index - 1])) && typeof key === 'number';
    const own = isLayer ? (value as { name?: unknown } | null | undefined)?.name : undefined;
    if (typeof own === 'string') name = own;
  }
  return name;
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce(
    (value: unknown, key) => (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key],
    input,
  );

/** The input without these properties. */
function without(input: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  const copy: unknown = structuredClone(input);
  for (const path of paths) Reflect.deleteProperty(Object(valueAt(copy, path.slice(0, -1))), path.at(-1) ?? '');
  return copy;
}

/**
 * Parses outside input. An optional property that is null counts as absent.
 *
 * @throws ValidationError naming each path below `root` and what is expected there.
 */
export function parse<T extends z.ZodType>(schema: T, input: unknown, root = ''): z.output<T> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const { issues } = result.error;
  const nulls = pathsOf(issues).filter((path) => isProperty(path) && valueAt(input, path) === null);
  if (nulls.length === 0) throw validationError(root, issues, { schema, input });
  const again = schema.safeParse(without(input, nulls), { reportInput: true });
  if (again.success) return again.data;
  // One that is required is told as it was given.
  const isMissing = again.error.issues.some(({ path }) => nulls.some((each) => String(each) === String(path)));
  throw validationError(root, isMissing ? issues : again.error.issues, { schema, input });
}

/** Of these issues, and of all forms of a union that fits none. */
function pathsOf(issues: readonly Issue[]): readonly (readonly PropertyKey[])[] {
  return issues.flatMap((issue) => {
    const inner = issue.code === 'invalid_union' ? issue.errors.flatMap(pathsOf) : [];
    return [issue.path, ...inner.map((path) => [...issue.path, ...path])];
  });
}

const isProperty = (path: readonly PropertyKey[]) => typeof path.at(-1) === 'string';

// Lists the property names that a schema allows at a path, to suggest the nearest for a misspelt one.

/** The parts of a schema's definition that identify its kind (zod 4). */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly getter?: () => z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly valueType?: z.ZodType;
  readonly discriminator?: string;
}

const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition;

/** The names that an object at `path` may have; for a union, those of the members that `input` may be meant for. */
function knownKeys(schema: z.ZodType, input: unknown, path: readonly PropertyKey[]): readonly string[] {
  const here = membersOf(schema, input);
  const [first, ...rest] = path;
  if (first === undefined) return [...new Set(here.flatMap((member) => Object.keys(definitionOf(member).shape ?? {})))];
  const inner = (input as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[first];
  return [
    ...new Set(
      here.flatMap((member) => {
        const { shape, element, valueType } = definitionOf(member);
        const next = shape?.[String(first)] ?? element ?? valueType;
        return next ? knownKeys(next, inner, rest) : [];
      }),
    ),
  ];
}

/** The schema without its wrappers; for a union, its members, narrowed by the discriminator in `input`. */
function membersOf(schema: z.ZodType, input: unknown): readonly z.ZodType[] {
  const { type, innerType, in: before, getter, options, discriminator } = definitionOf(schema);
  if (type === 'lazy' && getter) return membersOf(getter(), input);
  if (innerType ?? before) return membersOf((innerType ?? before) as z.ZodType, input);
  if (!options) return [schema];
  const members = options.flatMap((option) => membersOf(option, input));
  if (discriminator === undefined || typeof input !== 'object' || input === null) return members;
  const wanted = (input as Readonly<Record<string, unknown>>)[discriminator];
  const fitting = members.filter((member) => definitionOf(member).shape?.[discriminator]?.safeParse(wanted).success);
  return fitting.length > 0 ? fitting : members;
}
