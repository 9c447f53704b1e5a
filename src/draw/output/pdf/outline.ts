// Writes the outline of a document from its headings (ISO 32000-1, 12.3.3): a tree, as deep as their levels.

import type { Heading } from '#core/paint/display-list.ts';
import { textString } from './document-entries.ts';
import type { Dictionary, PdfReference } from './object.ts';

export interface OutlineEntry extends Pick<Heading, 'level' | 'text'> {
  readonly page: PdfReference;
  /** The top of the heading, points from the bottom of its page. */
  readonly top: number;
}

interface Item {
  readonly entry: OutlineEntry;
  readonly reference: PdfReference;
  readonly kids: Item[];
}

interface Writer {
  reserve(): PdfReference;
  write(reference: PdfReference, data: Dictionary): void;
}

/** @param entries in the order of the document; a level that is skipped is not filled in */
export function writeOutline(writer: Writer, entries: readonly OutlineEntry[]): PdfReference {
  const root = writer.reserve();
  const top: Item[] = [];
  // The items that the next entry may be below, outermost first.
  const open: Item[] = [];
  for (const entry of entries) {
    while ((open.at(-1)?.entry.level ?? 0) >= entry.level) open.pop();
    const item: Item = { entry, reference: writer.reserve(), kids: [] };
    (open.at(-1)?.kids ?? top).push(item);
    open.push(item);
  }
  writer.write(root, { Type: 'Outlines', ...writeItems(writer, top, root), Count: entries.length });
  return root;
}

/** @returns the entries of their parent */
function writeItems(writer: Writer, items: readonly Item[], parent: PdfReference): Dictionary {
  items.forEach(({ entry, reference, kids }, index) => {
    const previous = items[index - 1]?.reference;
    const next = items[index + 1]?.reference;
    writer.write(reference, {
      Title: textString(entry.text.trim()),
      Parent: parent,
      Dest: [entry.page, 'FitH', entry.top],
      ...(previous && { Prev: previous }),
      ...(next && { Next: next }),
      ...(kids.length > 0 && { ...writeItems(writer, kids, reference), Count: countOf(kids) }),
    });
  });
  const [first] = items;
  const last = items.at(-1);
  return first && last ? { First: first.reference, Last: last.reference } : {};
}

const countOf = (items: readonly Item[]): number => items.reduce((sum, { kids }) => sum + 1 + countOf(kids), 0);
