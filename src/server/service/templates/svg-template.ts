// Makes a template of an SVG file: its parts as layers, the pictures in it as images of the account.
//
// The file is read on a thread that can be ended (`TemplateChecks.readSvgTemplate`), the pictures are stored here.

import { AppError } from '#base/errors.ts';
import { readImageUri } from '#draw/images/data-uri.ts';
import { MAX_SVG_DEPTH, MAX_SVG_ELEMENTS } from '#draw/images/limits.ts';
import { parseXml } from '#draw/images/xml.ts';
import { familyFinder, type ImportedLayer, type ImportedSvg, importSvg } from '#import/import-svg.ts';

export interface SvgTemplate {
  readonly document: Readonly<Record<string, unknown>>;
  /** What the layers do not show, a sentence each. */
  readonly warnings: readonly string[];
}

/** A file, and the families for its texts. */
export interface SvgFile {
  readonly bytes: Uint8Array;
  /** Families that the account has, and those that CSS's generic names stand for. */
  readonly families: readonly string[];
  readonly generic: ReadonlyMap<string, string>;
}

export interface ReadSvgTemplate extends ImportedSvg {
  /** The pictures in it; layers name them `PICTURE` and their index. */
  readonly pictures: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

export interface SvgTemplateOptions extends SvgFile {
  readonly name: string;
  /** Stores a picture and returns its id. */
  readonly upload: (bytes: Uint8Array, name: string) => Promise<string>;
}

/** Pictures of one file that are stored. */
const MAX_PICTURES = 50;
const PICTURE = 'picture ';

/**
 * @param read reads the file, such as `TemplateChecks.readSvgTemplate`
 * @throws AppError `invalid_request` when the file is no SVG, or shows nothing that could be a layer
 */
export async function svgTemplate(
  read: (file: SvgFile) => Promise<ReadSvgTemplate>,
  { name, upload, ...file }: SvgTemplateOptions,
): Promise<SvgTemplate> {
  const { width, height, layers, omitted, pictures } = await read(file);
  const warnings = [...omitted];
  const ids: string[] = [];
  for (const picture of pictures) {
    ids.push(await upload(picture.bytes, picture.name).catch((error) => leftOut(picture.name, error, warnings)));
  }
  const sourceOf = (source: string) =>
    source.startsWith(PICTURE) ? (ids[Number(source.slice(PICTURE.length))] ?? '') : source;
  return { document: { name, width, height, layers: withSources(layers, sourceOf) }, warnings };
}

/** @throws as `svgTemplate` */
export function readSvgTemplate({ bytes, families, generic }: SvgFile): ReadSvgTemplate {
  const root = parseXml(decoded(bytes), { elements: MAX_SVG_ELEMENTS, depth: MAX_SVG_DEPTH });
  if (root.name !== 'svg') throw new AppError('invalid_request', 'The file is no SVG.');
  const svg = importSvg(root, { familyOf: familyFinder(families, generic) });
  if (svg.layers.length === 0) {
    throw new AppError('invalid_request', 'The SVG file shows nothing that can be a layer.');
  }
  const omitted = [...svg.omitted];
  const pictures: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  const named = new Map<string, string>();
  const layers = withSources(svg.layers, (source, name) => {
    if (!/^data:/i.test(source)) return source;
    const known = named.get(source);
    if (known !== undefined) return known;
    let picture = '';
    try {
      const count = named.size < MAX_PICTURES ? pictures.push({ name, bytes: readImageUri(source) }) : 0;
      if (count > 0) picture = `${PICTURE}${count - 1}`;
    } catch (error) {
      leftOut(name, error, omitted);
    }
    named.set(source, picture);
    return picture;
  });
  return { ...svg, layers, omitted, pictures };
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_request', 'The SVG file is not UTF-8.', { cause });
  }
}

/** In place of a picture that cannot be stored, which is said. @throws any error that is not the file's */
function leftOut(name: string, error: unknown, warnings: string[]): string {
  if (!(error instanceof AppError) || !/^(invalid_request|url_not_allowed|too_large)$/.test(error.code)) throw error;
  warnings.push(`The picture “${name}” is left out: ${error.message}`);
  return '';
}

/** The layers with other sources of their images. */
function withSources(
  layers: readonly ImportedLayer[],
  sourceOf: (source: string, name: string) => string,
): readonly ImportedLayer[] {
  return layers.map((layer) => {
    if (layer.children) return { ...layer, children: withSources(layer.children, sourceOf) };
    return layer.type === 'image' ? { ...layer, src: sourceOf(String(layer.src), layer.name) } : layer;
  });
}
