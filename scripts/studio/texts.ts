// The texts of the studio for translators:
//
//   node scripts/studio/texts.ts check                what each language lacks, and what is wrong
//   node scripts/studio/texts.ts export pl -o pl.xlf  the English texts with those of the language, as XLIFF 1.2
//   node scripts/studio/texts.ts import pl.xlf        checks them and writes src/studio/texts/pl.json

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readXliff } from '#design/xliff.ts';
import { type Catalog, type Part, parseMessage } from '../../src/studio/texts/message.ts';
import { type EnglishText, englishTexts, namedWords, warningMessages } from './english-messages.ts';

const TEXTS = join(import.meta.dirname, '../../src/studio/texts');
const fileOf = (lang: string) => join(TEXTS, `${lang}.json`);

/** The texts of a language by id. Those that have values have their names in the key, `chosen(templates)`. */
export function readCatalog(catalog: Catalog): ReadonlyMap<string, { readonly text: string; readonly key: string }> {
  const found = new Map<string, { text: string; key: string }>();
  const walk = (texts: Catalog, path: readonly string[]) => {
    for (const [key, text] of Object.entries(texts)) {
      const [name = key] = key.split('(');
      if (typeof text === 'string') found.set([...path, name].join('.'), { text, key });
      else walk(text, [...path, key]);
    }
  };
  walk(catalog, []);
  return found;
}

const keyOf = ({ path, values }: EnglishText) => `${path.at(-1) ?? ''}${values ? `(${values.join(', ')})` : ''}`;

/** @param texts by id. Texts that are not there are left out */
function writeCatalog(source: readonly EnglishText[], texts: ReadonlyMap<string, string>): string {
  const catalog: Record<string, unknown> = {};
  for (const one of source) {
    const text = texts.get(one.id);
    if (text === undefined) continue;
    let group = catalog;
    for (const name of one.path.slice(0, -1)) {
      group[name] ??= {};
      group = group[name] as Record<string, unknown>;
    }
    group[keyOf(one)] = text;
  }
  return `${JSON.stringify(catalog, null, 2)}\n`;
}

/** What is wrong with a text, one sentence each. @param lang decides which forms of a plural there must be */
export function problemsOf({ values, message }: EnglishText, text: string, lang: string): readonly string[] {
  if (text.trim() === '' && message.trim() !== '') return ['is empty'];
  if (values === null) return [];
  try {
    const [used, wanted] = [parseMessage(text), parseMessage(message)].map(namesIn);
    const unknown = [...(used ?? [])].filter((name) => !values.includes(name));
    const left = [...(wanted ?? [])].filter((name) => !used?.has(name));
    return [
      ...unknown.map((name) => `has the value {${name}}, which the English text has not`),
      ...left.map((name) => `lacks the value {${name}}`),
      ...formsMissing(parseMessage(text), lang),
    ];
  } catch (error) {
    return [(error as Error).message];
  }
}

function namesIn(parts: readonly Part[]): Set<string> {
  return new Set(
    parts.flatMap((part) => {
      if (typeof part === 'string') return [];
      return 'cases' in part
        ? [part.name, ...[...part.cases.values()].flatMap((one) => [...namesIn(one)])]
        : [part.name];
    }),
  );
}

/** The forms that numbers up to 1,000 take in the language, and a plural of more than one form lacks. */
function formsMissing(parts: readonly Part[], lang: string): readonly string[] {
  const rules = new Intl.PluralRules(lang);
  const taken = new Set(Array.from({ length: 1_000 }, (_, number) => rules.select(number)));
  const forms = (['zero', 'one', 'two', 'few', 'many'] as const).filter((form) => taken.has(form));
  return parts.flatMap((part) => {
    if (typeof part === 'string' || !('cases' in part)) return [];
    const inner = [...part.cases.values()].flatMap((one) => formsMissing(one, lang));
    const isOfForms = part.kind === 'plural' && [...part.cases.keys()].some((key) => key !== 'other' && key[0] !== '=');
    const missing = isOfForms ? forms.filter((one) => !part.cases.has(one)) : [];
    return [...missing.map((one) => `lacks the form “${one}” of {${part.name}, plural}`), ...inner];
  });
}

/** What is missing, too much or wrong in a language, one line each. */
export function problemsIn(lang: string, catalog: Catalog, source: readonly EnglishText[]): readonly string[] {
  const texts = readCatalog(catalog);
  const known = new Set(source.map(({ id }) => id));
  const wrong = source.flatMap((one) => {
    const found = texts.get(one.id);
    if (!found) return [`${one.id} is missing`];
    if (found.key !== keyOf(one)) return [`${one.id} has the key “${found.key}” and not “${keyOf(one)}”`];
    return problemsOf(one, found.text, lang).map((problem) => `${one.id} ${problem}`);
  });
  return [...wrong, ...[...texts.keys()].filter((id) => !known.has(id)).map((id) => `${id} is no text of the studio`)];
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

/** XLIFF 1.2; a text that the language lacks has no target. */
export function exportTexts(lang: string, catalog: Catalog, source: readonly EnglishText[]): string {
  const texts = readCatalog(catalog);
  const units = source.map(({ id, values, message, note }) => {
    const target = texts.get(id)?.text;
    const about = [note, values && `Values: ${values.map((name) => `{${name}}`).join(', ')}`].filter(Boolean).join(' ');
    return `      <trans-unit id="${escaped(id)}" xml:space="preserve">
        <source>${escaped(message)}</source>
${target === undefined ? '' : `        <target>${escaped(target)}</target>\n`}${about === '' ? '' : `        <note>${escaped(about)}</note>\n`}      </trans-unit>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="studio" datatype="x-icu-message" source-language="en" target-language="${escaped(lang)}">
    <body>
${units.join('\n')}
    </body>
  </file>
</xliff>
`;
}

/** The texts of an XLIFF file as those of a language, and what is wrong with them. Wrong ones are left out. */
export function importTexts(
  xliff: string,
  source: readonly EnglishText[],
): { readonly lang: string; readonly catalog: string; readonly problems: readonly string[] } {
  const found = readXliff(xliff);
  const [lang = ''] = found.map((one) => one.lang);
  if (!/^[a-z]{2,3}$/.test(lang)) throw new Error('The file names no language as target-language, such as “pl”.');
  const texts = new Map(found.map(({ name, text }) => [name, text]));
  const said = new Map([...texts].filter(([, text]) => text !== ''));
  for (const one of source) {
    const text = said.get(one.id);
    if (text !== undefined && problemsOf(one, text, lang).length > 0) said.delete(one.id);
  }
  // A text that is empty in English is so in other languages, of which tools make no target.
  for (const { id, message } of source) if (message === '' && !said.has(id)) said.set(id, '');
  const catalog = writeCatalog(source, said);
  const wrong = source.flatMap((one) => {
    const text = texts.get(one.id);
    return text === undefined ? [] : problemsOf(one, text, lang).map((problem) => `${one.id} ${problem}`);
  });
  const left = problemsIn(lang, JSON.parse(catalog), source).filter(
    (line) => !wrong.some((one) => one.startsWith(`${line.split(' ')[0]} `)),
  );
  const known = new Set(source.map(({ id }) => id));
  const extra = [...texts.keys()].filter((id) => !known.has(id)).map((id) => `${id} is no text of the studio`);
  return { lang, catalog, problems: [...wrong, ...left, ...extra] };
}

/** All texts: the English ones, the words that other languages have for names of properties, and renders' warnings. */
export const allTexts = (): readonly EnglishText[] => [...englishTexts(), ...namedWords(), ...warningMessages()];

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', short: 'o' } },
  });
  const [command, argument = ''] = positionals;
  const source = allTexts();
  const read = (lang: string): Catalog =>
    existsSync(fileOf(lang)) ? JSON.parse(readFileSync(fileOf(lang), 'utf8')) : {};
  const say = (problems: readonly string[]) => {
    for (const line of problems) console.log(line);
    process.exitCode = problems.length > 0 ? 1 : 0;
  };
  if (command === 'export' && /^[a-z]{2,3}$/.test(argument)) {
    const file = values.out ?? `${argument}.xlf`;
    writeFileSync(file, exportTexts(argument, read(argument), source));
    const missing = source.length - readCatalog(read(argument)).size;
    console.log(`${file}: ${source.length} texts, ${Math.max(0, missing)} of them not translated.`);
  } else if (command === 'import' && argument !== '') {
    const { lang, catalog, problems } = importTexts(readFileSync(argument, 'utf8'), source);
    writeFileSync(fileOf(lang), catalog);
    say(problems);
    console.log(`${fileOf(lang)}: ${readCatalog(JSON.parse(catalog)).size} of ${source.length} texts.`);
  } else if (command === 'check') {
    const langs = (await readdir(TEXTS)).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
    say(langs.flatMap((lang) => problemsIn(lang, read(lang), source).map((line) => `${lang}: ${line}`)));
  } else {
    console.error('Use: node scripts/studio/texts.ts check | export LANG [-o FILE] | import FILE');
    process.exitCode = 1;
  }
}
