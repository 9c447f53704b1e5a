// Links to a place in the document, as a fragment identifier of a PDF writes it (RFC 8118): `#page=3&view=FitH,120`.

export interface PlaceOnPage {
  /** From 1. */
  readonly page: number;
  /** px from the top of the page. */
  readonly top: number;
}

/** With the number that its page shows, which is another in a part of a longer file. */
export interface NumberedPlace extends PlaceOnPage {
  readonly number: number;
}

export const linkToPlace = ({ page, top }: PlaceOnPage): string => `#page=${page}&view=FitH,${Math.round(top)}`;

/** The place that a link is to; null = it is to an address. */
export function placeInLink(href: string): PlaceOnPage | null {
  const [, page, top = 0] = /^#page=(\d{1,5})(?:&view=FitH,(\d{1,5}))?$/.exec(href) ?? [];
  return page === undefined ? null : { page: Number(page), top: Number(top) };
}
