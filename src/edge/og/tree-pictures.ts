// Fetches the pictures of a tree, within limits, and replaces them with placeholders of the same size.
//
// Satori gets no addresses. SVG files stay in the tree as they are, because satori can read their size.

import { AppError } from '#base/errors.ts';
import { base64Of } from '#base/runtime.ts';
import type { ImageResource } from '#core/resources.ts';
import { imagePlaceholder } from '#draw/html/page-pictures.ts';
import { isDataUri, readImageUri } from '#draw/images/data-uri.ts';
import { MAX_IMAGE_BYTES, MAX_SVG_BYTES } from '#draw/images/limits.ts';
import { readHeader } from '../image-header.ts';
import { colorsOf } from '../picture-file.ts';
import { elementsOfTree, type PlainElement, type PlainNode } from './plain-tree.ts';

/** Most pictures of one tree, bytes of all of them, and ms for each. */
const MAX_PICTURES = 50;
const MAX_TOTAL_BYTES = 48 * 1024 * 1024;
const MAX_MS = 10_000;

export interface TreePictures {
  readonly nodes: readonly PlainNode[];
  /** By placeholder. */
  readonly images: ReadonlyMap<string, ImageResource>;
}

const URLS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]+))\s*\)/g;
/** Properties whose value may contain a picture. */
const PICTURED = /^(background|backgroundImage|maskImage|mask|WebkitMaskImage|listStyleImage|borderImage)$/;

type Source = string | ArrayBuffer | Uint8Array;

/**
 * @param onWarning called for each picture with a colour profile that is not applied
 * @throws AppError `invalid_request` when a picture cannot be loaded, or they are too many or too large
 */
export async function takePictures(
  nodes: readonly PlainNode[],
  onWarning: (warning: string) => void,
): Promise<TreePictures> {
  const sources = new Set<Source>();
  for (const { type, props } of elementsOfTree(nodes)) {
    const { src } = props;
    if (type === 'img' && isSource(src)) sources.add(src);
    for (const url of urlsOf(props.style)) sources.add(url);
  }
  if (sources.size > MAX_PICTURES) {
    throw new AppError(
      'invalid_request',
      `The tree shows ${sources.size} pictures; at most ${MAX_PICTURES} are allowed.`,
    );
  }
  const images = new Map<string, ImageResource>();
  const places = new Map<Source, string>();
  const allowance = new Allowance();
  const files = await Promise.all(
    [...sources].map(async (source) => [source, await bytesOf(source, allowance)] as const),
  );
  for (const [index, [source, bytes]] of files.entries()) {
    const header = named(source, () => readHeader(bytes));
    if (header.format === 'svg') {
      if (bytes.length > MAX_SVG_BYTES) throw new AppError('invalid_request', 'An SVG file may have at most 1 MiB.');
      places.set(source, `data:image/svg+xml;base64,${base64Of(bytes)}`);
      continue;
    }
    if ((await colorsOf(header.format, bytes)).isIgnored)
      onWarning(`Image ${nameOf(source)} has a colour profile that is not applied at the edge; it is shown as sRGB.`);
    const standIn = imagePlaceholder(header, index);
    places.set(source, standIn);
    images.set(standIn, { key: `image-${images.size}`, ...header, bytes, focus: null });
  }
  return { nodes: nodes.map((node) => placed(node, places)), images };
}

/** Counts the bytes of all pictures while they arrive. Too many end every fetch, so that they are never in memory. */
class Allowance {
  readonly #over = new AbortController();
  #bytes = 0;

  /** Aborted with the error that `take` throws. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** @throws AppError `invalid_request` when the bytes are too many */
  take(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= MAX_TOTAL_BYTES) return;
    this.#over.abort(
      new AppError('invalid_request', `All images together are larger than ${MAX_TOTAL_BYTES / 2 ** 20} MiB.`),
    );
    throw this.#over.signal.reason;
  }
}

const isSource = (value: unknown): value is Source =>
  (typeof value === 'string' && value !== '') || value instanceof ArrayBuffer || value instanceof Uint8Array;

function urlsOf(style: unknown): string[] {
  if (typeof style !== 'object' || style === null) return [];
  const pictured = Object.entries(style).filter(([name, value]) => PICTURED.test(name) && typeof value === 'string');
  return pictured
    .flatMap(([, value]) => [...String(value).matchAll(URLS)].map(([, a, b, c]) => a ?? b ?? c ?? ''))
    .filter((url) => url !== '' && !url.startsWith('#'));
}

function placed(node: PlainNode, places: ReadonlyMap<Source, string>): PlainNode {
  if (typeof node !== 'object') return node;
  const { children, style, src } = node.props;
  const props: Record<string, unknown> = { ...node.props };
  if (node.type === 'img' && isSource(src)) props.src = places.get(src);
  if (urlsOf(style).length > 0) {
    props.style = Object.fromEntries(
      Object.entries(style as object).map(([name, value]) => [
        name,
        PICTURED.test(name) && typeof value === 'string' ? replaceUrls(value, places) : value,
      ]),
    );
  }
  if (Array.isArray(children)) props.children = children.map((child: PlainNode) => placed(child, places));
  else if (children !== undefined) props.children = placed(children as PlainNode, places);
  return { ...node, props } satisfies PlainElement;
}

function replaceUrls(value: string, places: ReadonlyMap<Source, string>): string {
  return value.replace(URLS, (whole, a, b, c) => {
    const place = places.get(a ?? b ?? c ?? '');
    return place === undefined ? whole : `url(${place})`;
  });
}

/** Adds the picture's name to errors. */
function named<T>(source: Source, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('invalid_request', `Image ${nameOf(source)}: ${reason}`, { cause: error });
  }
}

const nameOf = (source: Source) => (typeof source === 'string' ? source.slice(0, 200) : 'of an ArrayBuffer');

async function bytesOf(source: Source, allowance: Allowance): Promise<Uint8Array> {
  if (typeof source === 'string' && !isDataUri(source)) return fetchBytes(source, allowance);
  const bytes =
    typeof source === 'string'
      ? named(source, () => readImageUri(source))
      : source instanceof Uint8Array
        ? source
        : new Uint8Array(source);
  allowance.take(bytes.length);
  return bytes;
}

/**
 * @param what the file that it is, for errors
 * @throws AppError `invalid_request` when it is not an http(s) address, cannot be fetched, or its file is too large or
 *   too slow
 */
export async function fetchBytes(
  address: string,
  allowance = new Allowance(),
  what: 'Image' | 'Font' = 'Image',
): Promise<Uint8Array> {
  const refuse = (reason: string, cause?: unknown) =>
    new AppError('invalid_request', `${what} ${address.slice(0, 200)}: ${reason}`, { cause });
  if (!/^https?:\/\//i.test(address)) {
    throw refuse(`must be an ${what === 'Image' ? 'http:, https: or data:' : 'http: or https:'} address.`);
  }
  const slow = AbortSignal.timeout(MAX_MS);
  const ending = new AbortController();
  // Not every runtime has AbortSignal.any.
  for (const signal of [slow, allowance.over]) {
    if (signal.aborted) throw signal.reason;
    signal.addEventListener('abort', () => ending.abort(signal.reason), { once: true });
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    const answer = await fetch(address, { signal: ending.signal });
    if (!answer.ok) throw refuse(`the server answered ${answer.status}.`);
    const reader = answer.body?.getReader();
    for (;;) {
      const step = await reader?.read();
      if (!step || step.done) break;
      length += step.value.length;
      if (length > MAX_IMAGE_BYTES) throw refuse(`the file is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB.`);
      allowance.take(step.value.length);
      parts.push(step.value);
    }
  } catch (error) {
    ending.abort();
    if (error instanceof AppError) throw error;
    // Not the fault of this picture.
    if (allowance.over.aborted) throw allowance.over.reason;
    throw refuse(slow.aborted ? `took longer than ${MAX_MS / 1000} s.` : 'could not be fetched.', error);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
