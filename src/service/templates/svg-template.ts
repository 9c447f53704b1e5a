// Makes a template of an SVG file: its parts as layers, the pictures in it as images of the account.

import { familyFinder, type ImportedLayer, importSvg } from '#core/svg/import-svg.ts';
import { AppError } from '#errors';
import { readImageUri } from '#images/data-uri.ts';
import { MAX_SVG_DEPTH, MAX_SVG_ELEMENTS } from '#images/limits.ts';
import { parseXml } from '#images/xml.ts';

export interface SvgTemplate {
  readonly document: Readonly<Record<string, unknown>>;
  /** What the layers do not show, a sentence each. */
  readonly warnings: readonly string[];
}

export interface SvgTemplateOptions {
  readonly name: string;
  /** Families that the account has, and those that CSS's generic names stand for. */
  readonly families: readonly string[];
  readonly generic: ReadonlyMap<string, string>;
  /** Stores a picture and returns its id. */
  readonly upload: (bytes: Uint8Array, name: string) => Promise<string>;
}

/** Pictures of one file that are stored. */
const MAX_PICTURES = 50;

/** @throws AppError `invalid_request` when the file is no SVG, or shows nothing that could be a layer */
export async function svgTemplate(bytes: Uint8Array, options: SvgTemplateOptions): Promise<SvgTemplate> {
  const root = parseXml(decoded(bytes), { elements: MAX_SVG_ELEMENTS, depth: MAX_SVG_DEPTH });
  if (root.name !== 'svg') throw new AppError('invalid_request', 'The file is no SVG.');
  const familyOf = familyFinder(options.families, options.generic);
  const { width, height, layers, omitted } = importSvg(root, { familyOf });
  if (layers.length === 0) throw new AppError('invalid_request', 'The SVG file shows nothing that can be a layer.');
  const warnings = [...omitted];
  const stored = await withStoredPictures(layers, options.upload, warnings);
  return { document: { name: options.name, width, height, layers: stored }, warnings };
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_request', 'The SVG file is not UTF-8.', { cause });
  }
}

/** The layers with ids of images in place of the files in them. */
async function withStoredPictures(
  layers: readonly ImportedLayer[],
  upload: SvgTemplateOptions['upload'],
  warnings: string[],
): Promise<readonly ImportedLayer[]> {
  const ids = new Map<string, string | null>();
  const idOf = async (source: string, name: string) => {
    const known = ids.get(source);
    if (known !== undefined) return known;
    let id: string | null = null;
    try {
      if (ids.size < MAX_PICTURES) id = await upload(readImageUri(source), name);
    } catch (error) {
      if (!(error instanceof AppError) || !/^(invalid_request|url_not_allowed|too_large)$/.test(error.code))
        throw error;
      warnings.push(`The picture “${name}” is left out: ${error.message}`);
    }
    ids.set(source, id);
    return id;
  };
  const visit = async (list: readonly ImportedLayer[]): Promise<ImportedLayer[]> => {
    const visited: ImportedLayer[] = [];
    for (const layer of list) {
      if (layer.children) visited.push({ ...layer, children: await visit(layer.children) });
      else if (layer.type === 'image' && /^data:/i.test(String(layer.src))) {
        visited.push({ ...layer, src: (await idOf(String(layer.src), layer.name)) ?? '' });
      } else visited.push(layer);
    }
    return visited;
  };
  return visit(layers);
}
