// Makes the display lists of a document's pages: what flows is laid out once and divided; what is on the pages is laid
// out for each, with its counters.

import type { Composition } from '../composition.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { LayoutBox } from '../layout/box.ts';
import { type LayoutMemory, layOut } from '../layout/layout.ts';
import type { YogaTreeCache } from '../layout/yoga-tree-cache.ts';
import { lostContent } from '../lost-content.ts';
import type { DisplayList, Heading } from '../paint/display-list.ts';
import { paint } from '../paint/paint.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import type { Fragmentation, Scene } from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import { type Page, pageMargins } from '../template/page.ts';
import { artefact } from './artefact.ts';
import { placeHeadings } from './listed-headings.ts';
import { moveBox } from './move-box.ts';
import { counted, countPages, type PageCounts } from './page-count.ts';
import { Pagination } from './paginate.ts';

/** The pages of a scene; those of one that is no document are one. */
export class Pages {
  readonly #scene: Scene;
  readonly #resources: Resources;
  readonly #trees: YogaTreeCache | undefined;
  /** null = nothing flows. */
  readonly #flow: Pagination | null;
  readonly #counts: readonly PageCounts[];
  /** Of each page. */
  readonly #headings: readonly (readonly Heading[])[];
  /** Layouts of what is the same on several pages. */
  readonly #memory: LayoutMemory = new WeakMap();
  readonly #diagnostics: readonly Diagnostic[];

  constructor(scene: Scene, page: Page, resources: Resources, trees?: YogaTreeCache) {
    this.#scene = scene;
    this.#resources = resources;
    this.#trees = trees;
    const nodes = scene.nodes.filter(({ fragmentation }) => fragmentation?.isFlow);
    const { boxes, diagnostics } = layOut({ ...scene, nodes }, resources, { ...(trees && { trees }) });
    const [flow] = boxes;
    this.#flow = flow?.kind === 'frame' ? new Pagination(flow, page) : null;
    this.#headings = Array.from({ length: this.count }, (_, index) => this.#headingsOn(index + 1));
    this.#counts = countPages(this.#headings);
    placeHeadings(boxes, this.#headings);
    this.#diagnostics = diagnostics;
  }

  get count(): number {
    return this.#flow?.count ?? 1;
  }

  /** @param number from 1 to `count` */
  compose(number: number): Composition {
    const { scene, boxes, diagnostics } = this.#layOut(number);
    const painted = paint(scene, boxes, this.#resources);
    const headings = this.#headingsOn(number);
    const list = headings.length > 0 ? { ...painted, headings } : painted;
    const lost = lostContent(scene, boxes, this.#resources.fonts);
    const first = number === 1 ? [...this.#scene.diagnostics, ...this.#diagnostics] : [];
    return { list, diagnostics: [...first, ...diagnostics, ...lost] };
  }

  /** Each page, composed when it is asked for. @param diagnose receives what was found on it */
  *lists(diagnose: (found: readonly Diagnostic[]) => void): Generator<DisplayList> {
    for (let number = 1; number <= this.count; number += 1) {
      const { list, diagnostics } = this.compose(number);
      diagnose(diagnostics);
      yield list;
    }
  }

  /** All pages below each other, `gap` px apart, as one scene of which each page is a part. */
  stacked(gap: number): { scene: Scene; boxes: readonly LayoutBox[]; diagnostics: readonly Diagnostic[] } {
    const diagnostics: Diagnostic[] = [...this.#diagnostics];
    const boxes: LayoutBox[] = [];
    const { height } = this.#scene;
    for (let number = 1; number <= this.count; number += 1) {
      const page = this.#layOut(number);
      diagnostics.push(...page.diagnostics);
      for (const box of page.boxes) boxes.push(moveBox(box, 0, (number - 1) * (height + gap)));
    }
    const scene = { ...this.#scene, page: null, height: this.count * (height + gap) - gap };
    return { scene, boxes, diagnostics };
  }

  #headingsOn(number: number): readonly Heading[] {
    return this.#flow?.headings(number) ?? [];
  }

  #layOut(number: number): { scene: Scene; boxes: readonly LayoutBox[]; diagnostics: readonly Diagnostic[] } {
    const counts = this.#counts[number - 1];
    if (!counts) throw new RangeError(`There is no page ${number}.`);
    const shown = this.#scene.nodes.filter(({ fragmentation }) => isOnPage(fragmentation, number, this.count));
    const nodes = shown.map((node) => counted(node, counts));
    const scene = { ...this.#scene, nodes };
    const trees = this.#trees && { trees: this.#trees };
    const diagnostics: Diagnostic[] = [];
    const boxes = nodes.flatMap((node, i): readonly LayoutBox[] => {
      if (node.fragmentation?.isFlow) return [this.#flow?.box(number) ?? []].flat();
      const isSame = node === shown[i];
      const layout = layOut({ ...scene, nodes: [node] }, this.#resources, {
        ...trees,
        ...(isSame && { memory: this.#memory }),
      });
      diagnostics.push(...layout.diagnostics);
      placeHeadings(layout.boxes, this.#headings);
      return isRunning(node.fragmentation) ? layout.boxes.map(artefact) : layout.boxes;
    });
    return { scene, boxes, diagnostics };
  }
}

/** Whether a layer is a running head or foot: one that is on a single page, such as a letterhead, is content. */
const isRunning = (fragmentation: Fragmentation | null) => !['first', 'last'].includes((fragmentation ?? WHOLE).pages);

function isOnPage(fragmentation: Fragmentation | null, number: number, count: number): boolean {
  switch ((fragmentation ?? WHOLE).pages) {
    case 'all':
      return true;
    case 'first':
      return number === 1;
    case 'not-first':
      return number > 1;
    case 'last':
      return number === count;
    case 'not-last':
      return number < count;
    case 'odd':
      return number % 2 === 1;
    case 'even':
      return number % 2 === 0;
  }
}

/** All of a document on one sheet, as high as it needs. */
export function tallSheet(scene: Scene, page: Page, resources: Resources): Scene {
  const counts = countPages([[]]);
  const nodes = scene.nodes
    .filter(({ fragmentation }) => isOnPage(fragmentation, 1, 1))
    .map((node) => (counts[0] ? counted(node, counts[0]) : node));
  const flows = nodes.filter(({ fragmentation }) => fragmentation?.isFlow);
  const [flow] = layOut({ ...scene, nodes: flows }, resources).boxes;
  const end = flow ? flow.rect.y + flow.rect.height + pageMargins(page, 1).bottom : 0;
  return { ...scene, nodes, page: null, height: Math.max(scene.height, Math.ceil(end)) };
}
