// Writes a link operation as a link annotation (ISO 32000-1, 12.5.6.5): to an address, or to a page of the file.
//
// Only web and mail addresses are allowed, nothing that a reader would execute.

import { multiply, type Rect, transformRect } from '#core/geometry.ts';
import { placeInLink } from '#core/page-link.ts';
import type { Target } from './target.ts';

const PROTOCOLS = ['http:', 'https:', 'mailto:'];
/** Most characters of an address; longer ones are not usable. */
const MAX_LENGTH = 2_048;

/** Adds nothing for an address that is not allowed. */
export function annotateLink({ document, canvasMatrix }: Target, rect: Rect, href: string): void {
  const place = placeInLink(href);
  const address = place === null && href.length <= MAX_LENGTH ? URL.parse(href) : null;
  if (place === null && (!address || !PROTOCOLS.includes(address.protocol))) return;
  const area = transformRect(multiply(document.pageMatrix, canvasMatrix), rect);
  document.annotate({
    Subtype: 'Link',
    Rect: [area.x, area.y, area.x + area.width, area.y + area.height],
    Border: [0, 0, 0],
    // The Print flag: it changes nothing visible, and PDF/A requires it.
    F: 4,
    ...(place && { Dest: document.destination(place.page, place.top) }),
    ...(address && { A: { S: 'URI', URI: Uint8Array.from(address.href, (char) => char.charCodeAt(0)) } }),
  });
}
