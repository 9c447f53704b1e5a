// A text layer's words and styles as spans: each complete in itself, nothing inherited.

import type { TextLayer } from '../template/layer.ts';
import { resolveFill } from './resolve-style.ts';
import type { CharacterStyle, TextSpan } from './scene.ts';

type StoredStyle = Pick<
  TextLayer,
  | 'fontFamily'
  | 'fontWeight'
  | 'fontStyle'
  | 'fontSize'
  | 'lineHeight'
  | 'letterSpacing'
  | 'wordSpacing'
  | 'textTransform'
  | 'textDecoration'
  | 'fontFeatures'
  | 'fontVariations'
  | 'color'
  | 'stroke'
  | 'strokeWidth'
  | 'lang'
>;

export function resolveCharacterStyle(style: StoredStyle): CharacterStyle {
  return {
    font: {
      families: [style.fontFamily].flat(),
      weight: style.fontWeight,
      style: style.fontStyle,
      variations: style.fontVariations,
      lang: style.lang,
    },
    fontSize: style.fontSize,
    lineHeight: style.lineHeight,
    letterSpacing: style.letterSpacing,
    wordSpacing: style.wordSpacing,
    textTransform: style.textTransform,
    decoration: style.textDecoration,
    features: style.fontFeatures,
    fill: resolveFill(style.color),
    stroke:
      style.stroke === null || style.strokeWidth === 0
        ? null
        : { fill: resolveFill(style.stroke), width: style.strokeWidth },
    lang: style.lang,
  };
}

/** At least one span; the layer's own style for plain text. */
export function resolveSpans(layer: TextLayer): readonly TextSpan[] {
  if (layer.spans === null || layer.spans.length === 0) {
    return [{ text: layer.text, style: resolveCharacterStyle(layer), link: null }];
  }
  return layer.spans.map(({ text, link, ...own }) => {
    const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
    return { text, style: resolveCharacterStyle({ ...layer, ...given }), link: link ?? null };
  });
}
