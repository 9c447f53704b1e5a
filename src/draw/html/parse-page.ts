// Parses a page by HTML's own rules (HTML, 13.2), which mend what is written wrong: parse5 is its door here.

import { parse } from 'parse5';
import { AppError } from '#base/errors.ts';
import type { HtmlElement, HtmlNode } from './parse-html.ts';

/** The most elements of a page, and in one another: layout goes as deep. */
const MAX_ELEMENTS = 60_000;
const MAX_DEPTH = 256;

interface Parsed {
  readonly nodeName: string;
  readonly value?: string;
  readonly tagName?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string; readonly prefix?: string }[];
  readonly childNodes?: readonly Parsed[];
  readonly sourceCodeLocation?: { readonly startLine: number } | null;
}

export interface ParsedPage {
  /** `<html>`. */
  readonly html: HtmlElement;
  /** Whether it has no `<!doctype html>`, or an old one (HTML, 13.2.6.4.1, quirks mode). */
  readonly isQuirky: boolean;
  /** Whether it is such a page, or one of a transitional doctype (limited-quirks mode). */
  readonly isOld: boolean;
}

/** @throws AppError `invalid_request` for a page of too many elements, or too deep ones */
export function parsePage(text: string): ParsedPage {
  const document = parse(text, { sourceCodeLocationInfo: true }) as unknown as Parsed & { readonly mode: string };
  let count = 0;
  const convert = (node: Parsed, depth: number): HtmlNode | null => {
    if (node.nodeName === '#text') return node.value ?? '';
    if (node.tagName === undefined) return null;
    count += 1;
    if (count > MAX_ELEMENTS)
      throw new AppError('invalid_request', `html: the page has more than ${MAX_ELEMENTS} elements.`);
    const line = node.sourceCodeLocation?.startLine ?? 1;
    if (depth > MAX_DEPTH)
      throw new AppError(
        'invalid_request',
        `html, line ${line}: elements are more than ${MAX_DEPTH} deep in one another.`,
      );
    const attributes = new Map<string, string>();
    for (const { name, value, prefix } of node.attrs ?? []) attributes.set(prefix ? `${prefix}:${name}` : name, value);
    const children = (node.childNodes ?? []).flatMap((child) => convert(child, depth + 1) ?? []);
    return { name: node.tagName, attributes, children, line };
  };
  const html = (document.childNodes ?? [])
    .map((node) => convert(node, 0))
    .find((node) => node !== null && typeof node !== 'string');
  if (!html || typeof html === 'string') throw new AppError('invalid_request', 'html: the page is empty.');
  return { html, isQuirky: document.mode === 'quirks', isOld: document.mode !== 'no-quirks' };
}
