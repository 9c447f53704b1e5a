// Parses a page by HTML's own rules (HTML, 13.2), which mend what is written wrong: parse5 is its door here.

import { defaultTreeAdapter, parse, parseFragment, type Token } from 'parse5';
import { AppError } from '#base/errors.ts';
import type { HtmlTemplate } from '#core/template/html-template.ts';

export interface HtmlElement {
  /** Lower case, except inside `<svg>`. */
  readonly name: string;
  /** Keyed by lower-case name, except inside `<svg>`. */
  readonly attributes: Map<string, string>;
  children: HtmlNode[];
  /** The line on which it begins, starting at 1; 1 if that was not asked for. */
  readonly line: number;
}
export type HtmlNode = HtmlElement | string;

export interface PageLimits {
  readonly elements: number;
  /** Elements in one another: layout goes as deep. */
  readonly depth: number;
  /** Characters of words; absent = as many as the template may have. */
  readonly words?: number;
}
/** Of what is between tags, layout takes most memory: 400 bytes for each letter. */
const LIMITS: PageLimits = { elements: 60_000, depth: 256, words: 500_000 };

interface Parsed {
  readonly nodeName: string;
  readonly value?: string;
  readonly tagName?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string; readonly prefix?: string }[];
  childNodes?: readonly Parsed[];
  line?: number;
}

/** Of where things are, a page is told the line alone: all that parse5 would keep takes more memory than the elements. */
const ADAPTER: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  setNodeSourceCodeLocation: (node: Parsed, location: Token.ElementLocation | null) => {
    if (node.tagName !== undefined && location) node.line = location.startLine;
  },
  getNodeSourceCodeLocation: () => null,
  // Most elements have one text, for which a list that grows would have room for seventeen.
  insertText: (parent, text) => {
    if (parent.childNodes.length > 0) return defaultTreeAdapter.insertText(parent, text);
    const only = defaultTreeAdapter.createTextNode(text);
    only.parentNode = parent;
    parent.childNodes = [only];
  },
};

/** The same text in one piece: parse5 adds one letter after another, which V8 keeps as a chain of 32 bytes for each. */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}

interface ParsedPage {
  /** `<html>`. */
  readonly html: HtmlElement;
  /** Whether it has no `<!doctype html>`, or an old one (HTML, 13.2.6.4.1, quirks mode). */
  readonly isQuirky: boolean;
  /** Whether it is such a page, or one of a transitional doctype (limited-quirks mode). */
  readonly isOld: boolean;
}

/**
 * The page of a template. As in server/chromium/html-document.ts, one without a doctype is no old one.
 *
 * @throws as `parsePage`
 */
export function parseTemplate({ html }: Pick<HtmlTemplate, 'html'>, limits = LIMITS, hasLines = true): ParsedPage {
  return parsePage(/^\s*<!doctype[^>]*>/i.test(html) ? html : `<!doctype html>${html}`, limits, hasLines);
}

/**
 * @param hasLines whether elements have their lines, which takes a third of the time
 * @throws AppError `invalid_request` for a page of too many elements, too deep ones, or too many words
 */
export function parsePage(text: string, limits: PageLimits = LIMITS, hasLines = true): ParsedPage {
  const { elements, depth: deepest, words } = limits;
  // Every page has <html>, <head> and <body>.
  let count = -3;
  let letters = 0;
  const createElement: typeof defaultTreeAdapter.createElement = (...made) => {
    count += 1;
    // While it is parsed: a few tags that are never closed may begin anew in each paragraph.
    if (count > elements) throw new AppError('invalid_request', `html: the page has more than ${elements} elements.`);
    return defaultTreeAdapter.createElement(...made);
  };
  const treeAdapter = { ...ADAPTER, createElement };
  const document = parse(text, { sourceCodeLocationInfo: hasLines, treeAdapter }) as unknown as Parsed & {
    readonly mode: string;
  };
  // Only elements that have attributes are ever given others.
  const none = new Map<string, string>();
  const convert = (node: Parsed, depth: number): HtmlNode | null => {
    if (node.nodeName === '#text') return flat(node.value ?? '');
    if (node.tagName === undefined) return null;
    const line = node.line ?? 1;
    if (depth > deepest) {
      // Once more, for its line.
      if (!hasLines) parsePage(text, limits);
      const message = `html, line ${line}: elements are more than ${deepest} deep in one another.`;
      throw new AppError('invalid_request', message);
    }
    const { attrs = [], childNodes = [] } = node;
    // parse5's tree goes as ours grows.
    node.childNodes = [];
    const attributes = attrs.length === 0 ? none : new Map<string, string>();
    for (const { name, value, prefix } of attrs) attributes.set(prefix ? `${prefix}:${name}` : name, value);
    const children: HtmlNode[] = [];
    for (const child of childNodes) {
      const [found, last] = [convert(child, depth + 1), children.at(-1)];
      if (typeof found === 'string' && node.tagName !== 'style') letters += found.length;
      // Of a text, comments make two.
      if (typeof found === 'string' && typeof last === 'string') children[children.length - 1] = last + found;
      else if (found !== null) children.push(found);
    }
    // A list that grew has room for sixteen more.
    return { name: node.tagName, attributes, children: children.slice(), line };
  };
  const html = (document.childNodes ?? [])
    .map((node) => convert(node, 0))
    .find((node) => node !== null && typeof node !== 'string');
  if (words !== undefined && letters > words)
    throw new AppError('invalid_request', `html: the page has more than ${words} characters between its tags.`);
  if (!html || typeof html === 'string') throw new AppError('invalid_request', 'html: the page is empty.');
  return { html, isQuirky: document.mode === 'quirks', isOld: document.mode !== 'no-quirks' };
}

/** The value of an attribute, as it is written in markup, with its character references decoded. */
export function decodedAttribute(written: string): string {
  const [element] = parseFragment(`<i title="${written.replaceAll('"', '&quot;')}">`).childNodes as readonly Parsed[];
  return element?.attrs?.[0]?.value ?? '';
}
