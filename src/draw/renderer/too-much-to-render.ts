// The error of a render that is too much for the time or the memory that one may take.

import { AppError } from '#base/errors.ts';
import type { StageTime } from '#base/trace.ts';
import type { Subject } from './renderer.ts';

/** What a render does; `inspect` for a file that is only looked at. */
export type RenderStage = StageTime['stage'] | 'inspect';

const DOING: Readonly<Partial<Record<RenderStage, string>>> = {
  resolve: 'to read its values, html and CSS',
  load: 'to load its pictures and fonts',
  compose: 'to lay out',
  export: 'to draw',
};

/** @param stage what it was doing; null if unknown */
export function tooMuchToRender(
  what: 'time' | 'memory',
  stage: RenderStage | null,
  { heaviest }: Pick<Subject, 'heaviest'>,
  cause: unknown,
): AppError {
  const took = `took too ${what === 'time' ? 'long' : 'much memory'}`;
  if (stage === 'inspect') return new AppError('invalid_request', `The file ${took} to read.`, { cause });
  const doing = (stage && DOING[stage]) ?? '';
  const isOfLayers = stage !== 'load' && heaviest;
  const layer = isOfLayers ? `; layer ${JSON.stringify(heaviest)} weighs most` : '';
  const message = `The render ${took}${doing && ` ${doing}`}, and was stopped${layer}. Make it smaller.`;
  return new AppError('invalid_request', message, { cause });
}
