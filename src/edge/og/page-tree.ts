// Lays out trees with tables, or with Tailwind's classes, by the code of html templates: the tree becomes a page, whose
// tables are computed and whose classes have rules, and a tree again.

import { AppError } from '#base/errors.ts';
import type { Size } from '#core/geometry.ts';
import { mendPage } from '#draw/html/mend-css.ts';
import { mendElements } from '#draw/html/mend-elements.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from '#draw/html/parse-html.ts';
import type { SatoriElement } from '#draw/html/satori.ts';
import { imagesOf, satoriTree } from '#draw/html/satori-tree.ts';
import { checkClasses } from '#draw/html/subset.ts';
import { layOutTables, type Overrides, type TextIn } from '#draw/html/tables/lay-out-tables.ts';
import { partsOf, prepareTables, readTables } from '#draw/html/tables/read-tables.ts';
import { withoutContentVariable } from '#draw/html/tailwind/content-variable.ts';
import { takeTailwindRules } from '#draw/html/tailwind/take-tailwind-rules.ts';
import { childrenOf, type PlainNode } from './plain-tree.ts';
import { measureWithSatori, type SatoriOptions } from './satori.ts';

/** Most different classes of a tree. */
const MAX_CLASSES = 2_000;

export interface PageTreeOptions extends SatoriOptions {
  /** CSS for the classes of the tree. */
  readonly css: string;
  /** Whether `class`, `className` and `tw` take Tailwind's classes. */
  readonly tailwind: boolean;
}

/**
 * @param root the tree, with placeholders for pictures
 * @throws AppError `invalid_request` naming what cannot be drawn; Error of satori
 */
export async function pageTree(root: PlainNode | undefined, options: PageTreeOptions): Promise<SatoriElement> {
  try {
    return await laidOut(root, options);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A tree has neither lines nor another renderer.
    const message = error.message
      .replace(/^(html|css), line \d+: /, '')
      .replace(/,? (with|which) renderer "satori"[\s\S]*$/, '.');
    throw new AppError(error.code, message, { cause: error });
  }
}

async function laidOut(root: PlainNode | undefined, options: PageTreeOptions): Promise<SatoriElement> {
  const { tailwind } = options;
  const nodes = root === undefined ? [] : [pageNode(root, options)];
  const pictures = new Map(imagesOf(nodes, '').map(({ source }) => [source, source]));
  const { theme, css: rest } = tailwind ? takeTailwindRules(options.css) : { theme: '', css: options.css };
  const css = mendPage(nodes, tailwind ? `${await sheetOf(nodes, theme, options)}${rest}` : rest);
  const sheet = prepareTables(nodes, css) ?? css;
  const tables = readTables(nodes, sheet, options);
  mendElements(nodes, sheet, options);

  const elements = tables.tables.flatMap((table) => partsOf(table));
  const keys = new Map(elements.map((element, index) => [element, `platen-table-${index}`]));
  const treeOf = (overrides: Overrides, textIn?: TextIn) => {
    const tree = satoriTree(nodes, sheet, pictures, pictures, keys, { overrides, textIn });
    return tailwind ? tree : withoutPage(tree);
  };
  if (tables.tables.length === 0) return treeOf(new Map());
  const overrides = await layOutTables(tables, async (declared, textIn) => {
    const boxes = await measureWithSatori(treeOf(declared, textIn), options);
    return new Map(
      [...keys].flatMap(([element, key]) => {
        const box = boxes.get(key);
        return box ? [[element, box] as const] : [];
      }),
    );
  });
  return treeOf(overrides);
}

async function sheetOf(nodes: readonly HtmlNode[], theme: string, canvas: Size): Promise<string> {
  const texts = [...elementsOf(nodes)].map(({ attributes }) => attributes.get('class') ?? '');
  const classes = new Set(texts.flatMap((text) => text.split(/\s+/)));
  classes.delete('');
  if (classes.size > MAX_CLASSES) {
    throw new AppError(
      'invalid_request',
      `The tree has ${classes.size} different classes; at most ${MAX_CLASSES} are allowed.`,
    );
  }
  const { compileClasses } = await import('#draw/html/tailwind/compile-classes.ts');
  const sheet = withoutContentVariable(await compileClasses([...classes], theme));
  checkClasses(nodes, sheet, canvas);
  return sheet;
}

function pageNode(node: PlainNode, options: Pick<PageTreeOptions, 'tailwind'>, isInSvg = false): HtmlNode {
  if (typeof node !== 'object') return String(node);
  const { type, props } = node;
  const isDrawing = isInSvg || type === 'svg';
  const attributes = new Map<string, string>();
  const classes: string[] = [];
  for (const [name, value] of Object.entries(props)) {
    if (/^(children|key|ref)$/.test(name) || value === null || value === undefined || value === false) continue;
    if (/^class(Name)?$/.test(name) || (name === 'tw' && options.tailwind)) classes.push(String(value));
    else if (name === 'style' && typeof value === 'object') attributes.set('style', cssOfStyle(value));
    else if (typeof value !== 'object' && typeof value !== 'function') {
      attributes.set(isDrawing ? name : name.toLowerCase(), value === true ? '' : String(value));
    }
  }
  if (classes.length > 0) attributes.set('class', classes.join(' '));
  const children = childrenOf(node).map((child) => pageNode(child, options, isDrawing));
  return { name: type, attributes, children, line: 1 } satisfies HtmlElement;
}

/** The root element with the style sheets, without `<html>`, `<body>` and their default rules. */
function withoutPage({ props }: SatoriElement): SatoriElement {
  const [, ...sheets] = props.children as SatoriElement[];
  const body = sheets.pop();
  const root = body?.props.children as SatoriElement | undefined;
  if (root === undefined || typeof root !== 'object') return { type: 'div', props: { children: sheets } };
  const inside = root.props.children;
  const children = [...sheets, ...(Array.isArray(inside) ? inside : inside === undefined ? [] : [inside])];
  return { ...root, props: { ...root.props, children } };
}

// Writes React's style objects as CSS.

/** CSS properties whose numbers are not px (React's list). */
const UNITLESS =
  /^(animationIterationCount|aspectRatio|borderImage\w+|columnCount|columns|fillOpacity|flex|flexGrow|flexShrink|floodOpacity|fontWeight|gridArea|gridColumn\w*|gridRow\w*|lineClamp|lineHeight|opacity|order|orphans|scale|stopOpacity|strokeDasharray|strokeDashoffset|strokeMiterlimit|strokeOpacity|strokeWidth|tabSize|WebkitLineClamp|widows|zIndex|zoom|--.*)$/;

/** The declarations of a `style` attribute. */
export function cssOfStyle(style: object): string {
  return Object.entries(style)
    .filter(([, value]) => value !== null && value !== undefined && typeof value !== 'boolean' && value !== '')
    .map(([name, value]) => {
      const property = name.startsWith('--')
        ? name
        : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^webkit-/, '-webkit-');
      const isLength = typeof value === 'number' && value !== 0 && !UNITLESS.test(name);
      return `${property}:${isLength ? `${value}px` : value}`;
    })
    .join(';');
}
