// The error of a picture that exceeds a drawing limit, with the operation that is mostly responsible.

import { AppError } from '#base/errors.ts';
import { layerOf } from '#core/compose.ts';
import type { Scene } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';

/** The problem of outlines with more edges than could be distinguished. */
export const TOO_MANY_EDGES =
  'has too many edges to be drawn at this size; give it fewer points or letters, or less room';

export class TooMuchToDraw extends AppError {
  /** The problem and its remedy, without a subject. */
  readonly problem: string;
  /** The index of the operation that is mostly responsible; -1 when unknown. */
  readonly op: number;

  constructor(problem: string, options?: ErrorOptions & { readonly op?: number }) {
    super('invalid_request', `The picture ${problem}.`, options);
    this.problem = problem;
    this.op = options?.op ?? -1;
  }

  /** The same error, naming a layer. */
  ofLayer(name: string): AppError {
    return new AppError('invalid_request', `Layer ${JSON.stringify(name)} ${this.problem}.`, { cause: this });
  }
}

/** Draws a scene; an error about one of its operations names the layer instead. @throws what `draw` throws */
export async function namingLayer<T>(scene: Scene, resources: Resources, draw: () => Promise<T>): Promise<T> {
  try {
    return await draw();
  } catch (error) {
    if (!(error instanceof TooMuchToDraw)) throw error;
    const layer = layerOf(scene, resources, error.op);
    throw layer === null ? error : error.ofLayer(layer);
  }
}
