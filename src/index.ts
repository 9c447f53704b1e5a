// Rendering without a server: `import { render } from 'platen'`.
//
// Works like `platen render`: fonts from the catalogue; images from the disk, from data URLs, or from the web through
// the outbound guard. Nothing is stored, and nothing listens.

import { z } from 'zod';
import { compose as composeScene } from '#core/compose.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { DisplayList } from '#core/paint/display-list.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import { parseTemplate, type Template, type TemplateDocument } from '#core/template/template.ts';
import { LanguageTag } from '#core/template/text-layer.ts';
import { parse, type SchemasOf } from '#core/template/validation.ts';
import { CHROMA_SUBSAMPLINGS } from '#draw/encoders/chroma.ts';
import { COMPRESSIONS, DEFAULT_EXPORT, type FileOptions, OUTPUTS, type Output } from '#draw/output/formats.ts';
import { checkFontFolder, drawScene, type OpenedScene, openScene } from '#draw/renderer/draw-scene.ts';
import { designWith } from './cli/design-file.ts';

export { AppError } from '#base/errors.ts';
export type { Diagnostic } from '#core/diagnostics.ts';
export { ValidationError } from '#core/diagnostics.ts';
export type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
export type { LayerDocument } from '#core/template/layer.ts';
export type { TemplateDocument } from '#core/template/template.ts';
export type { Output } from '#draw/output/formats.ts';

export interface ComposeOptions {
  /** Layer name → text, source, value, fill, visibility, or a merge patch. */
  readonly modifications?: Modifications;
  /** The name of a size of the template; default: its own canvas. */
  readonly size?: string | undefined;
  /** The language of its texts, BCP 47. */
  readonly lang?: string | undefined;
  /** A brand: `{colors, textStyles, fonts, images, numbers}`, by whose names the template refers to values as `$name`. */
  readonly brand?: Readonly<Record<string, unknown>> | undefined;
  /** The folder of relative image sources, which they may not leave; default: the working directory. */
  readonly folder?: string;
  /**
   * Folders of font files (TTF, OTF, WOFF, WOFF2), whose families the template may name; they win over equal ones of the
   * catalogue.
   */
  readonly fontFolders?: readonly string[];
}

/** PDF properties are those of the template. */
type OwnFileOptions = Omit<FileOptions, 'pdf'>;

export interface RenderOptions extends ComposeOptions, Partial<OwnFileOptions> {
  /** Default: `png`. */
  readonly output?: Output;
}

export interface Rendered {
  readonly bytes: Uint8Array;
  /** Problems that did not prevent rendering. */
  readonly warnings: readonly string[];
}

export interface Composed {
  /** The display list, as plain JSON. */
  readonly list: DisplayList;
  readonly warnings: readonly string[];
  /** The list as SVG text, with text as outlines. */
  readonly toSvg: () => string;
}

/**
 * Renders a layers template, given as its document.
 *
 * @throws ValidationError or AppError, whose message says what is wrong and where
 */
export async function render(template: TemplateDocument, options: RenderOptions = {}): Promise<Rendered> {
  const { output, ...wanted } = parse(RENDER_OPTIONS, options, 'options');
  const { bytes, diagnostics } = await drawScene(await opened(template, wanted, output === 'pdf'), output, wanted);
  return { bytes, warnings: sentences(diagnostics) };
}

/** A vector PDF with selectable text. */
export async function renderToPdf(template: TemplateDocument, options: ComposeOptions = {}): Promise<Rendered> {
  return render(template, { ...parse(COMPOSE_OPTIONS, options, 'options'), output: 'pdf' });
}

/** Lays a template out and paints it to a display list, without rasterising: for other back ends. */
export async function compose(template: TemplateDocument, options: ComposeOptions = {}): Promise<Composed> {
  const { scene, loaded } = await opened(template, parse(COMPOSE_OPTIONS, options, 'options'), false);
  const { list, diagnostics } = composeScene(scene, loaded.resources);
  const warnings = sentences([...diagnostics, ...loaded.diagnostics]);
  return { list, warnings, toSvg: () => writeSvg(list, loaded.resources) };
}

/** Checked for callers without types: a misspelt option would be ignored in silence. */
const COMPOSE_OPTIONS = z.strictObject({
  modifications: z.record(z.string(), z.unknown()).default({}),
  size: z.string().optional(),
  lang: LanguageTag.optional(),
  brand: z.record(z.string(), z.unknown()).optional(),
  folder: z.string().default(() => process.cwd()),
  fontFolders: z.array(z.string()).default([]),
});
const RENDER_OPTIONS = COMPOSE_OPTIONS.extend({
  output: z.enum(OUTPUTS).default('png'),
  scale: z.number().min(0.1).max(3).default(DEFAULT_EXPORT.scale),
  quality: z.int().min(0).max(100).default(DEFAULT_EXPORT.quality),
  compression: z.enum(COMPRESSIONS).default(DEFAULT_EXPORT.compression),
  chromaSubsampling: z.enum(CHROMA_SUBSAMPLINGS).optional(),
  page: z.int().min(1).optional(),
  paged: z.boolean().optional(),
} satisfies SchemasOf<OwnFileOptions & { readonly output: Output }>);

async function opened(
  template: TemplateDocument,
  { modifications, folder, fontFolders, size, lang, brand }: z.output<typeof COMPOSE_OPTIONS>,
  isForPdf: boolean,
): Promise<OpenedScene> {
  const made = designWith(template, { size, lang }, brand);
  // At a size, lengths may have exceeded their limits.
  const isParsed = size === undefined && made.template.engine === 'layers';
  const plain = isParsed ? (made.template as Template) : parseTemplate(made.template);
  for (const each of fontFolders) await checkFontFolder(each);
  // Nothing of the environment: its variables are the program's own.
  const openOutside = async () => {
    const [{ openOutside: open }, { loadRenderConfig }] = await Promise.all([
      import('#server/service/files/image-sources.ts'),
      import('#server/config/config.ts'),
    ]);
    return open(loadRenderConfig({}));
  };
  const reach = { folder, isWholeDisk: false, fontFolders, openOutside };
  const { scene, loaded } = await openScene(plain, modifications, reach, isForPdf);
  return { scene, loaded: { ...loaded, diagnostics: [...made.diagnostics, ...loaded.diagnostics] } };
}

const sentences = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ message }) => message);
