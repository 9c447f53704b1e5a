// Files that the server draws for the studio: of a stored template, or of a document that is not published. They are
// previews, so they are not counted and not stored.

import { withoutEnd } from '#core/without-end.ts';
import { extensionOf, isVector, type Output } from '#draw/output/formats.ts';
import { accountPath, send } from './api.ts';
import type { FileRequest } from './contract.ts';

/** Draws a document as it is edited. @throws ApiError */
export async function drawDocument(
  accountId: string,
  document: unknown,
  request: FileRequest,
  signal?: AbortSignal,
): Promise<Blob> {
  const path = accountPath(accountId, 'preview');
  const response = await send('POST', path, { body: { document, ...request }, ...(signal && { signal }) });
  return response.blob();
}

/** A file, and what the server warned of while drawing it. */
export interface DrawnFile {
  readonly blob: Blob;
  readonly warnings: readonly string[];
}

/** Draws the newest version of a stored template. @throws ApiError */
export async function drawTemplate(
  accountId: string,
  templateId: string,
  request: FileRequest,
  signal?: AbortSignal,
): Promise<DrawnFile> {
  const path = accountPath(accountId, 'templates', templateId, 'preview');
  const response = await send('POST', path, { body: request, ...(signal && { signal }) });
  return { blob: await response.blob(), warnings: warningsOf(response) };
}

/** The header `platen-warnings`: a JSON array of sentences. */
function warningsOf(response: Response): readonly string[] {
  return JSON.parse(response.headers.get('platen-warnings') ?? '[]') as string[];
}

/** Marks that file systems or shells give a meaning, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
const UNSAFE = /[\u0000-\u001f\u007f"*/:<>?\\|]+/g;

/** `Launch card@2x.png`: the template's name as a file name, with the scale of pictures that are larger. */
export function fileNameOf(name: string, output: Output, scale: number): string {
  const safe = withoutEnd(name.replace(UNSAFE, '-').replace(/^[\s.-]+/, ''), /[\s.]/).slice(0, 100);
  const size = scale === 1 ? '' : `@${scale}x`;
  return `${safe || 'Picture'}${size}.${extensionOf(output)}`;
}

/** Draws a file and stores it where the browser puts downloads. @throws what `draw` throws */
export async function saveDrawn(
  name: string,
  { output, scale: wanted }: { readonly output: Output; readonly scale: number },
  draw: (request: FileRequest) => Promise<Blob>,
): Promise<void> {
  const scale = isVector(output) ? 1 : wanted;
  saveFile(await draw({ output, scale }), fileNameOf(name, output, scale));
}

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read the address only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
