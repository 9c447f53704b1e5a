// Loads emoji pictures from the same sources as @vercel/og: four sets of SVG files on public CDNs.

import { base64Of } from '#base/runtime.ts';
import { fetchBytes } from './tree-pictures.ts';

const SVGMOJI = 'https://cdn.jsdelivr.net/npm/@svgmoji';

/** By set, the address of an emoji, given its code points in hexadecimal, joined by hyphens. */
const SETS = {
  twemoji: (codes: string) => `https://cdnjs.cloudflare.com/ajax/libs/twemoji/14.0.2/svg/${codes}.svg`,
  openmoji: (codes: string) => `${SVGMOJI}/openmoji@2.0.0/svg/${codes.toUpperCase()}.svg`,
  blobmoji: (codes: string) => `${SVGMOJI}/blob@2.0.0/svg/${codes.toUpperCase()}.svg`,
  noto: (codes: string) => `${SVGMOJI}/noto@2.0.0/svg/${codes.toUpperCase()}.svg`,
} as const;

export type EmojiSet = keyof typeof SETS;
export const EMOJI_SETS = Object.keys(SETS) as readonly EmojiSet[];

/** Most cached emoji, some 2 KB each. */
const KEPT = 500;
const kept = new Map<string, Promise<string>>();

/** The file name that twemoji uses: without the emoji variation selector, except in joined sequences. */
function codesOf(emoji: string): string {
  const isJoined = emoji.includes('\u200d');
  const characters = [...emoji].filter((character) => isJoined || character !== '\ufe0f');
  return characters.map((character) => (character.codePointAt(0) ?? 0).toString(16)).join('-');
}

/**
 * Returns an emoji as a `data:` address, or null when it cannot be loaded: it is then drawn with a font, or not at all.
 *
 * @param onWarning called with a sentence when it cannot be loaded
 */
export async function loadEmoji(
  set: EmojiSet,
  emoji: string,
  onWarning: (warning: string) => void,
): Promise<string | null> {
  try {
    return await emojiAt(SETS[set](codesOf(emoji)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    onWarning(`The emoji ${emoji} has no picture: ${reason}`);
    return null;
  }
}

function emojiAt(address: string): Promise<string> {
  const known = kept.get(address);
  if (known) return known;
  const loading = fetchBytes(address).then((bytes) => `data:image/svg+xml;base64,${base64Of(bytes)}`);
  // The next picture may ask again: a failure is often that of a moment.
  loading.catch(() => {
    if (kept.get(address) === loading) kept.delete(address);
  });
  if (kept.size >= KEPT) kept.clear();
  kept.set(address, loading);
  return loading;
}
