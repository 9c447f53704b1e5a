// Measures the layout of a template file: every step of a render before the drawing.

import { describeLayout, type SceneLayout } from '#core/layout/describe-layout.ts';
import { layOut } from '#core/layout/layout.ts';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';
import { openFileScene } from './file-scene.ts';

export interface MeasuredFile {
  readonly layout: SceneLayout;
  readonly warnings: readonly string[];
}

/** @throws AppError or ValidationError saying what is wrong with the file or its images */
export async function measureFile(path: string, set: readonly NamedValue[]): Promise<MeasuredFile> {
  const { scene, loaded } = await openFileScene(path, set);
  const { boxes, diagnostics } = layOut(scene, loaded.resources);
  const warnings = [...scene.diagnostics, ...diagnostics, ...loaded.diagnostics].map(({ message }) => message);
  return { layout: describeLayout(scene, boxes), warnings };
}
