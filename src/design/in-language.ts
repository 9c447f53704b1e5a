// A template in another language: the texts that it has for it, and the language of its layers and formats.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { FrameLayer, Layer } from '#core/template/layer.ts';
import { isRightToLeft } from '#core/template/right-to-left.ts';
import { type Template, walkLayers } from '#core/template/template.ts';
import { formatPath } from '#core/template/validation.ts';
import { type Changes, changeLayers } from './change-layers.ts';

/**
 * Layers without a text for the language keep their own, in the template’s language, and are reported.
 *
 * @param lang BCP 47
 */
export function inLanguage(template: Template, lang: string, diagnostics: Diagnostic[]): Template {
  const { texts = {}, lang: own } = template;
  const changes: Map<string, { value: unknown; path: string }> = new Map();
  const untranslated = new Set<string>();
  for (const [name, byLanguage] of Object.entries(texts)) {
    const tag = lookUp(lang, Object.keys(byLanguage));
    if (tag !== null && saysSomething(byLanguage[tag]))
      changes.set(name, { value: byLanguage[tag], path: formatPath('texts', [name, tag]) });
    else if ((own === undefined || !isSameLanguage(own, lang)) && isTranslated(byLanguage)) untranslated.add(name);
  }
  for (const name of untranslated) diagnostics.push(notTranslated(name, lang));
  if (isWithoutEffect(template, lang)) diagnostics.push(noTexts(lang));
  const changed = changeLayers(template.layers, changes, diagnostics);
  const layers = changed.map((layer) => spoken(layer, { changes, untranslated, lang, own }));
  return { ...template, lang, layers: isRightToLeft(lang) ? layers.map(mirrored) : layers };
}

/** Whether a translation is one: with `{}` a language is begun, and has no words yet. */
export const saysSomething = (translation: unknown): boolean =>
  typeof translation !== 'object' || translation === null || Object.keys(translation).length > 0;

const CONTENTS = ['text', 'spans', 'value', 'src'];

/** Whether other languages give a layer other contents, and not only another look. */
function isTranslated(byLanguage: Readonly<Record<string, unknown>>): boolean {
  const said = Object.values(byLanguage).filter(saysSomething);
  return (
    said.length === 0 || said.some((one) => typeof one === 'string' || CONTENTS.some((name) => name in Object(one)))
  );
}

/** Whether the language is another than the template's own, and changes neither words nor how values are written. */
function isWithoutEffect({ texts, lang: own, layers }: Template, lang: string): boolean {
  if (texts !== undefined || (own !== undefined && isSameLanguage(own, lang)) || isRightToLeft(lang)) return false;
  return [...walkLayers(layers)].every(({ layer }) => isLikeAnywhere(layer));
}

/** Whether it looks the same in each language, where its words are no others. */
function isLikeAnywhere(layer: Layer): boolean {
  switch (layer.type) {
    case 'text':
      return layer.format === null && layer.hyphens !== 'auto';
    case 'table':
    case 'chart':
      return false;
    case 'image':
    case 'shape':
    case 'frame':
    case 'qr':
    case 'barcode':
      return true;
  }
}

/** RFC 4647, 3.4: the longest of `known` that `range` begins with, part by part; null = none. */
export function lookUp(range: string, known: readonly string[]): string | null {
  const byTag = new Map(known.map((tag) => [tag.toLowerCase(), tag]));
  const parts = range.toLowerCase().split('-');
  while (parts.length > 0) {
    const found = byTag.get(parts.join('-'));
    if (found !== undefined) return found;
    parts.pop();
    // A single letter only introduces what follows it.
    if (parts.at(-1)?.length === 1) parts.pop();
  }
  return null;
}

const isSameLanguage = (own: string, wanted: string) =>
  lookUp(wanted, [own]) !== null || lookUp(own, [wanted]) !== null;

interface Speaking {
  readonly changes: Changes;
  readonly untranslated: ReadonlySet<string>;
  readonly lang: string;
  readonly own: string | undefined;
}

/** A translated text is in the new language, whatever its layer says; an untranslated one stays in the old one. */
function spoken(layer: Layer, speaking: Speaking): Layer {
  if (layer.type === 'frame') return { ...layer, children: layer.children.map((child) => spoken(child, speaking)) };
  if (layer.type !== 'text') return layer;
  const { changes, untranslated, lang, own } = speaking;
  if (changes.has(layer.name)) return { ...layer, lang };
  return untranslated.has(layer.name) && layer.lang === null && own !== undefined ? { ...layer, lang: own } : layer;
}

/** Of frames that say nothing of it, the direction follows the language; inner ones follow outer ones. */
function mirrored(layer: Layer): Layer {
  return layer.type === 'frame' && layer.direction === null ? ({ ...layer, direction: 'rtl' } as FrameLayer) : layer;
}

const noTexts = (lang: string): Diagnostic => ({
  code: 'untranslated',
  layer: null,
  message: `The template has no texts in ${lang}: its words stay as they are.`,
});

const notTranslated = (layer: string, lang: string): Diagnostic => ({
  code: 'untranslated',
  layer,
  message: `Layer ${JSON.stringify(layer)} has no text in ${lang}; it keeps its own.`,
});
