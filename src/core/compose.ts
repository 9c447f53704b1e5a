// Makes the display lists of a scene with its resources: layout, then paint. Pure and synchronous.

import type { Composition } from './composition.ts';
import { type Diagnostic, quoted, ValidationError } from './diagnostics.ts';
import { layOut } from './layout/layout.ts';
import type { YogaTreeCache } from './layout/yoga-tree-cache.ts';
import { lostContent } from './lost-content.ts';
import { Pages, tallSheet } from './pages/compose-pages.ts';
import type { DisplayList } from './paint/display-list.ts';
import { layerOfOp, paint } from './paint/paint.ts';
import type { Scene, SceneNode } from './resolve/scene.ts';
import type { Resources } from './resources.ts';
import type { PageNumbers } from './template/document-properties.ts';
import { MAX_SIDE } from './template/size.ts';

/** Which pages of a document are wanted; of other scenes there is one. */
export interface PageChoice {
  /** From 1; absent = all. */
  readonly page?: number | undefined;
  /** false = all of it on one sheet, as high as it needs. */
  readonly paged?: boolean | undefined;
  /** Of a part of a longer file; absent = from 1. */
  readonly numbers?: PageNumbers | undefined;
}

export interface Composed {
  /** Of the whole document; of other scenes 1. */
  readonly pages: number;
  /** Each is made when it is asked for. */
  readonly lists: Iterable<DisplayList>;
  /** Complete once the lists have been made. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param trees of earlier layouts; absent: none is kept
 * @throws ValidationError when there is no such page, or too many pages
 */
export function composePages(scene: Scene, resources: Resources, choice: PageChoice, trees?: YogaTreeCache): Composed {
  const { page, paged = true, numbers } = choice;
  if (!scene.page || !paged) {
    if (page !== undefined && page > 1) throw noPage(page, 1);
    const { list, diagnostics } = composeOne(
      scene.page ? onTallSheet(scene, resources, numbers) : scene,
      resources,
      trees,
    );
    return { pages: 1, lists: [list], diagnostics };
  }
  const first = new Pages(scene, scene.page, resources, trees, numbers);
  // Only where it matters: to measure a table of layers, all its rows would be made.
  const oversize = scene.onLarger ? first.oversize : 1;
  const larger = oversize > 1 && scene.onLarger ? scene.onLarger(oversize) : null;
  const pages = larger?.page ? new Pages(larger, larger.page, resources, trees, numbers) : first;
  if (page === undefined) {
    const diagnostics: Diagnostic[] = [];
    return { pages: pages.count, lists: pages.lists((found) => diagnostics.push(...found)), diagnostics };
  }
  if (page > pages.count) throw noPage(page, pages.count);
  const { list, diagnostics } = pages.compose(page);
  return { pages: pages.count, lists: [list], diagnostics };
}

/** The first page, or the only one. @param trees as `composePages` */
export function compose(scene: Scene, resources: Resources, trees?: YogaTreeCache): Composition {
  return scene.page ? new Pages(scene, scene.page, resources, trees).compose(1) : composeOne(scene, resources, trees);
}

function composeOne(scene: Scene, resources: Resources, trees?: YogaTreeCache): Composition {
  const layout = layOut(scene, resources, { ...(trees && { trees }) });
  const lost = lostContent(scene, layout.boxes, resources, layout.diagnostics);
  return {
    list: paint(scene, layout.boxes, resources),
    diagnostics: [...scene.diagnostics, ...layout.diagnostics, ...lost],
  };
}

function onTallSheet(scene: Scene, resources: Resources, numbers?: PageNumbers): Scene {
  const sheet = scene.page ? tallSheet(scene, scene.page, resources, numbers) : scene;
  if (sheet.height <= MAX_SIDE) return sheet;
  throw new ValidationError(
    'paged',
    `on one sheet, the document would be ${Math.ceil(sheet.height)} px high; at most ${MAX_SIDE} are possible`,
  );
}

const noPage = (page: number, count: number) =>
  new ValidationError('page', `there is no page ${page}: there ${count === 1 ? 'is one page' : `are ${count} pages`}`);

/**
 * The layer of the composed list's operation at `index`; null = none, or the scene is a document. Lays out again: for
 * messages only.
 */
export function layerOf(scene: Scene, resources: Resources, index: number): string | null {
  return scene.page ? null : layerOfOp(scene, layOut(scene, resources).boxes, resources, index);
}

/** A warning about inks once for each of the layers that it is about, with their names; others as they are. For messages only. */
export function namingInks(odd: Diagnostic, { nodes }: Scene): readonly Diagnostic[] {
  if (odd.code !== 'inks-in-gradient' && odd.code !== 'inks-filtered') return [odd];
  const layers = new Set<string>();
  const visit = (node: SceneNode): void => {
    const { children = [], ...own } = node as SceneNode & { readonly children?: readonly SceneNode[] };
    const isFiltered = node.filters !== null || node.blur > 0;
    if (
      odd.code === 'inks-in-gradient' ? hasMixed(own) : isFiltered ? hasInks(node) : node.shadows.some(isBlurredInk)
    ) {
      layers.add(node.name);
    }
    if (odd.code === 'inks-in-gradient' || !isFiltered) for (const child of children) visit(child);
  };
  for (const node of nodes) visit(node);
  return layers.size === 0
    ? [odd]
    : [...layers].map((layer) => ({ ...odd, layer, message: `Layer ${quoted(layer)}: ${odd.message}` }));
}

const isBlurredInk = ({ sigma, color }: SceneNode['shadows'][number]) => sigma > 0 && color.inks !== undefined;

/** Whether any colour in a value is one of inks. */
const hasInks = (value: unknown): boolean =>
  isObject(value) && ('inks' in value ? value.inks !== undefined : Object.values(value).some(hasInks));

/** Whether a gradient in it has inks beside other colours. */
const hasMixed = (value: unknown): boolean =>
  isObject(value) &&
  ('stops' in value && Array.isArray(value.stops)
    ? value.stops.some(hasInks) && !value.stops.every(hasInks)
    : Object.values(value).some(hasMixed));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
