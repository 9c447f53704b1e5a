// Warns about pictures that browsers stretch as items of a flex container, whereas satori keeps their proportions.
//
// CSS Flexbox 1 §8.3: an item without a cross size is stretched to the line. Which pictures may be such items is
// guessed from the styles before layout; whether the line is larger than the picture is read from the boxes after it.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { Size } from '#core/geometry.ts';
import { warning } from './page-warnings.ts';
import { elementsOf, type HtmlElement, type HtmlNode, isElement } from './parse-html.ts';
import { StyleGuess } from './style-guess.ts';

interface Candidate {
  readonly picture: HtmlElement;
  /** The side that no style sets. */
  readonly missing: 'width' | 'height';
  /** Elements that may make the line larger than the picture: its siblings, and a container with its own size. */
  readonly others: readonly HtmlElement[];
}

/** Properties that may prevent stretching, or make it invisible. */
const NOT_STRETCHED = /^(align-self|place-self|position|aspect-ratio|block-size|inline-size|object-fit|all)$/;
/** px by which the sizes of boxes may differ. */
const SLACK = 1;
const MAX_WARNINGS = 5;

export class StretchedPictures {
  /** Keys for the elements whose boxes layout is to report. */
  readonly keys: ReadonlyMap<HtmlElement, string>;
  readonly #candidates: readonly Candidate[];

  constructor(page: readonly HtmlNode[], css: string) {
    const styles = new StyleGuess(page, css);
    this.#candidates = [...elementsOf(page)].flatMap((parent) => candidatesIn(parent, styles));
    const elements = new Set(this.#candidates.flatMap(({ picture, others }) => [picture, ...others]));
    this.keys = new Map([...elements].map((element, index) => [element, `platen-${index}`]));
  }

  /** @param boxes sizes of the elements in `keys`, by key */
  warnings(boxes: ReadonlyMap<string, Size>): readonly Diagnostic[] {
    const sizeOf = (element: HtmlElement, side: 'width' | 'height') =>
      boxes.get(this.keys.get(element) ?? '')?.[side] ?? 0;
    const stretched = this.#candidates.filter(({ picture, missing, others }) =>
      others.some((other) => sizeOf(other, missing) > sizeOf(picture, missing) + SLACK),
    );
    return stretched
      .slice(0, MAX_WARNINGS)
      .map(({ picture, missing }) =>
        warning(
          picture,
          `<${picture.name}> has no ${missing} and keeps its proportions, where browsers stretch it in its flex container; give it a ${missing}, or align-self: flex-start.`,
        ),
      );
  }
}

const SIDES = { width: /^width$/, height: /^height$/ } as const;

function candidatesIn(parent: HtmlElement, styles: StyleGuess): readonly Candidate[] {
  if (!styles.says(parent, /^display$/, /\bflex\b/) || styles.says(parent, /^(align|place)-items$/)) return [];
  const [given, missing] = styles.says(parent, /^flex-(direction|flow)$/, /\bcolumn/)
    ? (['height', 'width'] as const)
    : (['width', 'height'] as const);
  const children = parent.children.filter((child) => isElement(child));
  const pictures = children.filter(
    (child) =>
      (child.name === 'svg' || (child.name === 'img' && child.attributes.get('src')?.trim())) &&
      styles.says(child, SIDES[given]) &&
      !styles.says(child, SIDES[missing]) &&
      !styles.says(child, NOT_STRETCHED),
  );
  // A column is as wide as its container, a row as high as its contents.
  const isLarger = missing === 'width' || styles.says(parent, /^((min-)?height|(min-)?block-size|inset|bottom|flex)$/);
  return pictures.map((picture) => ({
    picture,
    missing,
    others: [...(isLarger ? [parent] : []), ...children.filter((child) => child !== picture)],
  }));
}
