// The one gap where a render touches the outside: the scene's needs in, fonts and images in memory out.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { Needs } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import type { FontLibrary } from '#fonts/font-library.ts';

export interface LoadedResources {
  readonly resources: Resources;
  /** Unknown families, optional images that were left out. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Brings in an image by its source. */
export interface ImageSources {
  /**
   * The file's bytes, at most 15 MiB, not yet decoded.
   *
   * @throws AppError `url_not_allowed` or `invalid_request` with a sentence about the source
   */
  read(source: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** @throws AppError `invalid_request` naming the layer whose image cannot be loaded or decoded */
export async function loadResources(
  _needs: Needs,
  _fonts: FontLibrary,
  _images: ImageSources,
  _signal: AbortSignal,
): Promise<LoadedResources> {
  throw new Error('not built yet');
}
