// Loads faces of the account into the page under generated names, to show a family in its own font.

import { computed } from '@preact/signals';
import { apiPath, send } from '../../shell/api.ts';
import type { FontFace as StoredFace } from '../../shell/contract.ts';
import { language } from '../../texts/language.ts';

const loading = new Map<string, Promise<string>>();

/** Returns the name for `font-family` once the face is loaded. Each face is loaded once, also for concurrent calls. */
export function loadFace(accountId: string, { id }: StoredFace): Promise<string> {
  const known = loading.get(id);
  if (known) return known;
  const family = `studio-face-${loading.size + 1}`;
  const promise = send('GET', apiPath('accounts', accountId, 'fonts', 'faces', id))
    .then((response) => response.arrayBuffer())
    .then((bytes) => new FontFace(family, bytes).load())
    .then((face) => {
      document.fonts.add(face);
      return family;
    });
  loading.set(id, promise);
  return promise;
}

/** The face closest to weight 400 and upright. */
export function plainestFace(faces: readonly StoredFace[]): StoredFace | undefined {
  const distance = ({ weight, style }: StoredFace) =>
    Math.abs((typeof weight === 'number' ? weight : 400) - 400) + (style === 'normal' ? 0 : 1_000);
  return [...faces].sort((a, b) => distance(a) - distance(b))[0];
}

/** Sample words of a script, for a specimen. */
const WORDS: Readonly<Record<string, string>> = {
  Arab: 'أبجد هوز حطي كلمن',
  Armn: 'Բարեւ աշխարհ',
  Beng: 'বাংলা বর্ণমালা',
  Cyrl: 'Съешь ещё этих булок',
  Deva: 'देवनागरी लिपि',
  Geor: 'ქართული ანბანი',
  Grek: 'Ξεσκεπάζω την ψυχοφθόρα',
  Hang: '다람쥐 헌 쳇바퀴에',
  Hans: '天地玄黄 宇宙洪荒',
  Hant: '天地玄黃 宇宙洪荒',
  Hani: '天地玄黃 宇宙洪荒',
  Hebr: 'דג סקרן שט בים',
  Hira: 'いろはにほへと',
  Jpan: 'いろはにほへと ちりぬるを',
  Khmr: 'អក្សរខ្មែរ',
  Kore: '다람쥐 헌 쳇바퀴에',
  Laoo: 'ອັກສອນລາວ',
  Mymr: 'မြန်မာအက္ခရာ',
  Taml: 'தமிழ் எழுத்து',
  Thai: 'อักษรไทย ภาษาไทย',
};

/** @param scripts as ISO 15924 codes or names */
export function specimenOf(scripts: readonly string[], isEmoji: boolean): string {
  if (isEmoji) return '😀 🚀 🌿 🎈 ☕ 🐙 🏔️ ✨';
  if (scripts.length === 0 || scripts.some((one) => /^latn|^latin/i.test(one)))
    return 'Sphinx of black quartz, judge my vow';
  const found = scripts.map((one) => WORDS[one] ?? WORDS[one.slice(0, 4)]).find((text) => text !== undefined);
  return found ?? 'Sphinx of black quartz, judge my vow';
}

const names = computed(() => new Intl.DisplayNames(language.value, { type: 'script' }));

/** `Hebrew` for `Hebr`; anything that is not a script code is returned unchanged. */
export const scriptName = (code: string): string =>
  /^[A-Z][a-z]{3}$/.test(code) ? (names.value.of(code) ?? code) : code;
