// The schemas of `calculate`, with which a text or a cell shows a number that is made of others: a closed list of words, in
// decimal arithmetic.

import { z } from 'zod';
import { ROUNDINGS } from '../decimal.ts';

/** Numbers that one calculation adds or multiplies. */
const MAX_TERMS = 8;

/** @param name of a value */
function wordsOf(name: z.ZodString) {
  const Term = z.union([name, z.number()], 'must be a name or a number');
  const Terms = z.union(
    [Term, z.array(Term).min(1).max(MAX_TERMS)],
    `must be a name, a number or a list of at most ${MAX_TERMS} of them`,
  );
  const rounded = {
    round: z.int().min(0).max(20).optional().meta({ description: 'Digits after the point; without it, all are kept.' }),
    rounding: z.enum(ROUNDINGS).default('half-up').meta({
      description: 'What becomes of a half. half-up: away from zero. half-even: to the even digit.',
    }),
  };
  const less = Terms.optional().meta({ description: 'What is taken off.' });
  return {
    sum: z.strictObject({
      sum: Terms.meta({ description: 'What is added up: a name, or several.' }),
      less,
      times: Terms.optional().meta({ description: 'What the sum is multiplied by, such as a rate.' }),
      ...rounded,
    }),
    average: z.strictObject({ average: name, ...rounded }),
    multiply: z.strictObject({ multiply: z.array(Term).min(1).max(MAX_TERMS), ...rounded }),
    running: z.strictObject({
      running: Terms.meta({ description: 'What is added up from the first entry to this one.' }),
      less,
      start: Term.optional().meta({ description: 'What is there before the first entry.' }),
      ...rounded,
    }),
  };
}

const [inLists, inCells] = [wordsOf(z.string().min(1).max(201)), wordsOf(z.string().min(1).max(201))];

/** Of a text: sums of a list, `lines.total`, which is a text in each of its entries or a value of a table. */
export const Calculation = z.union(
  [
    inLists.sum,
    inLists.average,
    inLists.multiply,
    z.strictObject({ count: z.string().min(1).max(100).meta({ description: 'A list: "lines".' }) }),
  ],
  'must be {"sum": "list.layer"}, {"average": "list.layer"}, {"multiply": ["name", 2]} or {"count": "list"}',
);
export type Calculation = z.infer<typeof Calculation>;

/** Of a cell: of the values of entries, or of what is calculated beside it. */
export const CellCalculation = z.union(
  [inCells.sum, inCells.average, inCells.multiply, inCells.running, z.literal('count')],
  'must be {"sum": "name of a cell"}, {"average": "…"}, {"multiply": ["…", "…"]}, {"running": "…"} or "count"',
);
export type CellCalculation = z.infer<typeof CellCalculation>;

export type Term = string | number;
export type Terms = Term | readonly Term[];

const NAMING = ['sum', 'less', 'times', 'average', 'multiply', 'running', 'start', 'count'];

/** A calculation with other names in it. */
export function withNames<Words>(calculation: Words, named: (name: string) => string): Words {
  if (typeof calculation !== 'object' || calculation === null) return calculation;
  const mapped = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mapped);
    return typeof value === 'string' ? named(value) : value;
  };
  const entries = Object.entries(calculation).map(([word, value]) => [
    word,
    NAMING.includes(word) ? mapped(value) : value,
  ]);
  return Object.fromEntries(entries) as Words;
}

/** The names of the values that a calculation takes, as a document has it. */
export function namesInCalculation(calculation: unknown): readonly string[] {
  const names: string[] = [];
  withNames(calculation, (name) => {
    names.push(name);
    return name;
  });
  return names;
}

/** `lines.total`: a list, and a layer or a value of its entries. */
export interface OfList {
  readonly list: string;
  readonly layer: string;
}

/** Reads a name that may be of a list. Names may contain points, so the list is the longest name of one. @returns null if it is of none */
export function readOfList(path: string, isList: (name: string) => boolean): OfList | null {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const list = path.slice(0, dot);
    if (isList(list)) return { list, layer: path.slice(dot + 1) };
  }
  return null;
}
