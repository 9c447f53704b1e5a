// A picture that asks for more than a drawing may take, and which of its operations asks for most of it.

import { AppError } from '#errors';

/** What is wrong with outlines that nobody could tell apart. */
export const TOO_MANY_EDGES =
  'has too many edges to be drawn at this size; give it fewer points or letters, or less room';

export class TooMuchToDraw extends AppError {
  /** What is wrong, and how to mend it, without its subject. */
  readonly problem: string;
  /** The operation that took most of the time, by its place in the list; -1 where none is known. */
  readonly op: number;

  constructor(problem: string, options?: ErrorOptions & { readonly op?: number }) {
    super('invalid_request', `The picture ${problem}.`, options);
    this.problem = problem;
    this.op = options?.op ?? -1;
  }

  /** The same of the layer that is most of it. */
  ofLayer(name: string): AppError {
    return new AppError('invalid_request', `Layer ${JSON.stringify(name)} ${this.problem}.`, { cause: this });
  }
}
