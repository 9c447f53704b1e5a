// Parses templates, the documents that callers store: a canvas and its named layers.
//
// These schemas are the only definition of what a template may contain: the types and the published JSON Schema are
// made from them.

import { z } from 'zod';
import { quoted, ValidationError } from '../diagnostics.ts';
import { BrandReference } from './brand-reference.ts';
import { type Calculation, namesInCalculation, readOfList } from './calculation.ts';
import { checkRepeat } from './check-repeat.ts';
import { isPosition } from './condition.ts';
import { TemplateProperties } from './document-properties.ts';
import {
  Currency,
  formatOptions,
  NO_CURRENCY,
  namesInTexts,
  needsCurrency,
  type ValueSpan,
  valueProblem,
} from './format.ts';
import { type DeepReadonly, type FrameLayer, Layer, type LayerDocument } from './layer.ts';
import { RESERVED_NAMES } from './layer-properties.ts';
import { Page, sheetSize } from './page.ts';
import { checkTemplateParameters, TemplateParameters } from './parameter.ts';
import { CanvasSide, MAX_PIXELS, Sizes } from './size.ts';
import { Coordinate, Fill } from './style.ts';
import { ROW_PARTS, rowsOf, type TableLayer } from './table-layer.ts';
import { LanguageTag } from './text-layer.ts';
import { Translations } from './translations.ts';
import { formatPath, parse } from './validation.ts';

/** Layers of one template, nested ones and those of each entry of a list included. */
export const MAX_LAYERS = 2_000;
/** How deep frames may nest. */
const MAX_DEPTH = 12;

const Guide = z.strictObject({ axis: z.enum(['x', 'y']), at: Coordinate }).meta({ id: 'Guide' });

export const LayersTemplate = z
  .strictObject({
    $schema: z.string().max(2048).optional(),
    name: z.string().trim().min(1).max(200),
    width: CanvasSide,
    height: CanvasSide,
    engine: z.literal('layers').default('layers'),
    background: Fill.nullable().default(null).meta({ description: 'null = transparent; white in JPEG.' }),
    lang: LanguageTag.optional().meta({ description: 'BCP 47; the `lang` of texts that have none.' }),
    currency: Currency.optional().meta({ description: 'ISO 4217; of formats that name none.' }),
    page: Page.optional(),
    pdf: TemplateProperties.optional(),
    brand: BrandReference.optional(),
    sizes: Sizes.optional(),
    texts: Translations.optional(),
    parameters: TemplateParameters,
    guides: z
      .array(Guide)
      .max(200)
      .optional()
      .meta({ description: 'Lines in the studio’s canvas that layers snap to. Renders do not show them.' }),
    layers: z
      .array(Layer)
      .max(MAX_LAYERS)
      .default([])
      .meta({ description: 'Painted in order: the first is at the back.' }),
  })
  .meta({
    id: 'LayersTemplate',
    title: 'Platen template',
    // A document has the size of its page.
    required: ['name'],
    anyOf: [{ required: ['width', 'height'] }, { required: ['page'] }],
  });

/** A template with every default filled in. */
export type Template = z.infer<typeof LayersTemplate>;

type Written = DeepReadonly<Omit<z.input<typeof LayersTemplate>, 'layers'>>;

/** A template of one picture as callers write it: what has a default may be left out. */
interface PictureDocument extends Written {
  readonly page?: undefined;
  readonly layers?: readonly LayerDocument[] | undefined;
}

/** A template of pages, which have the size that its page says. */
interface PagedDocument extends Omit<Written, 'width' | 'height'> {
  readonly page: NonNullable<Written['page']>;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly layers?: readonly LayerDocument[] | undefined;
}

export type TemplateDocument = PictureDocument | PagedDocument;

interface WalkedLayer {
  readonly layer: Layer;
  readonly path: readonly PropertyKey[];
  readonly depth: number;
  /** How many frames around it repeat. */
  readonly repeats: number;
}

/** Yields every layer with its path and depth, outer before inner. */
export function* walkLayers(
  layers: readonly Layer[],
  path: readonly PropertyKey[] = ['layers'],
  repeats = 0,
): Generator<WalkedLayer> {
  for (const [index, layer] of layers.entries()) {
    const here = [...path, index];
    yield { layer, path: here, depth: here.length >> 1, repeats };
    if (layer.type === 'frame') {
      yield* walkLayers(layer.children, [...here, 'children'], repeats + (layer.repeat === false ? 0 : 1));
    }
  }
}

/** The type of each layer by name. */
export const layerTypes = (layers: readonly Layer[]): ReadonlyMap<string, string> =>
  new Map([...walkLayers(layers)].map(({ layer }) => [layer.name, layer.type]));

/** Characters of path data in all layers of a template, or in all modifications of one request. */
const MAX_PATH_DATA_IN_ALL = 60_000;

/** Limits the sum of path data before it is parsed, which runs at 4 million characters a second. */
export function checkPathData(layers: readonly unknown[], path: string): void {
  if (pathDataIn(layers) <= MAX_PATH_DATA_IN_ALL) return;
  throw new ValidationError(path, `path data (d) may have at most ${MAX_PATH_DATA_IN_ALL} characters in all`);
}

function pathDataIn(layers: readonly unknown[]): number {
  let length = 0;
  for (const layer of layers) {
    if (typeof layer !== 'object' || layer === null) continue;
    const { d, mask, children } = layer as { d?: unknown; mask?: { d?: unknown } | null; children?: unknown };
    if (typeof d === 'string') length += d.length;
    if (typeof mask?.d === 'string') length += mask.d.length;
    if (Array.isArray(children)) length += pathDataIn(children);
  }
  return length;
}

const tooDeep = (path: string) => new ValidationError(path, `frames may nest at most ${MAX_DEPTH} deep`);

/**
 * Limits the nesting of frames before zod recurses into them.
 *
 * @param value the children of a frame, or the layers of a template
 * @param depth how many frames they are in, at least
 */
export function checkDepth(value: unknown, path: string, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep(path);
  if (!Array.isArray(value)) return;
  for (const layer of value) checkDepth((layer as Partial<FrameLayer> | null)?.children, path, depth + 1);
}

/**
 * Checks what no schema of one layer can: names are unique, and the number of layers, their depth and the number of
 * pixels are limited.
 */
export function checkTemplate(template: Template): void {
  if (template.width * template.height > MAX_PIXELS) {
    throw new ValidationError('width', `width × height must be at most ${MAX_PIXELS / 1e6} million px`);
  }
  if (template.page !== undefined && template.sizes !== undefined) {
    throw new ValidationError('sizes', 'are for templates without `page`: a document has the size of its sheets');
  }
  const seen = new Map<string, string>();
  let count = 0;
  let flows = 0;
  for (const { layer, path, depth, repeats } of walkLayers(template.layers)) {
    if (depth > MAX_DEPTH) throw tooDeep('layers');
    count += 1;
    const where = formatPath('', path);
    const first = seen.get(layer.name);
    if (first !== undefined) {
      throw new ValidationError(
        `${where}.name`,
        `${JSON.stringify(layer.name)} is already the name of ${first}; names must be unique`,
      );
    }
    seen.set(layer.name, where);
    if (repeats === 0 && RESERVED_NAMES.includes(layer.name)) {
      const problem = 'is reserved: "sig", "scale" and "q" are parameters of signed URLs';
      throw new ValidationError(`${where}.name`, problem);
    }
    if (layer.type === 'frame') checkRepeat(layer, where, repeats);
    const [, outer] = path;
    const around = depth === 2 ? template.layers[outer as number] : undefined;
    checkPaged(layer, where, depth, template.page, around?.type === 'frame' && around.flow);
    if (layer.type === 'frame' && layer.flow) flows += 1;
    if (flows > 1) throw new ValidationError(`${where}.flow`, 'is for one frame of a template');
  }
  if (count > MAX_LAYERS)
    throw new ValidationError('layers', `a template may have at most ${MAX_LAYERS} layers, this has ${count}`);
}

/** @throws ValidationError for what only layers that are in no frame can have */
function checkPaged(layer: Layer, where: string, depth: number, page: Page | undefined, isInFlow: boolean): void {
  if (layer.page !== null && (!isInFlow || page?.named?.[layer.page] === undefined)) {
    const problem = isInFlow
      ? `names no sheet of \`page.named\`: ${quoted(layer.page)}`
      : 'is for a child of the frame with `flow`';
    throw new ValidationError(`${where}.page`, problem);
  }
  if (layer.pages !== 'all' && depth > 1) {
    throw new ValidationError(`${where}.pages`, 'is for layers that are in no frame; set it on the outermost one');
  }
  if (layer.type !== 'frame' || !layer.flow) return;
  if (depth > 1) throw new ValidationError(`${where}.flow`, 'is for a frame that is in no other');
  const { layout } = layer;
  const isColumn = layout === null || (layout.type === 'flex' && layout.direction === 'column');
  if (!isColumn) throw new ValidationError(`${where}.layout`, 'must be a column, or left out, in a frame with `flow`');
}

/** Checks what conditions, formats and calculations of a stored template depend on. */
function checkValues(template: Template): void {
  checkCalculations(template.layers, 'layers');
  for (const { layer, path, repeats } of walkLayers(template.layers)) {
    if (isPosition(layer.when) && repeats === 0) {
      const problem = `${quoted(layer.when)} is for layers in a frame with \`repeat\``;
      throw new ValidationError(`${formatPath('', path)}.when`, problem);
    }
    const where = formatPath('', path);
    if ('spans' in layer) checkFormats(template, layer.spans ?? [], (i) => `${where}.spans[${i}]`);
    if (layer.type === 'text') checkFormats(template, [layer], () => where);
  }
  for (const [property, value] of Object.entries(template.pdf ?? {})) {
    if (namesInTexts(value).length > 0) {
      checkFormats(template, value as ValueSpan[], (i) => `pdf.${property}[${i}]`);
    }
  }
}

function checkFormats(
  { currency }: Template,
  texts: readonly Pick<ValueSpan, 'text' | 'format'>[],
  pathOf: (index: number) => string,
): void {
  for (const [index, { text, format }] of texts.entries()) {
    if (!format) continue;
    if (currency === undefined && needsCurrency(format)) {
      throw new ValidationError(`${pathOf(index)}.format`, NO_CURRENCY);
    }
    const problem = valueProblem(formatOptions(format), text);
    if (problem !== null) throw new ValidationError(`${pathOf(index)}.text`, problem);
  }
}

/**
 * Parses a stored or posted template and fills in every default.
 *
 * @throws ValidationError with the paths of what is wrong.
 */
export function parseTemplate(input: unknown): Template {
  if (typeof input === 'object' && input !== null) {
    const { layers } = input as { layers?: unknown };
    checkDepth(layers, 'layers', 0);
    if (Array.isArray(layers)) checkPathData(layers, 'layers');
  }
  // Without its page, a document would lack a width and a height, too.
  const { page } = (input ?? {}) as { readonly page?: unknown };
  if (page !== undefined && page !== null) parse(Page, page, 'page');
  const template = parse(LayersTemplate, withSheetSize(input));
  checkTemplate(template);
  checkValues(template);
  if (template.parameters) checkTemplateParameters(template.parameters, layerTypes(template.layers));
  return template;
}

/** The document with the size of its page as that of its canvas, in whole px. */
export function withSheetSize<Input>(input: Input): Input {
  const given = input as { readonly page?: unknown; readonly width?: unknown; readonly height?: unknown } | null;
  const page = Page.safeParse(given?.page);
  if (!page.success) return input;
  const size = sheetSize(page.data);
  const [width, height] = [Math.round(size.width), Math.round(size.height)];
  return given?.width === width && given.height === height ? input : { ...input, width, height };
}

/** The JSON Schema (draft 2020-12) of what `parseTemplate` accepts. */
export function templateJsonSchema(): unknown {
  return z.toJSONSchema(LayersTemplate, { io: 'input', reused: 'ref' });
}

// Checks what the layers of a template calculate.

/**
 * Checks that every calculation names a list or table beside it or in a frame beside it, and a text in that list.
 *
 * @throws ValidationError naming `layers[3].calculate`
 */
function checkCalculations(layers: readonly Layer[], path: string): void {
  const lists = new Map(listsIn(layers).map((layer) => [layer.name, layer]));
  const names = new Set(layerTypes(layers).keys());
  const visit = (inner: readonly Layer[], at: string) => {
    for (const [index, layer] of inner.entries()) {
      const where = `${at}[${index}]`;
      if (layer.type === 'frame') {
        if (layer.repeat === false) visit(layer.children, `${where}.children`);
        else checkCalculations(layer.children, `${where}.children`);
      }
      if (layer.type === 'text' && layer.calculate !== null) checkText(layer.calculate, `${where}.calculate`);
      if (layer.type === 'table') checkTable(layer, where, (name) => lists.get(name)?.type === 'table');
    }
  };
  const checkText = (calculation: Calculation, where: string) => {
    const refuse = () => new ValidationError(where, 'names no frame here that has `repeat`, and no table');
    if ('count' in calculation && !lists.has(calculation.count)) throw refuse();
    for (const name of 'count' in calculation ? [] : namesInCalculation(calculation)) {
      const found = readOfList(name, (each) => lists.has(each));
      const list = found && lists.get(found.list);
      const isAlone = 'average' in calculation || ('sum' in calculation && calculation.sum === name);
      if (!found && (isAlone || name.includes('.')) && !names.has(name)) throw refuse();
      if (found && list?.type === 'frame' && !textsIn(list.children).has(found.layer)) {
        throw new ValidationError(where, `the entries of ${quoted(found.list)} have no text ${quoted(found.layer)}`);
      }
    }
  };
  visit(layers, path);
}

/** @param isTable whether there is a table of a name beside it */
function checkTable(table: TableLayer, where: string, isTable: (name: string) => boolean): void {
  const { totals } = table;
  if (totals && (totals.of === table.name || !isTable(totals.of))) {
    throw new ValidationError(`${where}.totals.of`, 'names no other table here');
  }
  for (const part of ROW_PARTS) {
    const isCarried = part === 'carryHeader' || part === 'carryFooter';
    for (const { cells, by } of rowsOf(table[part])) {
      const at = `${where}.${part}`;
      if (by !== undefined && (part === 'row' || isCarried)) {
        throw new ValidationError(at, '`by` is for rows of a header or footer, of the table or of a group');
      }
      for (const cell of cells) {
        if (typeof cell === 'string' || cell.calculate === undefined) continue;
        if (typeof cell.calculate === 'object' && 'running' in cell.calculate && part !== 'row') {
          throw new ValidationError(at, '`running` is for cells of `row`; elsewhere it is a sum');
        }
        if (totals && part === 'row' && cell.name === undefined) {
          throw new ValidationError(
            at,
            'has a cell that calculates without a `name`, which a table with `totals` needs',
          );
        }
      }
    }
  }
}

/** What has entries among layers, in frames among them, and in each other. */
function listsIn(layers: readonly Layer[]): (FrameLayer | TableLayer)[] {
  return layers.flatMap((layer) => [
    ...(layer.type === 'table' || (layer.type === 'frame' && layer.repeat !== false) ? [layer] : []),
    ...(layer.type === 'frame' ? listsIn(layer.children) : []),
  ]);
}

function textsIn(layers: readonly Layer[]): ReadonlySet<string> {
  const names = layers.flatMap((layer) =>
    layer.type === 'frame' ? [...textsIn(layer.children)] : layer.type === 'text' ? [layer.name] : [],
  );
  return new Set(names);
}
