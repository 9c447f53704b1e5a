// Pages made by hand, such as those of a carousel or a brochure: frames in what flows over a document, each as high as a
// page, and on one of its own. What else flows goes on over pages between them.

import { isWholePage } from '#design/choice.ts';
import {
  childrenOf,
  type Edit,
  findLayer,
  framesAround,
  type RawDocument,
  type RawLayer,
  sizesOf,
} from './document.ts';
import { duplicateLayers, insertLayers, moveLayers } from './edits.ts';
import { uniqueName } from './names.ts';

/** What makes a frame in what flows a page. */
const WHOLE_PAGE = { height: '100%', breakBefore: 'page' } as const;

export const isPage = (layer: RawLayer | null): boolean => layer !== null && isWholePage(layer);

/** The frame of a document that goes on over its pages. */
export const flowFrame = (document: RawDocument): RawLayer | null =>
  document.layers?.find(({ type, flow }) => type === 'frame' && flow === true) ?? null;

/** The pages of a document, in order; those that are hidden too. */
export const pagesOf = (document: RawDocument): readonly RawLayer[] =>
  document.page === undefined ? [] : (flowFrame(document)?.children?.filter(isPage) ?? []);

/** The page that a layer is, or is in; null = none. */
export const pageAround = (document: RawDocument, name: string): string | null =>
  [name, ...framesAround(document, name)].find((one) => isPage(findLayer(document, one))) ?? null;

/** Whether a template can get pages: a document has one size. */
export const mayHavePages = (document: RawDocument): boolean =>
  document.page !== undefined || Object.keys(sizesOf(document)).length === 0;

const newPage = (children: readonly RawLayer[]): RawLayer => ({
  type: 'frame',
  name: 'page-1',
  width: '100%',
  ...WHOLE_PAGE,
  children,
});

/** The template with what it shows as the first of its pages, each as large as its canvas. */
function withPages(document: RawDocument): RawDocument {
  if (document.page !== undefined) return document;
  const { width, height, layers = [] } = document;
  const bare: RawDocument = { ...document, page: { size: [width, height] }, layers: [] };
  const taken = new Set(layers.flatMap(namesIn));
  const page = { ...newPage(layers), name: uniqueName('page-1', taken) };
  return { ...bare, layers: [flow(new Set([...taken, page.name]), [page])] };
}

const flow = (taken: ReadonlySet<string>, children: readonly RawLayer[]): RawLayer => ({
  type: 'frame',
  name: uniqueName('pages', taken),
  flow: true,
  children,
});

const namesIn = ({ name, children = [] }: RawLayer): readonly string[] => [name, ...children.flatMap(namesIn)];

interface Made {
  readonly document: RawDocument;
  readonly name: string;
}

/** Adds an empty page. @param after the page before it; null = at the end */
export function addPage(before: RawDocument, after: string | null): Made {
  const paged = withPages(before);
  const document = flowFrame(paged)
    ? paged
    : { ...paged, layers: [...(paged.layers ?? []), flow(new Set(paged.layers?.flatMap(namesIn)), [])] };
  const around = flowFrame(document)?.name ?? null;
  const at = childrenOf(document, around).findIndex(({ name }) => name === after);
  const made = insertLayers(document, [newPage([])], around, at === -1 ? undefined : at + 1);
  return { document: made.document, name: made.names[0] ?? '' };
}

export function copyPage(document: RawDocument, name: string): Made {
  const made = duplicateLayers(document, [name]);
  return { document: made.document, name: made.names[0] ?? name };
}

/** Moves a page to a place among the pages, counted without it; what flows between pages stays with the one before. */
export const movePage =
  (name: string, to: number): Edit =>
  (document) => {
    const around = flowFrame(document)?.name ?? null;
    const next = pagesOf(document).filter((page) => page.name !== name)[to];
    const siblings = childrenOf(document, around);
    const at = next ? siblings.indexOf(next) : siblings.length;
    return moveLayers([name], around, at)(document);
  };
