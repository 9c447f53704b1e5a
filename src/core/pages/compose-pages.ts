// Makes the display lists of a document's pages: what flows is laid out once and divided; what is on the pages is laid
// out for each, with its counters.

import type { Composition } from '../composition.ts';
import { type Diagnostic, ValidationError } from '../diagnostics.ts';
import { type Landmark, Landmarks, placesOf } from '../fragmentation/landmarks.ts';
import { artefact, moveBox } from '../fragmentation/move-box.ts';
import { intersection, type Rect, rectContains } from '../geometry.ts';
import type { FrameBox, Layout, LayoutBox, LayoutMemory, TextBox } from '../layout/box.ts';
import { isStraight } from '../layout/box-matrix.ts';
import { layOut } from '../layout/layout.ts';
import { PackedRowBox, TableBox } from '../layout/table-box.ts';
import { withDividedTables } from '../layout/wide-table.ts';
import type { Kept, YogaTreeCache } from '../layout/yoga-tree-cache.ts';
import { lazily } from '../lazily.ts';
import { lostContent } from '../lost-content.ts';
import { linkToPlace, type NumberedPlace, type PlaceOnPage } from '../page-link.ts';
import type { DisplayList, Heading } from '../paint/display-list.ts';
import { group } from '../paint/group.ts';
import { paint } from '../paint/paint.ts';
import { PLAIN_FRAME, PLAIN_NODE } from '../resolve/plain-node.ts';
import { countedPlaces, UNKNOWN_PAGE, WHOLE } from '../resolve/resolve-pages.ts';
import type {
  Fragmentation,
  FrameNode,
  ListedHeading,
  NamedString,
  PageCounter,
  Scene,
  SceneNode,
  TableNode,
  TextNode,
  TextSpan,
  WhichPages,
} from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import type { PageNumbers } from '../template/document-properties.ts';
import { namedPage, type Page, pageMargins, sheetSize } from '../template/page.ts';
import { NotesArea, notesFrame, notesOf, withNumberedNotes } from './footnotes.ts';
import { Pagination } from './paginate.ts';

/** The pages of a scene; those of one that is no document are one. */
export class Pages {
  readonly #scene: Scene;
  readonly #resources: Resources;
  readonly #trees: YogaTreeCache | undefined;
  readonly #hasCover: boolean;
  /** How many pages of a longer file come before these. */
  readonly #earlier: number;
  /** What flows, a part for each run of pages that have the same sheets; none = nothing flows. */
  readonly #parts: readonly FlowPart[];
  readonly #flows: readonly FrameBox[];
  readonly #counts: readonly PageCounts[];
  /** Of each page. */
  readonly #headings: readonly (readonly Heading[])[];
  readonly #places: Places;
  readonly #filled: FilledTexts;
  /** Layouts of what is the same on several pages of one size. */
  readonly #memories = new Map<string, LayoutMemory>();
  readonly #diagnostics: readonly Diagnostic[];
  /** Layers that have been told to stand over what flows. */
  readonly #overprinted = new Set<string>();

  /** @throws ValidationError when there are too many pages, or not as many as `numbers` says */
  constructor(scene: Scene, page: Page, resources: Resources, trees?: YogaTreeCache, numbers?: PageNumbers) {
    this.#scene = scene;
    this.#resources = resources;
    this.#trees = trees;
    this.#hasCover = page.cover;
    this.#earlier = (numbers?.first ?? 1) - 1;
    const { boxes, diagnostics } = layOutFlow(scene, resources, { ...(trees && { trees }) }).layout;
    const wanted = new Set(countedPlaces(scene.nodes).keys());
    const flows = boxes.filter((box) => box.kind === 'frame');
    this.#flows = flows;
    const notesIn = ({ node, rect }: FrameBox) =>
      notesOf(node).length > 0 ? new NotesArea(scene, resources, rect.width) : null;
    let before = 0;
    this.#parts = flows.map((flow, i) => {
      const own = namedPage(page, flow.node.fragmentation?.page ?? null);
      const pagination = new Pagination(
        flow,
        own,
        new Landmarks(wanted),
        before,
        i === flows.length - 1,
        notesIn(flow),
        this.#earlier,
      );
      const part = { pagination, page: own, before, name: flow.node.fragmentation?.page ?? null };
      before += pagination.count;
      return part;
    });
    const landmarks = Array.from({ length: this.count }, (_, index) => {
      const part = this.#partOn(index + 1);
      return part?.pagination.landmarks(index + 1 - part.before) ?? [];
    });
    this.#headings = landmarks.map((some) =>
      some.flatMap(({ heading, top }) => (heading === null ? [] : [{ ...heading, top }])),
    );
    checkLength(this.count, numbers);
    this.#places = numbered(placesOf(wanted, landmarks, this.#nodesOnPages()), this.#earlier, scene.oversize);
    this.#filled = new FilledTexts(boxes, (box) => this.#filledText(box));
    const strings = namedStrings(landmarks);
    this.#counts = countPages(this.#headings, numbers).map((counts, i) => ({ ...counts, strings: strings[i] }));
    placeHeadings(boxes, this.#headings, this.#earlier);
    this.#diagnostics = diagnostics;
  }

  get count(): number {
    return Math.max(
      1,
      this.#parts.reduce((sum, { pagination }) => sum + pagination.count, 0),
    );
  }

  /** How many times larger sheets have to be so that nothing that flows goes on beside them: at most by half, as in Chromium. */
  get oversize(): number {
    const needed = this.#flows.map((flow) => (rightOf(flow) - flow.rect.x) / Math.max(1, flow.rect.width));
    return Math.min(MOST_OVERSIZE, Math.max(1, ...needed));
  }

  /** The part of what flows that is on a page; null = nothing flows. */
  #partOn(number: number): FlowPart | null {
    return this.#parts.findLast(({ before }) => before < number) ?? null;
  }

  /** The scene of a page, of the size that its sheet has. */
  #sheet(number: number): Scene {
    const part = this.#partOn(number);
    return part && part.page !== this.#scene.page ? { ...this.#scene, ...sheetSize(part.page) } : this.#scene;
  }

  /** @param number from 1 to `count` */
  compose(number: number): Composition {
    const { scene, boxes, diagnostics } = this.#layOut(number);
    const painted = paint(scene, boxes, this.#resources);
    const headings = this.#headings[number - 1] ?? [];
    const whole = headings.length > 0 ? { ...painted, headings } : painted;
    const list = this.#scene.oversize ? printed(whole, 1 / this.#scene.oversize) : whole;
    const lost = lostContent(scene, boxes, this.#resources, [...this.#diagnostics, ...diagnostics]);
    const first = number === 1 ? [...this.#scene.diagnostics, ...this.#diagnostics] : [];
    return { list, diagnostics: [...first, ...diagnostics, ...lost, ...this.#overprinting(boxes, number)] };
  }

  /** Each page, composed when it is asked for. @param diagnose receives what was found on it */
  *lists(diagnose: (found: readonly Diagnostic[]) => void): Generator<DisplayList> {
    for (let number = 1; number <= this.count; number += 1) {
      const { list, diagnostics } = this.compose(number);
      diagnose(diagnostics);
      yield list;
    }
  }

  /** Warns once of each layer that begins in the margin of a page and goes on over what flows there. */
  #overprinting(boxes: readonly LayoutBox[], number: number): readonly Diagnostic[] {
    const flow = boxes.find(({ node }) => node.fragmentation?.isFlow);
    if (flow?.kind !== 'frame' || !this.#scene.page) return [];
    const { page } = this.#partOn(number) ?? this.#scene;
    const margins = pageMargins(page ?? this.#scene.page, number, number === this.count, this.#earlier);
    const [top, bottom] = [margins.top, this.#sheet(number).height - margins.bottom];
    const shown = lazily(() => wordsIn(flow));
    return boxes.flatMap(({ node, rect }): readonly Diagnostic[] => {
      const end = rect.y + rect.height;
      const { height, absolute } = node.placement;
      // What has a height of its own, is turned or let through was placed there.
      const grows = absolute && height.kind === 'hug' && (node.type === 'text' || node.type === 'frame');
      if (!grows || node.fragmentation?.isFlow || !isStraight(node) || node.opacity < 1) return [];
      const over = rect.y < top && end > top ? end - top : end > bottom && rect.y < bottom ? bottom - rect.y : 0;
      if (over < 1 || this.#overprinted.has(node.name) || !shown().some((each) => intersection(each, rect))) return [];
      this.#overprinted.add(node.name);
      const message = `Layer ${JSON.stringify(node.name)}: it is ${Math.round(over)} px higher than the margin of page ${number} has room for, and stands over what flows; make \`page.margin\` larger.`;
      return [{ code: 'content-outside', layer: node.name, message }];
    });
  }

  /** All pages below each other, `gap` px apart, as one scene of which each page is a part. */
  stacked(gap: number): { scene: Scene; boxes: readonly LayoutBox[]; diagnostics: readonly Diagnostic[] } {
    const diagnostics: Diagnostic[] = [...this.#diagnostics];
    const boxes: LayoutBox[] = [];
    const sheets = [this.#scene, ...this.#parts.map(({ before }) => this.#sheet(before + 1))];
    const [width, height] = [
      Math.max(...sheets.map((each) => each.width)),
      Math.max(...sheets.map((each) => each.height)),
    ];
    for (let number = 1; number <= this.count; number += 1) {
      const page = this.#layOut(number);
      diagnostics.push(...page.diagnostics);
      for (const box of page.boxes) boxes.push(moveBox(endingWith(page.scene, box), 0, (number - 1) * (height + gap)));
    }
    const scene = { ...this.#scene, page: null, width, height: this.count * (height + gap) - gap };
    return { scene, boxes, diagnostics };
  }

  #isOn(fragmentation: Fragmentation | null, number: number): boolean {
    const { pages, page } = fragmentation ?? WHOLE;
    if (page !== null && page !== (this.#partOn(number)?.name ?? '')) return false;
    if (this.#hasCover && number === 1) return [pages].flat().every((each) => each === 'all' || each === 'first');
    return isOnPage(fragmentation, number, this.count, this.#earlier);
  }

  /** What does not flow, with the first page that it is on. */
  #nodesOnPages(): readonly { readonly node: SceneNode; readonly page: number }[] {
    const numbers = Array.from({ length: this.count }, (_, index) => index + 1);
    return this.#scene.nodes.flatMap((node) => {
      const { fragmentation } = node;
      if (fragmentation?.isFlow) return [];
      const page = numbers.find((number) => this.#isOn(fragmentation, number));
      return page === undefined ? [] : [{ node, page }];
    });
  }

  /** A text of what flows with the pages that it names, in its box. */
  #filledText(whole: TextBox): TextBox {
    const { node, rect } = whole;
    const [counts] = this.#counts;
    const text = counts ? counted(node, counts, this.#places) : node;
    if (node.spans.every(({ counter }) => counter === null)) return { ...whole, node: text };
    const { x, y, width, height } = rect;
    const size = { width: { kind: 'px', value: width }, height: { kind: 'px', value: height } } as const;
    const placement = { ...PLAIN_NODE.placement, x, y, ...size };
    const line = { ...text, placement: { ...PLAIN_NODE.placement, absolute: false, ...size } };
    // Boxes in lines have their sizes from the block that they are in.
    const placed: SceneNode = text.spans.some(({ atom }) => atom)
      ? { ...PLAIN_FRAME, name: text.name, layout: { type: 'block', isRoot: true }, placement, children: [line] }
      : { ...text, placement };
    const [outer] = layOut({ ...this.#scene, nodes: [placed] }, this.#resources).boxes;
    const box = outer?.kind === 'frame' ? outer.children[0] : outer;
    return box?.kind === 'text' ? { ...box, node: text } : whole;
  }

  #layOut(number: number): { scene: Scene; boxes: readonly LayoutBox[]; diagnostics: readonly Diagnostic[] } {
    const counts = this.#counts[number - 1];
    if (!counts) throw new RangeError(`There is no page ${number}.`);
    const sheet = this.#sheet(number);
    const part = this.#partOn(number);
    const flows = this.#scene.nodes.filter(({ fragmentation }) => fragmentation?.isFlow);
    const shown = this.#scene.nodes.filter((node) => {
      return node.fragmentation?.isFlow
        ? part !== null && node === flows[this.#parts.indexOf(part)]
        : this.#isOn(node.fragmentation, number);
    });
    const nodes = shown.map((node) => (node.fragmentation?.isFlow ? node : counted(node, counts, this.#places)));
    const scene = { ...sheet, nodes };
    const size = `${sheet.width} ${sheet.height}`;
    const memory: LayoutMemory = this.#memories.get(size) ?? new WeakMap();
    this.#memories.set(size, memory);
    const trees = this.#trees && { trees: this.#trees };
    const diagnostics: Diagnostic[] = [];
    const boxes = nodes.flatMap((node, i): readonly LayoutBox[] => {
      if (node.fragmentation?.isFlow) {
        const box = part?.pagination.box(number - part.before);
        const notes = part?.pagination.notes(number - part.before);
        const [first] = notes?.boxes ?? [];
        if (first && notes?.isCrowded) {
          const message = `Layer ${JSON.stringify(first.node.name)}: its footnotes have no room on page ${number}, and stand over what flows.`;
          diagnostics.push({ code: 'content-outside', layer: first.node.name, message });
        }
        return box ? [this.#filled.in(box), ...(notes?.boxes ?? [])] : [];
      }
      const isSame = node === shown[i];
      const layout = layOut({ ...scene, nodes: [node] }, this.#resources, {
        ...trees,
        ...(isSame && { memory }),
      });
      diagnostics.push(...layout.diagnostics);
      placeHeadings(layout.boxes, this.#headings, this.#earlier);
      return this.count > 1 && isRunning(node.fragmentation) ? layout.boxes.map(artefact) : layout.boxes;
    });
    return { scene, boxes, diagnostics };
  }
}

/** A frame that flows with all its notes below what is in it, as on one sheet. */
function withNotesBelow(node: SceneNode): SceneNode {
  if (node.type !== 'frame' || !node.fragmentation?.isFlow || notesOf(node).length === 0) return node;
  const [numbered = node] = withNumberedNotes([node]);
  const { width } = node.placement;
  const room = width.kind === 'px' ? width.value - node.padding.left - node.padding.right : 0;
  const notes = notesFrame(notesOf(numbered), 0, room);
  const below = { ...notes, placement: { ...notes.placement, absolute: false } };
  return { ...node, children: [...(numbered as FrameNode).children, below] };
}

/** Lays out what flows, and once more if a table in it has to be divided into parts of its columns. */
function layOutFlow(scene: Scene, resources: Resources, kept: Kept = {}): { nodes: SceneNode[]; layout: Layout } {
  const whole = withNumberedNotes(scene.nodes.filter(({ fragmentation }) => fragmentation?.isFlow));
  const layout = layOut({ ...scene, nodes: whole }, resources, kept);
  const nodes = withDividedTables(whole, layout.boxes, resources);
  return { nodes, layout: nodes === whole ? layout : layOut({ ...scene, nodes }, resources, kept) };
}
/** What flows over a whole sheet ends with it, as on a page of its own, rather than going on over the next. */
const endingWith = ({ width, height }: Scene, box: LayoutBox): LayoutBox =>
  box.kind === 'frame' &&
  box.node.fragmentation?.isFlow &&
  rectContains(box.rect, { x: ROUNDING, y: ROUNDING, width: width - 2 * ROUNDING, height: height - 2 * ROUNDING })
    ? { ...box, node: { ...box.node, clip: true } }
    : box;

const MOST_OVERSIZE = 1.5;

/** How far a box goes on to the right, px, as far as it is not cut off. */
function rightOf(box: LayoutBox): number {
  const own = box.rect.x + box.rect.width;
  if (box.node.placement.isMarker || box.node.css?.transform) return own;
  if (box.kind === 'text') return Math.max(own, box.rect.x + box.paragraph.size.width);
  if (box.kind !== 'frame' || box.node.clip || box.flow || box instanceof PackedRowBox) return own;
  let right = own;
  for (const child of box.children) right = Math.max(right, rightOf(child));
  return right;
}

/** A list on its own sheet, on which it is so many times as large. */
function printed(list: DisplayList, scale: number): DisplayList {
  const [width, height] = [list.width * scale, list.height * scale];
  const headings = list.headings?.map((heading) => ({ ...heading, top: heading.top * scale }));
  const ops = group({ transform: [scale, 0, 0, scale, 0, 0] }, list.ops);
  return { ...list, width, height, ops, ...(headings && { headings }) };
}

/** What flows over pages of the same sheets. */
interface FlowPart {
  readonly pagination: Pagination;
  readonly page: Page;
  /** Of its sheets; null = those of the document. */
  readonly name: string | null;
  /** The pages before it. */
  readonly before: number;
}

/** Where texts are in a box. */
function wordsIn(box: LayoutBox): readonly Rect[] {
  if (box.kind === 'frame') return box.children.flatMap(wordsIn);
  return box.kind === 'text' ? [box.content] : [];
}

/** Whether a layer may be a running head or foot: what is on a single page, such as a letterhead, is content. */
const isRunning = (fragmentation: Fragmentation | null) =>
  ![(fragmentation ?? WHOLE).pages].flat().some((each) => each === 'first' || each === 'last');

const isOnPage = (fragmentation: Fragmentation | null, number: number, count: number, earlier = 0): boolean =>
  [(fragmentation ?? WHOLE).pages].flat().every((which) => isAmong(which, number, count, earlier));

function isAmong(which: WhichPages, number: number, count: number, earlier: number): boolean {
  switch (which) {
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
      return (number + earlier) % 2 === 1;
    case 'even':
      return (number + earlier) % 2 === 0;
  }
}

/** All of a document on one sheet, as high as it needs: what flows begins below the cover, if there is one. */
export function tallSheet(scene: Scene, page: Page, resources: Resources, numbers?: PageNumbers): Scene {
  checkLength(1, numbers);
  const [counts] = countPages([[]], numbers);
  const shown = asOneFlow(scene.nodes).filter(
    ({ fragmentation }) => isOnPage(fragmentation, 1, 1) && (!fragmentation?.page || fragmentation.isFlow),
  );
  const onSheet = shown.map((node) => ({ node, page: 1 }));
  const places = numbered(placesOf(new Set(countedPlaces(shown).keys()), [], onSheet), (numbers?.first ?? 1) - 1);
  const filled = shown.map((node) => (counts ? counted(node, counts, places) : node));
  const placed = page.cover ? belowCover(filled, scene) : filled;
  const { nodes: flows, layout } = layOutFlow({ ...scene, nodes: placed.map(withNotesBelow) }, resources);
  const nodes = placed.map((node) => (node.fragmentation?.isFlow ? (flows.shift() ?? node) : node));
  const [flow] = layout.boxes;
  const end = flow ? flow.rect.y + flow.rect.height + pageMargins(page, page.cover ? 2 : 1).bottom : 0;
  return { ...scene, nodes, page: null, height: Math.max(scene.height, Math.ceil(end)) };
}

/** What flows over other sheets, too, on those of its beginning. */
function asOneFlow(nodes: readonly SceneNode[]): readonly SceneNode[] {
  const flows = nodes.filter((node): node is FrameNode => node.type === 'frame' && node.fragmentation?.isFlow === true);
  if (flows.length < 2) return nodes;
  const children = flows.flatMap((flow) => flow.children);
  return nodes.flatMap((node) => {
    if (!node.fragmentation?.isFlow) return [node];
    return node === flows[0] ? [{ ...flows[0], children }] : [];
  });
}

/** The layers of the first page alone in a frame of its size, so that they keep to its edges, and what flows below it. */
function belowCover(nodes: readonly SceneNode[], { width, height }: Scene): readonly SceneNode[] {
  const isOnCover = ({ fragmentation }: SceneNode) => fragmentation?.pages === 'first';
  const size = { width: { kind: 'px', value: width }, height: { kind: 'px', value: height } } as const;
  const children = nodes.filter(isOnCover);
  const placement = { ...PLAIN_FRAME.placement, ...size };
  const cover: FrameNode = { ...PLAIN_FRAME, name: 'cover', placement, children };
  return nodes.flatMap((node): readonly SceneNode[] => {
    if (isOnCover(node)) return node === children[0] ? [cover] : [];
    if (!node.fragmentation?.isFlow) return [node];
    return [{ ...node, placement: { ...node.placement, y: node.placement.y + height } }];
  });
}

// Finds the pages of the headings that tables of contents list, once the flow is divided into pages.

/** Tells the tables in `boxes` where the headings are. @param headings of each page @param earlier pages of a longer file */
function placeHeadings(boxes: readonly LayoutBox[], headings: readonly (readonly Heading[])[], earlier: number): void {
  for (const box of boxes) {
    if (box instanceof TableBox) box.rows.places = placesIn(box.rows.node, headings, earlier);
    else if (box.kind === 'frame' && !(box instanceof PackedRowBox)) placeHeadings(box.children, headings, earlier);
  }
}

/** In order, so that of headings with one text each has its own page. */
function placesIn(
  { rows }: TableNode,
  headings: readonly (readonly Heading[])[],
  earlier: number,
): ReadonlyMap<ListedHeading, NumberedPlace> | null {
  const listed = rows.looks.flatMap(({ lists }) => (lists ? [lists.heading] : []));
  if (listed.length === 0) return null;
  const found = new Map<string, NumberedPlace[]>();
  for (const [index, some] of headings.entries()) {
    for (const { level, text, top } of some) {
      const key = `${level} ${text}`;
      const places = found.get(key) ?? [];
      found.set(key, places);
      places.push({ page: index + 1, top, number: index + 1 + earlier });
    }
  }
  return new Map(
    listed.flatMap((heading) => {
      const place = found.get(`${heading.level} ${heading.text}`)?.shift();
      return place ? [[heading, place] as const] : [];
    }),
  );
}

// What the counters on each page show.

/** What is counted on one page. */
type PageCounts = Readonly<Record<PageCounter, string>> & { readonly strings?: PageStrings | undefined };

/** The named strings of one page: what held at its start, and what it says first and last; null = nothing. */
type PageStrings = ReadonlyMap<
  string,
  { readonly start: string; readonly first: string | null; readonly last: string }
>;

/** @param landmarks of each page */
function namedStrings(landmarks: readonly (readonly Landmark[])[]): readonly PageStrings[] {
  let held: PageStrings = new Map();
  return landmarks.map((some) => {
    const found = new Map(
      Array.from(held, ([name, { last }]) => [name, { start: last, first: null as string | null, last }]),
    );
    for (const [name, last] of some.flatMap(({ strings }) => Object.entries(strings ?? {}))) {
      const { start, first } = found.get(name) ?? { start: '', first: null };
      found.set(name, { start, first: first ?? last, last });
    }
    held = found;
    return found;
  });
}

/** @throws ValidationError when the pages are not as many as were counted */
function checkLength(count: number, numbers: PageNumbers | undefined): void {
  const { first, last } = numbers ?? {};
  if (first === undefined || last === undefined || last - first + 1 === count) return;
  const problem = `are for ${last - first + 1} pages, and the document has ${count}`;
  throw new ValidationError('pdf.pageNumbers', problem);
}

/** @param headings of each page @param numbers of a part of a longer file */
function countPages(headings: readonly (readonly Heading[])[], numbers?: PageNumbers): readonly PageCounts[] {
  const { first = 1, total = headings.length } = numbers ?? {};
  const starts = headings.map((some, index) => index === 0 || some.some(({ level }) => level === 1));
  let [section, heading, begin] = ['', '', 0];
  return headings.map((some, index) => {
    if (starts[index]) begin = index;
    section = some.findLast(({ level }) => level === 1)?.text ?? section;
    heading = some.at(-1)?.text ?? heading;
    const next = starts.indexOf(true, index + 1);
    return {
      page: String(index + first),
      pages: String(total),
      'section-page': String(index - begin + 1),
      'section-pages': String((next === -1 ? headings.length : next) - begin),
      section,
      heading,
    };
  });
}

/** Where layers begin, by the names that counters are `of`. */
type Places = ReadonlyMap<string, NumberedPlace>;

const numbered = (places: ReadonlyMap<string, PlaceOnPage>, earlier: number, oversize = 1): Places =>
  new Map([...places].map(([name, { page, top }]) => [name, { page, top: top / oversize, number: page + earlier }]));

/** A node with its counters filled in; the same where it has none. */
function counted<Node extends SceneNode>(node: Node, counts: PageCounts, places: Places): Node;
function counted(node: SceneNode, counts: PageCounts, places: Places): SceneNode {
  if (node.type === 'text') {
    if (!isCounting(node)) return node;
    return { ...node, spans: node.spans.map((span) => countedSpan(span, counts, places)) };
  }
  if (node.type !== 'frame') return node;
  const children = node.children.map((child) => counted(child, counts, places));
  return children.every((child, i) => child === node.children[i]) ? node : { ...node, children };
}

function countedSpan(span: TextSpan, counts: PageCounts, places: Places): TextSpan {
  const { counter, linksTo } = span;
  const aim = linksTo === undefined ? undefined : places.get(linksTo);
  const link = aim ? linkToPlace(aim) : span.link;
  if (counter === null) return link === span.link ? span : { ...span, link };
  if (typeof counter === 'string') return { ...span, text: counts[counter], counter: null };
  if ('stringOf' in counter) return { ...span, text: stringFor(counter, counts), counter: null };
  const place = places.get(counter.pageOf);
  const text = place ? String(place.number) : UNKNOWN_PAGE;
  return { ...span, text, counter: null, link: link ?? (place ? linkToPlace(place) : null) };
}

function stringFor({ stringOf, which }: NamedString, { strings }: PageCounts): string {
  const said = strings?.get(stringOf);
  if (!said) return '';
  if (which === 'first-except') return said.first === null ? said.start : '';
  return which === 'first' ? (said.first ?? said.start) : said[which];
}

// Fills in page numbers in the text of a document's flow, once pages are divided. Each text is laid out again in its own
// box, which has room for them, so boxes and page breaks stay where they are.

class FilledTexts {
  readonly #texts = new Map<SceneNode, TextBox>();
  readonly #filled = new Map<SceneNode, TextBox>();
  readonly #fill: (box: TextBox) => TextBox;

  /**
   * @param boxes what flows
   * @param fill the same text with its numbers, in the same box
   */
  constructor(boxes: readonly LayoutBox[], fill: (box: TextBox) => TextBox) {
    this.#fill = fill;
    this.#find(boxes);
  }

  /** A part of what flows, as it is on a page, with the numbers in its texts. */
  in(box: LayoutBox): LayoutBox {
    if (this.#texts.size === 0) return box;
    if (box.kind === 'frame') return { ...box, children: box.children.map((child) => this.in(child)) };
    return box.kind === 'text' ? this.#textIn(box) : box;
  }

  #textIn(box: TextBox): TextBox {
    const whole = this.#texts.get(box.node);
    if (!whole) return box;
    const filled = this.#filled.get(box.node) ?? this.#fill(whole);
    this.#filled.set(box.node, filled);
    const { paragraph, node } = filled;
    const lines = box.paragraph.lines.length;
    if (lines === whole.paragraph.lines.length) {
      const [dx, dy] = [box.rect.x - whole.rect.x, box.rect.y - whole.rect.y];
      const content = { ...filled.content, x: filled.content.x + dx, y: filled.content.y + dy };
      return { ...box, node, paragraph, content };
    }
    // Of a text that is divided, each part has the lines that begin where its own did.
    const [first, last] = [box.paragraph.lines[0], box.paragraph.lines.at(-1)];
    const isFirst = first === whole.paragraph.lines[0];
    const isLast = last === whole.paragraph.lines.at(-1);
    const end = last ? last.box.y + last.box.height : 0;
    const shown = paragraph.lines.filter(
      ({ box: { y } }) => (isFirst || y >= (first?.box.y ?? 0) - ROUNDING) && (isLast || y < end - ROUNDING),
    );
    return { ...box, node, paragraph: { ...paragraph, lines: shown } };
  }

  #find(boxes: readonly LayoutBox[]): void {
    for (const box of boxes) {
      // A table makes its boxes when it is asked for them, and its cells name no pages.
      if (box instanceof TableBox || box instanceof PackedRowBox) continue;
      if (box.kind === 'frame') this.#find(box.children);
      else if (box.kind === 'text' && isCounting(box.node)) this.#texts.set(box.node, box);
    }
  }
}

const isCounting = ({ spans }: TextNode): boolean =>
  spans.some(({ counter, linksTo }) => counter !== null || linksTo !== undefined);

/** Rounding error allowed in sums of heights, px. */
const ROUNDING = 0.01;
