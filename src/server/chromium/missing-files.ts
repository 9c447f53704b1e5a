// Leaves out the images, style sheets and fonts of a page that could not be loaded, and says which.

import { AppError } from '#base/errors.ts';
import { type Diagnostic, quoted } from '#core/diagnostics.ts';
import type { GuardedPage } from './guarded-page.ts';
import type { IsolatedWorld } from './isolated-world.ts';
import { replaceBrokenImages } from './page-scripts.ts';

/** Maximum warnings of one kind per page. */
const MAX_WARNINGS = 20;

/**
 * Replaces images that could not be loaded by nothing.
 *
 * @throws AppError `invalid_request` naming a missing image that the page marks as required
 */
export async function leaveOut(
  guarded: Pick<GuardedPage, 'failedFiles'>,
  world: IsolatedWorld,
): Promise<readonly Diagnostic[]> {
  const found = await world.call(replaceBrokenImages);
  // The page may have changed what the function relies on.
  const broken = Array.isArray(found) ? (found as ReturnType<typeof replaceBrokenImages>) : [];
  const required = broken.find(({ isRequired }) => isRequired);
  const named = ({ layer, source }: (typeof broken)[number]) =>
    `Image ${layer === null ? quoted(source) : `of layer ${JSON.stringify(layer)}`} could not be loaded`;
  if (required) throw new AppError('invalid_request', `${named(required)}; it is marked as required.`);
  const told = new Set(broken.map(({ url }) => url));
  return [
    ...broken.map(
      (image): Diagnostic => ({
        code: 'image-left-out',
        layer: image.layer,
        message: `${named(image)} and was left out.`,
      }),
    ),
    // Backgrounds, fonts and style sheets.
    ...guarded
      .failedFiles()
      .filter((url) => !told.has(url))
      .map(
        (url): Diagnostic => ({
          code: 'image-left-out',
          layer: null,
          message: `${quoted(url)} could not be loaded and was left out.`,
        }),
      ),
  ].slice(0, MAX_WARNINGS);
}

/**
 * For pages that may lack none of their files.
 *
 * @throws AppError `invalid_request` naming the first that could not be loaded
 */
export function requireFiles(guarded: Pick<GuardedPage, 'failedFiles'>): void {
  const [first, ...others] = guarded.failedFiles();
  if (first === undefined) return;
  const { length } = others;
  const more = length === 0 ? '' : ` ${length} more ${length === 1 ? 'is' : 'are'} missing.`;
  throw new AppError('invalid_request', `The page's file ${quoted(first)} could not be loaded.${more}`);
}
