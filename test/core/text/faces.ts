// Loads faces for the text tests directly from their packages, and makes text nodes with default properties.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAIN_NODE } from '#core/resolve/plain-node.ts';
import { PLAIN_STYLE, PLAIN_TEXT } from '#core/resolve/plain-text.ts';
import type { CharacterStyle, TextNode } from '#core/resolve/scene.ts';
import { FontFace } from '#core/text/font-face.ts';
import { type FontQuery, FontSet, fontQueryKey, type MatchedFace } from '#core/text/font-set.ts';
import { layOutText, prepareText } from '#core/text/lay-out-text.ts';
import type { Paragraph } from '#core/text/paragraph.ts';

const PACKAGES = join(import.meta.dirname, '../../../node_modules/@expo-google-fonts');
const FILES = {
  inter: 'inter/400Regular/Inter_400Regular.ttf',
  'inter-bold': 'inter/700Bold/Inter_700Bold.ttf',
  'noto-sans': 'noto-sans/400Regular/NotoSans_400Regular.ttf',
  serif: 'source-serif-4/400Regular/SourceSerif4_400Regular.ttf',
  mono: 'jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf',
  playfair: 'playfair-display/400Regular/PlayfairDisplay_400Regular.ttf',
  arabic: 'noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
  hebrew: 'noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf',
  devanagari: 'noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf',
  thai: 'noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf',
  armenian: 'noto-sans-armenian/400Regular/NotoSansArmenian_400Regular.ttf',
  bengali: 'noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf',
  georgian: 'noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular.ttf',
  khmer: 'noto-sans-khmer/400Regular/NotoSansKhmer_400Regular.ttf',
  lao: 'noto-sans-lao/400Regular/NotoSansLao_400Regular.ttf',
  myanmar: 'noto-sans-myanmar/400Regular/NotoSansMyanmar_400Regular.ttf',
  tamil: 'noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf',
  japanese: 'noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
  korean: 'noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf',
  chinese: 'noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  symbols: 'noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf',
  emoji: 'noto-color-emoji/400Regular/NotoColorEmoji_400Regular.ttf',
} as const;
export type FaceName = keyof typeof FILES;

export const fontPath = (name: FaceName): string => join(PACKAGES, FILES[name]);
export const hasFont = (name: FaceName): boolean => existsSync(fontPath(name));

const loaded = new Map<FaceName, FontFace>();
export function face(name: FaceName): FontFace {
  let found = loaded.get(name);
  if (!found) {
    const bytes = readFileSync(fontPath(name));
    found = new FontFace({ key: name, family: name, weight: 400, style: 'normal', bytes, variations: {} });
    loaded.set(name, found);
  }
  return found;
}

export const match = (name: FaceName, slant = 0): MatchedFace => ({ face: face(name), slant });
export const query = (...families: FaceName[]): FontQuery => ({
  families,
  weight: 400,
  style: 'normal',
  variations: {},
  lang: null,
});

export function style(more: Partial<CharacterStyle> = {}): CharacterStyle {
  return {
    font: query('inter'),
    fontSize: 16,
    ...PLAIN_STYLE,
    ...more,
  };
}

/** A font set in which each style's families resolve to the faces of those names. */
export function fontSet(...styles: CharacterStyle[]): FontSet {
  return new FontSet(
    new Map(styles.map(({ font }) => [fontQueryKey(font), font.families.map((name) => match(name as FaceName))])),
  );
}

export function textNode(text: string | TextNode['spans'], more: Partial<TextNode> = {}): TextNode {
  const none = { kind: 'px', value: 0 } as const;
  return {
    ...PLAIN_NODE,
    ...PLAIN_TEXT,
    name: 'text',
    placement: { ...PLAIN_NODE.placement, width: none, height: none },
    align: 'start',
    hyphens: 'manual',
    spans: typeof text === 'string' ? [{ text, style: style(), link: null, counter: null, image: null }] : text,
    strut: (typeof text === 'string' ? null : text[0]?.style) ?? style(),
    ...more,
  };
}

export function layOut(node: TextNode, width: number | null, height: number | null = null): Paragraph {
  return layOutText(prepareText(node, fontSet(node.strut, ...node.spans.map((span) => span.style))), width, height);
}

/** The text of each line, in logical order. */
export function linesOf(node: TextNode, paragraph: Paragraph): string[] {
  const text = node.spans.map((span) => span.text).join('');
  return paragraph.lines.map((line) => text.slice(line.start, line.end));
}
