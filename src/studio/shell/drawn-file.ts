// Files that the server draws for the studio: of a stored template, or of a document that is not published. They are
// previews, so they are not counted and not stored.

import type { Invoice } from '#core/template/document-properties.ts';
import { withoutEnd } from '#core/without-end.ts';
import { extensionOf, isVector, type Output } from '#draw/output/formats.ts';
import { accountPath, send } from './api.ts';
import type { FileRequest } from './contract.ts';
import { choiceOf, type TemplateView, type TemplateViews, viewName } from './views.ts';

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
  /** Of the document. */
  readonly pages: number;
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
  const pages = Number(response.headers.get('platen-pages') ?? 1);
  return { blob: await response.blob(), warnings: warningsOf(response), pages };
}

/** The header `platen-warnings`: a JSON array of sentences. */
function warningsOf(response: Response): readonly string[] {
  return JSON.parse(response.headers.get('platen-warnings') ?? '[]') as string[];
}

/** Marks that file systems or shells give a meaning, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
const UNSAFE = /[\u0000-\u001f\u007f"*/:<>?\\|]+/g;

const safeName = (name: string) =>
  withoutEnd(name.replace(UNSAFE, '-').replace(/^[\s.-]+/, ''), /[\s.]/).slice(0, 100) || 'Picture';

/** `Launch card - de@2x.png`: the template's name as a file name, which view it is, and the scale of larger pictures. */
export const fileNameOf = (name: string, output: Output, scale: number, view = ''): string =>
  `${safeName(name)}${view}${scale === 1 ? '' : `@${scale}x`}.${extensionOf(output)}`;

/** Several files of one template that are downloaded at once. */
interface WantedFiles {
  /** The template's name. */
  readonly name: string;
  readonly output: Output;
  readonly scale: number;
  readonly views: TemplateViews;
  /** One is stored by itself, several in a ZIP file. */
  readonly wanted: readonly TemplateView[];
  /** @param request what is drawn, with its size and language where they are not the template's own */
  readonly draw: (request: FileRequest) => Promise<Blob>;
  /** Called before each file of several. */
  readonly onFile?: (at: number) => void;
}

/** Draws files, one after the other, and stores them where the browser puts downloads. @throws what `draw` throws */
export async function saveDrawn({
  name,
  output,
  scale: chosen,
  views,
  wanted,
  draw,
  onFile,
}: WantedFiles): Promise<void> {
  const scale = isVector(output) ? 1 : chosen;
  const files: { name: string; blob: Blob }[] = [];
  for (const [at, view] of wanted.entries()) {
    onFile?.(at);
    const blob = await draw({ output, scale, ...choiceOf(views, view) });
    files.push({ name: fileNameOf(name, output, scale, viewName(views, view)), blob });
  }
  const [one] = files;
  if (one && files.length === 1) return saveFile(one.blob, one.name);
  saveFile(await (await import('./zip.ts')).zipOf(files), `${safeName(name)}.zip`);
}

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read the address only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The profile that an invoice says of itself; without one that is known, EN 16931, and the server says what differs. */
export function profileOf(xml: string): Invoice['profile'] {
  const [, guideline = ''] =
    /GuidelineSpecifiedDocumentContextParameter>\s*<(?:\w+:)?ID>([^<]*)</.exec(xml.slice(0, 5_000)) ?? [];
  const known = [
    [':minimum', 'MINIMUM'],
    [':basicwl', 'BASIC WL'],
    [':basic', 'BASIC'],
    [':extended', 'EXTENDED'],
    [':xrechnung_', 'XRECHNUNG'],
  ] as const;
  return known.find(([part]) => guideline.includes(part))?.[1] ?? 'EN 16931';
}
