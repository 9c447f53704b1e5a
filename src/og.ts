// `import { ImageResponse } from 'platen/og'`: a Response with a picture of JSX, with the interface of @vercel/og.

import { type DrawElementsOptions, drawElements, type OgFont } from './edge/og/draw-elements.ts';
import { EMOJI_SETS, type EmojiSet, loadEmoji } from './edge/og/emoji.ts';

export type { OgFont } from './edge/og/draw-elements.ts';
export type { EmojiSet } from './edge/og/emoji.ts';

/** A React element, or one of any library that creates `{ type, props }`. */
export type OgElement = unknown;

export interface ImageOptions {
  /** px, 1 to 4096. Default: 1200. */
  readonly width?: number | undefined;
  /** px, 1 to 4096. Default: 630. */
  readonly height?: number | undefined;
  /** Default: the Latin letters of Inter, regular. */
  readonly fonts?: readonly OgFont[] | undefined;
  /** The emoji picture set, which is fetched. Default: `twemoji`. */
  readonly emoji?: EmojiSet | undefined;
  /** Draws the boxes of elements. Default: false. */
  readonly debug?: boolean | undefined;
}

export interface ImageResponseOptions extends ImageOptions {
  readonly status?: number | undefined;
  readonly statusText?: string | undefined;
  readonly headers?: HeadersInit | undefined;
}

/** Renders the element as a PNG file. @throws Error whose message says what could not be drawn or loaded */
export async function renderElement(element: OgElement, options: ImageOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { width = 1200, height = 630, debug = false, emoji = 'twemoji', fonts = await defaultFonts() } = options;
  if (!EMOJI_SETS.includes(emoji)) throw new Error(`emoji: must be one of ${EMOJI_SETS.join(', ')}.`);
  const wanted: DrawElementsOptions = { width, height, debug, fonts, emoji: (each) => loadEmoji(emoji, each) };
  return (await drawElements(element, wanted)) as Uint8Array<ArrayBuffer>;
}

let inter: Promise<readonly OgFont[]> | null = null;

function defaultFonts(): Promise<readonly OgFont[]> {
  inter ??= import('./edge/og/default-font.ts').then(({ defaultFont }) => [defaultFont()]);
  return inter;
}

/** The picture depends on its address alone, so browsers and caches may keep it for a year. */
const CACHED = 'public, immutable, no-transform, max-age=31536000';

export class ImageResponse extends Response {
  /** @param element drawn when the body is read; an error while drawing errors the stream */
  constructor(element: OgElement, { status, statusText, headers, ...options }: ImageResponseOptions = {}) {
    const body = new ReadableStream({
      async start(controller) {
        try {
          controller.enqueue(await renderElement(element, options));
          controller.close();
        } catch (error) {
          controller.error(error);
        }
      },
    });
    const all = new Headers({ 'content-type': 'image/png', 'cache-control': CACHED });
    new Headers(headers).forEach((value, name) => {
      all.set(name, value);
    });
    super(body, {
      headers: all,
      ...(status !== undefined && { status }),
      ...(statusText !== undefined && { statusText }),
    });
  }
}
