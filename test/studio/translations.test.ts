// Tests that each language of the studio is complete, and that translators get all texts and can give them back.

import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allTexts, exportTexts, importTexts, problemsIn, problemsOf, readCatalog } from '../../scripts/studio/texts.ts';
import { ago, bytes, decimal } from '../../src/studio/shell/format.ts';
import { texts as editorTexts } from '../../src/studio/texts/editor.ts';
import { data } from '../../src/studio/texts/en/data.ts';
import { editor } from '../../src/studio/texts/en/editor.ts';
import { pages } from '../../src/studio/texts/en/pages.ts';
import { shell } from '../../src/studio/texts/en/shell.ts';
import { LANGUAGES, type Language, language } from '../../src/studio/texts/language.ts';
import { textsOf } from '../../src/studio/texts/message.ts';
import { texts as pagesTexts } from '../../src/studio/texts/pages.ts';
import { warningText } from '../../src/studio/texts/room.ts';
import { texts as shellTexts } from '../../src/studio/texts/shell.ts';
import { showLanguage } from '../../src/studio/texts/show-language.ts';

const FOLDER = join(import.meta.dirname, '../../src/studio/texts');
const ROOT = join(import.meta.dirname, '../..');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const TEXTS = allTexts();

test('each language has a file, and each file is a language that can be chosen', () => {
  expect(FILES.map((name) => name.slice(0, -'.json'.length)).sort()).toEqual(
    Object.keys(LANGUAGES)
      .filter((lang) => lang !== 'en')
      .sort(),
  );
});

test.each(FILES)('%s has all texts, with their values and forms', (file) => {
  const catalog = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  expect(problemsIn(file.slice(0, -'.json'.length), catalog, TEXTS)).toEqual([]);
});

test.each(FILES)('%s quotes braces only in sentences with values, where they are read', (file) => {
  expect(readFileSync(join(FOLDER, file), 'utf8').match(/"[\w-]+": ".*'[{}]'.*"/g)).toBe(null);
});

/** Values of each kind that a sentence may get, in turn. */
const SAMPLES: readonly (readonly unknown[])[] = [
  [1, 1, 1, 1, 1],
  [0, 1_234.5, 3, 4, 5],
  [12_345, 2, 'x', 1, 2],
  ['A name', 1, 'Third', 4, 5],
  [null, 3, '', 4, 5],
  [null, null, null, 4, 5],
  [['a', 'b'], 1, 2, 3, 4],
];

test('the message that translators get of a text says what the text says', () => {
  expect(language.value).toBe('en');
  const said = (path: readonly string[], texts: object): unknown =>
    path.reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], texts);
  const sentences = TEXTS.filter(({ values, path: [room] }) => values !== null && room !== 'warnings');
  const messages = (text: (typeof TEXTS)[number]) => textsOf({ [`text(${text.values?.join(', ')})`]: text.message });
  let compared = 0;
  for (const text of sentences) {
    const own = said(text.path, { data, editor, pages, shell }) as (...values: readonly unknown[]) => string;
    const written = messages(text).text as unknown as typeof own;
    for (const sample of SAMPLES) {
      let expected: string;
      try {
        expected = own(...sample);
      } catch {
        continue;
      }
      // A value of another kind than the text is for.
      if (typeof expected !== 'string' || /null|undefined|NaN|a,b/.test(expected)) continue;
      if (sample.some((one) => one === null) && !/null/.test(own.toString())) continue;
      compared++;
      expect(written(...sample), text.id).toBe(expected);
    }
  }
  expect(sentences.length).toBeGreaterThan(250);
  expect(compared).toBeGreaterThan(1_000);
});

const RENDERS = TEXTS.find(({ id }) => id === 'pages.settings.renders');

test('a value that is missing, unknown or has no form of the language is named', () => {
  expect(RENDERS?.message).toBe('{renders, plural, one {# render} other {# renders}}');
  const check = (text: string, ...problems: readonly string[]) =>
    expect(RENDERS && problemsOf(RENDERS, text, 'pl')).toEqual(problems);
  check('{renders, plural, one {# obraz} few {# obrazy} many {# obrazów} other {# obrazu}}');
  check(
    '{renders, plural, one {# obraz} other {# obrazów}}',
    'lacks the form “few” of {renders, plural}',
    'lacks the form “many” of {renders, plural}',
  );
  check('obrazy', 'lacks the value {renders}');
  check('{renders} {obrazy}', 'has the value {obrazy}, which the English text has not');
  check('{renders, plural, one {#}}', 'the case “other” is missing at character 26 of “{renders, plural, one {#}}”');
  check('{renders', '“}” is missing at character 9 of “{renders”');
  check('', 'is empty');
});

test('a language without texts is exported, translated and imported, with what is still to do', () => {
  const empty = exportTexts('pl', {}, TEXTS);
  expect(empty.match(/<trans-unit/g)).toHaveLength(TEXTS.length);
  expect(empty).not.toContain('<target');
  const translate = (id: string, target: string) => (file: string) =>
    file.replace(new RegExp(`(<trans-unit id="${id}"[^]*?</source>)`), `$1<target>${target}</target>`);
  const file = [
    translate('shell.common.cancel', 'Anuluj'),
    translate(
      'pages.settings.renders',
      '{renders, plural, one {# obraz} few {# obrazy} many {# obrazów} other {# obrazu}}',
    ),
    translate('shell.parts.copy', 'Kopiuj'),
    (whole: string) =>
      whole
        .replace('id="shell.parts.copied"', 'id="shell.parts.copiedd"')
        .replace('<source>Copied</source>', '<source>Copied</source><target>Skopiowano</target>'),
  ].reduce((whole, edit) => edit(whole), empty);
  const { lang, catalog, problems } = importTexts(file, TEXTS);
  expect(lang).toBe('pl');
  const polish = JSON.parse(catalog);
  expect(polish.shell).toEqual({ common: { cancel: 'Anuluj' } });
  expect(problems).toContain('shell.parts.copy lacks the value {label}');
  expect(problems).toContain('shell.parts.copiedd is no text of the studio');
  expect(problems).toContain('shell.parts.close is missing');
  expect(problems.filter((line) => line.endsWith('is missing'))).toHaveLength(TEXTS.length - 3);
  language.value = 'pl' as Language;
  const { renders } = textsOf(polish.pages.settings) as unknown as { renders: (renders: number) => string };
  expect([1, 3, 12].map(renders)).toEqual(['1 obraz', '3 obrazy', '12 obrazów']);
  language.value = 'en';
});

test('the interface speaks French: words, numbers, times and sizes', async () => {
  await showLanguage('fr');
  expect(shellTexts.value.common.cancel).toBe('Annuler');
  expect(pagesTexts.value.templates.chosen(1)).toBe('1 modèle choisi');
  expect(pagesTexts.value.templates.deleted(null, 12)).toBe('12 modèles supprimés');
  expect(editorTexts.value.panels.changedBy(null, '9:12')).toBe('Quelqu’un a enregistré ce modèle à 9:12.');
  expect(bytes(182_000)).toBe('182 Ko');
  expect(decimal(1.5)).toBe('1,5');
  expect(ago(new Date(Date.now() - 185_000).toISOString())).toBe('il y a 3\u00a0min');
  await showLanguage('en');
  expect(pagesTexts.value.templates.chosen(1)).toBe('1 template chosen');
});

test('a warning of a render is shown in the language of the interface, with its names', async () => {
  await showLanguage('de');
  const check = (warning: string, shown: string) => expect(warningText(warning)).toBe(shown);
  check(
    'Layer "a \\"b\\": c": its text does not fit and is cut: the rest is left out.',
    'Ebene „a \\"b\\": c“: Der Text hat keinen Platz und ist abgeschnitten; der Rest fehlt.',
  );
  check(
    'The template has no layer "titel"; did you mean "title"?',
    'Die Vorlage hat keine Ebene „titel“; gemeint ist vielleicht „title“.',
  );
  check('+12 more', 'und 12 weitere');
  check(
    'Font family "Helvetika" is not known; there are "Inter", "Lora" and 11 more.',
    'Die Schriftfamilie „Helvetika“ ist unbekannt; es gibt "Inter", "Lora" und 11 weitere.',
  );
  check('A sentence that the studio does not know.', 'A sentence that the studio does not know.');
  await showLanguage('en');
  check('+12 more', '+12 more');
});

test('each warning that the canvas writes in English is one that the studio translates', async () => {
  await showLanguage('fr');
  const compositor = readFileSync(join(ROOT, 'src/studio/editor/core/scene/compositor.ts'), 'utf8');
  const sentences = [...compositor.matchAll(/`(Image of layer (?:\\`|[^`])*)`/g)].map(([, words = '']) =>
    words
      .replaceAll('\\`', '`')
      .replace(/\$\{[^}]*\}/, '"photo"')
      .replaceAll(/\$\{[^}]*\}/g, 'why.'),
  );
  expect(sentences).toHaveLength(2);
  for (const sentence of sentences) expect(warningText(sentence)).not.toBe(sentence);
  await showLanguage('en');
});

test('the longest part of each warning that the studio translates is written by what draws', () => {
  const sources = globSync('src/{core,draw,design,server}/**/*.ts', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const partOf = (message: string) =>
    message
      .split(/\{\w+\}|[:;,."]|the canvas|the frame|its own box|\b(?:is|are|was)\b/)
      .map((part) => part.trim())
      .toSorted((one, other) => other.length - one.length)[0] ?? '';
  const messages = TEXTS.filter(({ path: [room] }) => room === 'warnings').map(({ message }) => message);
  expect(messages.length).toBeGreaterThan(30);
  expect(messages.filter((message) => !sources.some((text) => text.includes(partOf(message))))).toEqual([]);
});

test('a language that was exported is imported as it was', () => {
  for (const file of FILES) {
    const lang = file.slice(0, -'.json'.length);
    const catalog = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
    const back = importTexts(exportTexts(lang, catalog, TEXTS), TEXTS);
    expect(back.problems).toEqual([]);
    expect(readCatalog(JSON.parse(back.catalog))).toEqual(readCatalog(catalog));
  }
});

test('German addresses nobody', () => {
  const address = /\p{L}en Sie\b|; Sie\b|\bIhnen\b|\p{Ll},? Ihr(?:e[mnrs]?)?\b|\b(?:du|dich|dir|deine?[mnrs]?)\b/u;
  const found: string[] = [];
  const visit = (texts: unknown, path: string): void => {
    if (typeof texts === 'string') {
      if (address.test(texts)) found.push(`${path}: ${texts}`);
    } else for (const [key, inner] of Object.entries(texts as object)) visit(inner, `${path}.${key}`);
  };
  visit(JSON.parse(readFileSync(join(FOLDER, 'de.json'), 'utf8')), 'de');
  expect(found).toEqual([]);
});
