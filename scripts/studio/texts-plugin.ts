// Writes the English texts where they are shown, and numbers those of other languages, so that a page in English loads
// no table of texts and no names of them: `texts.value.canvas.zoom` becomes `(texts.value[12] ?? 'Zoom')`.
//
// A room that is read by computed names, as `texts.value.fills[kind]`, is written into the file that reads it, and stays
// a table where several files do.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, parseSync } from 'vite';

const STUDIO = join(import.meta.dirname, '../../src/studio');
const USE = /\btexts\.value\.(\w+)\.(\w+)/g;
const COMPUTED = /\btexts\.value\.(\w+)(?!\w|\.\w)/g;
const computedIn = (code: string) => new Set([...code.matchAll(COMPUTED)].map(([, room = '']) => room));
/** What a function of texts may use besides its parameters is not known where it would be written. */
const SHARED = /\b(?:plural|count|decimal)\(/;

interface Entry {
  /** `canvas.zoom`; of a room, `canvas`. */
  readonly path: string;
  readonly code: string;
  readonly start: number;
  readonly end: number;
}

export function textsPlugin(): Plugin {
  const tables = new Map<string, Map<string, { readonly number: number; readonly code: string }>>();
  return {
    name: 'platen-texts',
    enforce: 'pre',
    apply: 'build',
    buildStart() {
      const sources = globSync(join(STUDIO, '**/*.{ts,tsx}')).map((file) => readFileSync(file, 'utf8'));
      for (const file of globSync(join(STUDIO, 'texts/en/*.ts'))) {
        const name = nameOf(file);
        const users = sources.filter((code) => reads(code, name));
        const readers = (room: string) => users.filter((code) => computedIn(code).has(room)).length;
        const written = entriesOf(file, readFileSync(file, 'utf8')).filter(({ path, code }) => {
          const [room = '', key] = path.split('.');
          return !SHARED.test(code) && readers(room) === (key === undefined ? 1 : 0);
        });
        tables.set(name, new Map(written.map(({ path, code }, number) => [path, { number, code }])));
      }
    },
    transform(code, id) {
      const [, language, name = ''] = /src\/studio\/texts\/(\w+)\/(\w+)\.ts$/.exec(id) ?? [];
      const own = tables.get(name);
      if (own) {
        const entries = entriesOf(id, code).filter(({ path }) => own.has(path));
        // The numbered texts come last, beside the rooms.
        let rest = code;
        for (const { start, end } of entries.toReversed()) rest = rest.slice(0, start) + rest.slice(end);
        if (language === 'en') return { code: rest, map: null };
        const numbered = entries.map(({ path, code }) => `${own.get(path)?.number}: ${code},\n`).join('');
        const written = rest.replace(/\n\};\s*$/, () => `\n${numbered}} as never;\n`);
        if (written === rest) throw new Error(`${id} does not end with its texts.`);
        return { code: written, map: null };
      }
      const table = [...tables].find(([name]) => reads(code, name))?.[1];
      if (!table || !id.startsWith(STUDIO)) return null;
      const tablesHere: string[] = [];
      const ofRoom = (room: string) => {
        const text = table.get(room);
        if (!text) return null;
        tablesHere.push(`const texts_${room} = ${text.code};\n`);
        return `((texts.value as any)[${text.number}] ?? texts_${room})`;
      };
      const written = code
        .replace(USE, (use, room: string, key: string) => {
          const text = table.get(`${room}.${key}`);
          if (text) return `((texts.value as any)[${text.number}] ?? (${text.code}))`;
          const whole = ofRoom(room);
          return whole ? `${whole}.${key}` : use;
        })
        .replace(COMPUTED, (use, room: string) => ofRoom(room) ?? use);
      return { code: written + [...new Set(tablesHere)].join(''), map: null };
    },
  };
}

/** Whether a file imports the texts of this name; none imports those of two. */
const reads = (code: string, name: string) => code.includes(`/texts/${name}.ts';`);

const nameOf = (file: string) => /(\w+)\.ts$/.exec(file)?.[1] ?? '';

/** The texts of a file: `export const name = { room: { key: text } }`; `start` to `end` includes the comma. */
function entriesOf(file: string, code: string): readonly Entry[] {
  const { program, errors } = parseSync(file, code);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found: Entry[] = [];
  const add = (path: string, value: Node, start: number) => {
    const comma = code.indexOf(',', value.end);
    const end = /^\s*$/.test(code.slice(value.end, comma)) ? comma + 1 : value.end;
    found.push({ path, code: code.slice(value.start, value.end), start, end });
  };
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration') continue;
    for (const [room, texts, roomStart] of propertiesOf(statement.declaration.declarations[0]?.init)) {
      add(room, texts, roomStart);
      for (const [key, value, start] of propertiesOf(texts)) add(`${room}.${key}`, value, start);
    }
  }
  return found;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

function propertiesOf(node: Node | null | undefined): readonly (readonly [key: string, value: Node, start: number])[] {
  if (node?.type !== 'ObjectExpression') return [];
  const { properties } = node as Node & { readonly properties: readonly (Node & { key: never; value: Node })[] };
  return properties.map(({ key, value, start }) => {
    const { name, value: literal } = key as { readonly name?: string; readonly value?: unknown };
    return [name ?? String(literal), value, start];
  });
}
