// Replacements for what published examples need from outside: pictures, fonts, texts, files.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const ROOT = join(import.meta.dirname, '../..');
const inter = (face: string) =>
  readFileSync(join(ROOT, `node_modules/@expo-google-fonts/inter/${face}/Inter_${face}.ttf`));
export const REGULAR = inter('400Regular');
export const BOLD = inter('700Bold');
const PHOTO = readFileSync(join(ROOT, 'fixtures/assets/photo.jpg'));
const PNG_PHOTO = new Uint8Array(await sharp(PHOTO).png().toBuffer());
const EMOJI =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="17" fill="#dd2e44"/></svg>';

/** Every property is a few words. */
const WORDS = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : `A ${String(name)} of somebody`) });

class StandIn extends Response {
  override json = async () => WORDS;
}

/** Answers in place of the network, depending on the URL. */
export function imagePlaceholder(url: string): Response {
  if (/fonts\.googleapis\.com/.test(url)) {
    return new StandIn("src: url(https://fonts.gstatic.com/stand-in.ttf) format('truetype')");
  }
  if (/\.(ttf|otf|woff2?)\b/i.test(url)) return new StandIn(BOLD);
  if (/\.svg\b|emoji/i.test(url)) return new StandIn(EMOJI, { headers: { 'content-type': 'image/svg+xml' } });
  if (/\.png\b/.test(url)) return new StandIn(PNG_PHOTO, { headers: { 'content-type': 'image/png' } });
  return new StandIn(PHOTO, { headers: { 'content-type': 'image/jpeg' } });
}

/** A fetch that tries the network first, unless `offline`. */
export function fetchOrStandIn(network: typeof fetch, offline: boolean): typeof fetch {
  return async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (url.startsWith('data:')) return network(input, init);
    if (url.startsWith('file:'))
      return readFile(new URL(url)).then(
        (bytes) => new Response(bytes),
        () => imagePlaceholder(url),
      );
    if (offline) return imagePlaceholder(url);
    return network(input, init).then(
      (answer) => (answer.ok ? answer : imagePlaceholder(url)),
      () => imagePlaceholder(url),
    );
  };
}

/** Properties of components, by the names that the examples use. */
export const PROPS: Readonly<Record<string, unknown>> = {
  title: 'A renderer without a browser',
  description: 'It reads a template, fills in what is new, and draws it in a few milliseconds, on a server of yours.',
  author: 'Ada Lovelace',
  date: '24 October 2026',
  category: 'Engineering',
  version: 'v2.4.0',
  headline: 'Faster fonts, leaner core',
  name: 'Drawing on the server',
  track: 'Workshop',
  datetime: 'Thursday, 10:00',
  location: 'Online',
  hostName: 'Grace Hopper',
  hostTitle: 'Rear admiral',
  site: 'Platen',
  primaryColor: 'hsla(354, 90%, 54%, 0.3)',
  primaryTextColor: 'hsl(354, 90%, 60%)',
  bullets: [
    { tag: 'New', text: 'One call for fonts' },
    { tag: 'Fixed', text: 'Where emoji stand' },
  ],
};

/** Modules of a project around an example, and of its framework, by the name in its imports. */
export const MODULES: Readonly<Record<string, object>> = {
  '@/app/lib/data': { getPost: async () => PROPS },
  '@/app/utils/images': { getOGImages: async () => [PROPS], getCaptionForImage: async () => PROPS.title },
  '@/app-config': { APP_CONFIG_DEFAULTS: { pageTitle: 'Voice agent', logoDark: 'public/logo-dark.svg' } },
  '@/lib/utils': { getAppConfig: async () => ({ pageTitle: PROPS.title, logo: 'public/logo.svg' }) },
  '@/lib/source': { source: { getPage: () => ({ data: PROPS }), getPages: () => [] } },
  '@/lib/metadata': {},
  '@/lib/shared': { appName: PROPS.site },
  'next/headers': { headers: async () => new Headers() },
  'next/navigation': { notFound: () => {} },
  'buffer-image-size': () => ({ width: 36, height: 36 }),
  clsx: (...names: readonly unknown[]) => names.join(' '),
  mime: { getType: () => 'image/svg+xml' },
  bun: { serve: ({ fetch: answer }: { fetch: () => unknown }) => answer() },
};
