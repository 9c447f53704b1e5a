// `import { ImageResponse } from 'platen/og'`: a Response with a picture of JSX, with the interface of @vercel/og.

import { CONTENT_TYPE } from '#draw/output/formats.ts';
import { checkedOptions, type EdgeOutput } from './edge/encode-picture.ts';
import { type DrawElementsOptions, drawElements, type OgFont } from './edge/og/draw-elements.ts';
import { EMOJI_SETS, type EmojiSet, loadEmoji } from './edge/og/emoji.ts';
import { loadFonts, type OgFonts } from './edge/og/given-fonts.ts';
import { hasEmoji, type PlainNode, plainTree } from './edge/og/plain-tree.ts';

export type { EdgeOutput } from './edge/encode-picture.ts';
export type { OgFont } from './edge/og/draw-elements.ts';
export type { EmojiSet } from './edge/og/emoji.ts';
export type { OgFontDescription, OgFontEntry, OgFonts } from './edge/og/given-fonts.ts';

/** A React element, or one of any library that creates `{ type, props }`. */
export type OgElement = unknown;

export interface ImageOptions {
  /** px, 1 to 4096. Default: 1200. */
  readonly width?: number | undefined;
  /** px, 1 to 4096. Default: 630. */
  readonly height?: number | undefined;
  /** Default: the Latin letters of Inter, regular. */
  readonly fonts?: OgFonts | undefined;
  /** The emoji picture set, which is fetched. Default: `twemoji`. */
  readonly emoji?: EmojiSet | undefined;
  /** Default: `png`. */
  readonly format?: EdgeOutput | undefined;
  /** JPEG and WebP, 1 to 100. Default: 80. */
  readonly quality?: number | undefined;
  /** Draws the boxes of elements. Default: false. */
  readonly debug?: boolean | undefined;
  /** CSS for the classes of the elements, as takumi has it, at most 200,000 characters; without addresses. */
  readonly stylesheets?: readonly string[] | undefined;
  /** The same, by takumi's newer name: a sheet, or several. */
  readonly css?: string | readonly string[] | undefined;
  /**
   * Whether `class`, `className` and `tw` take the classes of Tailwind CSS 4, with its base styles. Default: whether a
   * style sheet has `@theme`. If not, `tw` takes those of Tailwind 3, as @vercel/og has them.
   */
  readonly tailwind?: boolean | undefined;
  /**
   * `satori` lays elements out as @vercel/og does; `platen`, Platen's own engine, as browsers do, but for sizes, which have
   * padding and borders in both. Trees with a table, or with `tailwind`, are always laid out by it. Default: `satori`.
   */
  readonly renderer?: 'satori' | 'platen' | undefined;
  /**
   * Called with a sentence for each emoji whose picture cannot be fetched, for what a picture has and is not shown, and for
   * each option that is ignored. Default: `console.warn`.
   */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

export interface ImageResponseOptions extends ImageOptions {
  readonly status?: number | undefined;
  readonly statusText?: string | undefined;
  readonly headers?: HeadersInit | undefined;
}

/** Renders the element as a file of `format`. @throws Error whose message says what could not be drawn or loaded */
export async function renderElement(element: OgElement, options: ImageOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  return renderTree(await plainTree(element), options);
}

async function renderTree(tree: readonly PlainNode[], options: ImageOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { width = 1200, height = 630, debug = false, emoji = 'twemoji', renderer = 'satori' } = options;
  const fonts = await (options.fonts === undefined ? defaultFonts() : loadFonts(options.fonts));
  const { onWarning = (warning) => console.warn(`platen/og: ${warning}`), stylesheets = [], css = [] } = options;
  const sheets = [...stylesheets, ...(typeof css === 'string' ? [css] : css)];
  if (!sheets.every((sheet) => typeof sheet === 'string')) {
    throw new Error('css: must be a style sheet or a list of them, as text; write rules as text.');
  }
  const { tailwind = sheets.some((sheet) => sheet.includes('@theme')) } = options;
  for (const name of Object.keys(options)) {
    if (!OPTIONS.has(name)) onWarning(`The option ${JSON.stringify(name.slice(0, 80))} is not known and was ignored.`);
  }
  if (!EMOJI_SETS.includes(emoji)) throw new Error(`emoji: must be one of ${EMOJI_SETS.join(', ')}.`);
  if (renderer !== 'satori' && renderer !== 'platen') throw new Error('renderer: must be "satori" or "platen".');
  const load = (each: string) => loadEmoji(emoji, each, onWarning);
  const encoding = checkedOptions({ output: options.format, quality: options.quality }, 'format');
  const wanted: DrawElementsOptions = {
    width,
    height,
    debug,
    fonts,
    stylesheets: sheets,
    tailwind,
    renderer,
    emoji: load,
    onWarning,
    ...encoding,
  };
  return (await drawElements(tree, wanted)) as Uint8Array<ArrayBuffer>;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof ImageOptions>([
  'width',
  'height',
  'fonts',
  'emoji',
  'format',
  'quality',
  'debug',
  'stylesheets',
  'css',
  'tailwind',
  'renderer',
  'onWarning',
]);

let inter: Promise<readonly OgFont[]> | null = null;

function defaultFonts(): Promise<readonly OgFont[]> {
  inter ??= import('./edge/og/default-font.ts').then(({ defaultFont }) => [defaultFont()]);
  return inter;
}

/** The picture depends on its address alone, so browsers and caches may keep it for a year. */
const CACHED = 'public, immutable, no-transform, max-age=31536000';
/** For a picture that may lack an emoji: headers are sent before its emoji are fetched. */
const CACHED_BRIEFLY = 'public, no-transform, max-age=3600';

export class ImageResponse extends Response {
  /**
   * @param element its components are called at once; it is drawn when the body is read, and an error while drawing
   *   errors the stream
   */
  constructor(element: OgElement, { status, statusText, headers, ...options }: ImageResponseOptions = {}) {
    let tree: ReturnType<typeof plainTree>;
    try {
      tree = plainTree(element);
    } catch (error) {
      tree = Promise.reject(error);
    }
    // A format that there is not is refused when the picture is drawn, as all options are.
    const type = CONTENT_TYPE[options.format ?? 'png'] ?? CONTENT_TYPE.png;
    const isComplete = !(tree instanceof Promise) && !hasEmoji(tree);
    const body = new ReadableStream({
      async start(controller) {
        try {
          controller.enqueue(await renderTree(await tree, options));
          controller.close();
        } catch (error) {
          controller.error(error);
        }
      },
    });
    const all = new Headers({ 'content-type': type, 'cache-control': isComplete ? CACHED : CACHED_BRIEFLY });
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
