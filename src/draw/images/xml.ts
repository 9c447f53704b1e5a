// Parses XML text to a tree of elements, and escapes text for writing: the part of XML 1.0 with Namespaces that SVG
// images need.
//
// The parser is strict, so that no other parser can read the same bytes differently: it refuses what it does not
// understand, and callers write anew what it has read. No DTD is read, so an entity is one of XML's five or a
// numeric character reference.

import { AppError } from '#base/errors.ts';

export interface XmlElement {
  /** The local name, and the URI of its namespace ('' = none). */
  readonly name: string;
  readonly namespace: string;
  /** By name; an attribute in a namespace is keyed `{uri}name`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (XmlElement | string)[];
}

export interface XmlLimits {
  readonly elements: number;
  readonly depth: number;
}

const NAMED = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }));

function refuse(problem: string): never {
  throw new AppError('invalid_request', `The SVG file ${problem}.`);
}

/**
 * Characters of the Basic Multilingual Plane that XML 1.0 production 2 excludes; a UTF-8 decoder leaves no lone
 * surrogate.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6});|#([0-9]{1,7});|(\w{1,8});)?/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED.get(name) ?? refuse(`names the unknown entity ${whole}`);
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN);
    const valid = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && !NOT_XML.test(String.fromCodePoint(code));
    return valid ? String.fromCodePoint(code) : refuse('is not well-formed XML: a stray "&"');
  });
}

/** Most characters of a document type without declarations of its own. */
const MAX_DOCTYPE = 1_000;

/** Namespaces that may be in scope at once: each element that declares one copies them all. */
const MAX_NAMESPACES = 64;

interface Open {
  readonly qualified: string;
  readonly scope: ReadonlyMap<string, string>;
  readonly children: (XmlElement | string)[];
}

/**
 * An attribute with the white space before it. No two parts match the same character, so matching takes linear time.
 */
const ATTRIBUTE = /\s+([^\s=/>"'<&]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_NAME = /[A-Za-z_][\w.:-]*/y;
const TAG_END = /[ \t\r\n]*(\/?)>/y;

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function resolveName(qualified: string, scope: ReadonlyMap<string, string>, initial: string): [string, string] {
  const colon = qualified.indexOf(':');
  if (colon < 0) return [initial, qualified];
  const uri = scope.get(qualified.slice(0, colon));
  return [uri ?? refuse(`uses the undeclared prefix of "${qualified.slice(0, 40)}"`), qualified.slice(colon + 1)];
}

/**
 * Parses a whole document.
 *
 * @throws AppError `invalid_request` when it is not well-formed, has a DTD of its own, or exceeds `limits`
 */
export function parseXml(text: string, limits: XmlLimits): XmlElement {
  if (NOT_XML.test(text)) refuse('is not well-formed XML: it holds control characters');
  const top: (XmlElement | string)[] = [];
  const rootScope = new Map([
    ['xml', 'http://www.w3.org/XML/1998/namespace'],
    ['', ''],
  ]);
  const stack: Open[] = [];
  let elements = 0;
  let at = 0;
  const children = () => stack.at(-1)?.children ?? top;
  const skipTo = (terminator: string, from: number) => {
    const end = text.indexOf(terminator, from);
    if (end < 0) refuse('is not well-formed XML: it ends too early');
    at = end + terminator.length;
    return text.slice(from, end);
  };

  while (at < text.length) {
    const tag = text.indexOf('<', at);
    if (tag !== at) {
      const run = text.slice(at, tag < 0 ? text.length : tag);
      if (stack.length > 0) children().push(decodeEntities(run));
      else if (run.trim() !== '') refuse('is not well-formed XML: it has text outside its root');
      at += run.length;
    } else if (text.startsWith('<!--', at)) skipTo('-->', at + 4);
    else if (text.startsWith('<?', at)) skipTo('?>', at + 2);
    else if (text.startsWith('<![CDATA[', at) && stack.length > 0) children().push(skipTo(']]>', at + 9));
    else if (/^<!DOCTYPE[^[>]*>/.test(text.slice(at, at + MAX_DOCTYPE)) && top.length === 0) skipTo('>', at);
    else if (text.startsWith('<!', at)) refuse('has a <!DOCTYPE> with declarations, which are not allowed: remove it');
    else if (text.startsWith('</', at)) {
      const closed = stack.pop();
      const name = skipTo('>', at + 2).trimEnd();
      if (closed?.qualified !== name) refuse('is not well-formed XML: its tags do not match');
    } else readStartTag();
  }

  function readStartTag(): void {
    const name = match(TAG_NAME, text, at + 1)?.[0] ?? refuse('is not well-formed XML: a stray "<"');
    at += 1 + name.length;
    const written = new Map<string, string>();
    for (let found = match(ATTRIBUTE, text, at); found !== null; found = match(ATTRIBUTE, text, at)) {
      const [whole, key = '', double, single] = found;
      if (written.has(key)) refuse('is not well-formed XML: an attribute stands twice');
      written.set(key, decodeEntities(double ?? single ?? ''));
      at += whole.length;
    }
    const end = match(TAG_END, text, at) ?? refuse('is not well-formed XML: a broken tag');
    at += end[0].length;

    elements += 1;
    if (elements > limits.elements) refuse(`has more than ${limits.elements} elements`);
    if (stack.length >= limits.depth) refuse(`nests more than ${limits.depth} elements deep`);
    if (stack.length === 0 && top.length > 0) refuse('is not well-formed XML: it has two roots');

    const outer = stack.at(-1)?.scope ?? rootScope;
    const declared = [...written].filter(([key]) => key === 'xmlns' || key.startsWith('xmlns:'));
    const scope =
      declared.length === 0
        ? outer
        : new Map([...outer, ...declared.map(([key, uri]) => [key.slice(6), uri] as const)]);
    if (scope.size > MAX_NAMESPACES) refuse('declares too many namespaces');
    const attributes = new Map<string, string>();
    for (const [key, value] of written) {
      if (key === 'xmlns' || key.startsWith('xmlns:')) continue;
      const [uri, local] = resolveName(key, scope, '');
      attributes.set(uri === '' ? local : `{${uri}}${local}`, value);
    }
    const [namespace, local] = resolveName(name, scope, scope.get('') ?? '');
    const opened: (XmlElement | string)[] = [];
    children().push({ name: local, namespace, attributes, children: opened });
    if (end[1] === '') stack.push({ qualified: name, scope, children: opened });
  }

  const root = top[0];
  if (stack.length > 0 || typeof root !== 'object') refuse('is not well-formed XML: it ends too early');
  return root;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for use between tags or inside double quotes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (char) => ESCAPES[char] ?? `&#${char.charCodeAt(0)};`);
}
