// Writes one content stream: its operators, the resources that they name, and the current graphics state, so that no
// parameter is set twice to the same value.
//
// It knows PDF's q and Q, and that a form XObject cannot rely on the state in which it starts; it knows nothing of
// brushes or display list operations.

import type { Matrix } from '#core/geometry.ts';
import type { FillRule, PathData } from '#core/path.ts';
import type { Dictionary, PdfReference } from './object.ts';
import { matrix, pathOperators } from './syntax.ts';

/** The graphics state parameters that are tracked (ISO 32000-1, 8.4.1). */
export type StateParameter =
  | 'fill colour'
  | 'stroke colour'
  | 'alpha'
  | 'line width'
  | 'line cap'
  | 'line join'
  | 'miter limit'
  | 'dash'
  | 'font'
  | 'text rendering';

export type ResourceKind = 'Font' | 'XObject' | 'ExtGState' | 'Pattern';

/** An object that operators refer to by name. */
export interface Resource {
  readonly kind: ResourceKind;
  /** Without the slash; the same in every stream of a file. */
  readonly name: string;
  readonly reference: PdfReference;
}

export interface ShownText {
  /** With `Tm`. */
  readonly matrix: string;
  /** With `Tj` or `TJ`. */
  readonly shown: string;
}

export class ContentStream {
  /** Whether it is the content of a page, and not of a form. */
  readonly isPage: boolean;
  /** Of the form, if its number is needed before it is written. */
  reference: PdfReference | null = null;
  /** What its marked content is of, by marked-content identifier. */
  readonly marked: object[] = [];
  /** The operators that begin it, by marked-content identifier. */
  readonly #begins: number[] = [];
  /** What the marked content is of that was begun last (14.6); null = it has ended. */
  #tag: unknown = null;
  #isHeld: boolean;
  /** Of the marked content: what begins it, and where that stands if not all of it is text. */
  #begin = '';
  /** Whether it has an identifier, the last one. */
  #isElement = false;
  #beginAt = 0;
  /** Where it stands if all is text; -1 = none was shown, 0 = not all of it is. */
  #beginInText = -1;
  /** The end of the text object that a further text of the marked content goes on with; -1 = there is none. */
  #textEnd = -1;
  #depth = 0;
  /** The deepest nesting of graphics states so far, without that of forms. */
  deepest = 0;
  readonly #operators: string[] = [];
  readonly #resources: { [kind in ResourceKind]?: Record<string, PdfReference> } = {};
  #state = new Map<StateParameter, string>();

  /** @param isMarked whether its parts say what they are; otherwise, who shows it says it of all */
  constructor({ isPage, isMarked }: { readonly isPage: boolean; readonly isMarked: boolean }) {
    this.isPage = isPage;
    this.#isHeld = !isMarked;
  }

  /** Whether all that is drawn is part of the marked content around it. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * Begins marked content, unless it has begun: what is drawn until `release` is part of it.
   *
   * @returns whether it may be released
   */
  hold<T>(tag: T, structure: { begin(tag: T, content: ContentStream): string }): boolean {
    if (this.#isHeld) return false;
    if (this.#tag !== tag) {
      this.endMarked();
      const { length } = this.marked;
      this.#begin = structure.begin(tag, this);
      this.#isElement = this.marked.length > length;
      this.#beginAt = this.#operators.push('') - 1;
      this.#beginInText = -1;
      this.#tag = tag;
    }
    this.#isHeld = true;
    return true;
  }

  release(): void {
    this.#isHeld = false;
  }

  /** Ends the marked content, unless it is held. */
  endMarked(): void {
    if (this.#isHeld || this.#tag === null) return;
    this.#tag = null;
    const isInText = this.#beginInText > 0 && this.#textEnd >= 0;
    const place = isInText ? this.#beginInText : this.#beginAt;
    this.#operators[place] = this.#begin;
    if (this.#isElement) this.#begins[this.marked.length - 1] = place;
    if (isInText) this.#operators[this.#textEnd] = 'EMC\nET';
    else this.#operators.push('EMC');
    this.#textEnd = -1;
  }

  /** Gives marked content, which has ended, another identifier. */
  renumber(id: number, other: number): void {
    const place = this.#begins[id] ?? -1;
    const begin = this.#operators[place] ?? '';
    this.#operators[place] = `${begin.slice(0, begin.lastIndexOf(' '))} ${other}>>BDC`;
  }

  write(operators: string): void {
    this.#beginInText = 0;
    this.#textEnd = -1;
    this.#operators.push(operators);
  }

  /**
   * Writes a text object (9.4.1) that shows a run. Marked content that is text, with states between its runs, is one text
   * object, within which it begins: beside what is shown, which differs anyway, that takes half of the bytes once it is
   * compressed.
   */
  showText({ matrix, shown }: ShownText): void {
    const operators = this.#operators;
    if (this.#textEnd >= 0) {
      operators[this.#textEnd] = '';
      operators.push(matrix, shown);
    } else {
      operators.push('BT', matrix);
      if (this.#tag !== null && this.#beginInText < 0) this.#beginInText = operators.push('') - 1;
      operators.push(shown);
    }
    const end = operators.push('ET') - 1;
    if (this.#tag !== null) this.#textEnd = end;
  }

  /** Returns a resource's name as an operand, and adds it to the stream's resource dictionary. */
  use({ kind, name, reference }: Resource): string {
    const named = this.#resources[kind] ?? {};
    this.#resources[kind] = named;
    named[name] = reference;
    return `/${name}`;
  }

  /** The resource dictionary (7.8.3): exactly the resources used so far. */
  get resources(): Dictionary {
    return this.#resources;
  }

  /** Writes `operator` unless the parameter already has this value. */
  set(parameter: StateParameter, operator: string): void {
    if (this.#state.get(parameter) === operator) return;
    this.#state.set(parameter, operator);
    this.#operators.push(operator);
  }

  /** The operator that last set this parameter; undefined = the value at the start of the stream. */
  get(parameter: StateParameter): string | undefined {
    return this.#state.get(parameter);
  }

  /** Runs `draw` between `q` and `Q`. */
  isolate(draw: () => void): void {
    const saved = new Map(this.#state);
    this.endMarked();
    this.write('q');
    this.#depth += 1;
    this.deepest = Math.max(this.deepest, this.#depth);
    draw();
    this.#depth -= 1;
    this.endMarked();
    this.write('Q');
    this.#state = saved;
  }

  transform(m: Matrix): void {
    this.write(`${matrix(m)} cm`);
  }

  clip(path: PathData, rule: FillRule): void {
    this.write(`${pathOperators(path)}\n${rule === 'evenodd' ? 'W*' : 'W'} n`);
  }

  toString(): string {
    return this.#operators.filter((each) => each !== '').join('\n');
  }
}
