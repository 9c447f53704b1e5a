// Removes parts of libraries from the studio's bundle that its pages do not need, without changing behaviour.
//
// - Yoga's WebAssembly becomes a file of its own: as base64 in a script it is 21 KB larger, compressed. Our own glue
//   binds it (yoga-binding.ts).
// - HarfBuzz loads its WebAssembly without what Node does otherwise; it keeps the methods and functions that we call, and its
//   WebAssembly what these call.
// - Yoga's enums are imported by name, so the object that repeats all of them is emptied.
// - culori keeps only the colour spaces of CSS, without the thirty others.
// - zod writes no JSON Schema in a page: the schema of templates is written when the studio is built. It knows none of
//   the formats of strings, such as an address, and no method that we do not call. It compiles no code, which the policy of the
//   studio's pages forbids anyway.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { stripWasm } from './strip-wasm.ts';
import { instantiate } from './yoga-binding.ts';

const ROOT = join(import.meta.dirname, '../..');
const CULORI = '\0culori-of-css';
const HARFBUZZ = 'new URL("harfbuzz.wasm",import.meta.url).href';
const YOGA = /"data:application\/octet-stream;base64,([^"]+)"/;

/** @param callers files that call HarfBuzz, besides our text engine */
export function weightPlugin(callers: readonly string[] = []): Plugin {
  return {
    name: 'platen-weight',
    enforce: 'pre',
    apply: 'build',
    resolveId(id) {
      return id === 'culori/require' ? CULORI : null;
    },
    load(id) {
      return id === CULORI
        ? "import 'culori/css';\nimport { converter, parse } from 'culori/fn';\nexport default { converter, parse };"
        : null;
    },
    async transform(code, id) {
      if (id.endsWith('/yoga-wasm-base64-esm.js')) {
        if (!YOGA.test(code))
          throw new Error('Yoga holds its WebAssembly otherwise than scripts/studio/weight-plugin.ts knows.');
        const [, base64 = ''] = YOGA.exec(code) ?? [];
        const file = this.emitFile({ type: 'asset', name: 'yoga.wasm', source: Buffer.from(base64, 'base64') });
        const written = [
          `import { ${instantiate.name} } from ${JSON.stringify(join(import.meta.dirname, 'yoga-binding.ts'))};`,
          `export default () => ${instantiate.name}("__VITE_ASSET__${file}__");`,
        ];
        return { code: written.join('\n'), map: null };
      }
      if (id.endsWith('/harfbuzzjs/dist/harfbuzz.js')) {
        const written = code
          .replace(/if\(ENVIRONMENT_IS_NODE\)\{const\{createRequire\}[^}]*\}/, '')
          .replaceAll('if(ENVIRONMENT_IS_NODE)', 'if(false)')
          // Each function under a second name, of which the classes use none.
          .replaceAll(/Module\["_\w+"\]=(\w+)=wasmExports\["\w+"\];?/g, '')
          .replaceAll(/(?<=[;}]var )(?:_hb_\w+,)+/g, '');
        if (!written.includes(HARFBUZZ))
          throw new Error('HarfBuzz loads its WebAssembly otherwise than scripts/studio/weight-plugin.ts knows.');
        const library = dirname(id);
        const calling = written + withoutUncalled(readFileSync(join(library, 'index.mjs'), 'utf8'), callers);
        const isCalled = (name: string) => new RegExp(`\\b${name}\\b`).test(calling);
        const source = stripWasm(readFileSync(join(library, 'harfbuzz.wasm')), isCalled);
        const file = this.emitFile({ type: 'asset', name: 'harfbuzz.wasm', source });
        return { code: written.replace(HARFBUZZ, `"__VITE_ASSET__${file}__"`), map: null };
      }
      if (id.endsWith('/harfbuzzjs/dist/index.mjs')) return { code: withoutUncalled(code, callers), map: null };
      if (id.endsWith('/yoga-layout/dist/src/generated/YGEnums.js')) {
        return { code: code.replace(/(?<=const constants = )\{[^}]*\}/, '{}'), map: null };
      }
      if (id.endsWith('/zod/v4/classic/schemas.js')) {
        // The bundler removes code that is no longer referenced.
        const written = code
          .replaceAll(/inst\._zod\.processJSONSchema = \(ctx, json, params\) => processors\.\w+Processor\(.*\);/g, '')
          .replace('core.$ZodObjectJIT.init(', 'core.$ZodObject.init(')
          // Values that contain themselves, which no JSON does; and English sentences, in whose place core has its own.
          .replaceAll(/^ {4}_ensureDefault(?:Memoizer|Locale)\(\);$/gm, '')
          .replaceAll(/\bcreate(?:Standard|To)JSONSchemaMethod\(/g, '(() => undefined)(')
          // `string().email()` and its like, each of which keeps a class and an expression.
          .replaceAll(/\n {4}\w+\(params\) \{\n {8}return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},/g, '');
        const uncalled: Cut[] = [];
        walk(this.parse(written), (node) => {
          if (node.type !== 'Property' || !(node.value as Node).type.endsWith('FunctionExpression')) return;
          const { name, value } = node.key as { readonly name?: string; readonly value?: string };
          if (!isCalledOfZod(name ?? value ?? '')) uncalled.push([node, '']);
        });
        return { code: cut(written, uncalled), map: null };
      }
      if (id.endsWith('/src/studio/editor/json/template-schema.ts')) {
        const { anyTemplateJsonSchema } = (await import(
          pathToFileURL(join(ROOT, 'src/core/template/any-template.ts')).href
        )) as { anyTemplateJsonSchema(): object };
        const text = JSON.stringify(JSON.stringify(anyTemplateJsonSchema()));
        return { code: `export const templateSchema = JSON.parse(${text});`, map: null };
      }
      return null;
    },
  };
}

/** A method as HarfBuzz's module has it, with its comment: indented by one tab, its body by two. */
const METHOD = /\n(?:\t\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?\t(?:static )?(\w+)\([^\n]*\) \{\n(?:\t\t.*\n|\n)*?\t\}(?=\n)/g;

/** A function of the module itself, with its comment. */
const FUNCTION = /\n(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?function (\w+)\([^\n]*\) \{\n(?:\t.*\n|\n)*?\}(?=\n)/g;
const COMMENT = /\/\*\*(?:[^*]|\*(?!\/))*\*\//g;
const EXPORTS = /\nexport \{[^}]*\};/;

/** Leaves out of HarfBuzz's module each method and function that neither our text engine, nor the callers, nor the module call. */
function withoutUncalled(code: string, callers: readonly string[]): string {
  const ours = [...globSync(join(ROOT, 'src/core/text/*.ts')), ...callers].map((file) => readFileSync(file, 'utf8'));
  const exported = EXPORTS.exec(code)?.[0] ?? '';
  let written = code.replaceAll(COMMENT, '').replace(exported, '');
  for (let before = ''; before !== written; ) {
    before = written;
    const uncalled = (pattern: RegExp) => (whole: string, name: string) => {
      const rest = before.replace(whole, '');
      const isCalled =
        name === 'constructor' || [...ours, rest].some((text) => new RegExp(`${pattern.source}${name}\\b`).test(text));
      return isCalled ? whole : '';
    };
    written = before.replaceAll(METHOD, uncalled(/\./));
    before = written;
    written = before.replaceAll(FUNCTION, uncalled(/\b/));
  }
  if (written.length > 0.8 * code.length || exported === '')
    throw new Error('HarfBuzz is written otherwise than scripts/studio/weight-plugin.ts knows.');
  const names =
    /\{(.*)\}/
      .exec(exported)?.[1]
      ?.split(',')
      .map((name) => name.trim()) ?? [];
  return `${written}\nexport { ${names.filter((name) => new RegExp(`\\b${name}\\b`).test(written)).join(', ')} };\n`;
}

const calledOfZod = new Set<string>();

/** Whether our code in pages, or zod's schemas themselves, have a method of this name, or a property that is read. */
function isCalledOfZod(name: string): boolean {
  if (calledOfZod.size === 0) {
    const ours = globSync(join(ROOT, 'src/{core,design,studio/editor,studio/module}/**/*.{ts,tsx}'));
    for (const file of ours) {
      const text = readFileSync(file, 'utf8');
      // Also what is taken out of a schema by its name: `const { minValue } = schema`. The schemas are in core/template.
      if (/\bz\.|[sS]chema|#core\/template\//.test(text))
        for (const [, one = ''] of text.matchAll(/[.{,]\s*(\w+)/g)) calledOfZod.add(one);
    }
    const zod = globSync(join(ROOT, 'node_modules/zod/v4/{classic,core}/*.js')).map((file) =>
      readFileSync(file, 'utf8'),
    );
    for (const [, one = ''] of zod.join('').matchAll(/\b(?:this|inst|schema|cl|self|proto)\??\.(\w+)/g))
      calledOfZod.add(one);
  }
  return calledOfZod.has(name);
}

/** A node of a syntax tree, by ESTree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

/** What of a text is written as something else; nothing takes the comma behind it along. */
type Cut = readonly [node: Node, by: string];

function cut(code: string, cuts: readonly Cut[]): string {
  let written = '';
  let at = 0;
  for (const [{ start, end }, by] of cuts.toSorted(([one], [other]) => one.start - other.start)) {
    if (start < at) continue;
    written += code.slice(at, start) + by;
    at = by === '' && code[end] === ',' ? end + 1 : end;
  }
  return written + code.slice(at);
}

function walk(tree: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(tree)) for (const one of tree) walk(one, visit);
  else if (tree !== null && typeof tree === 'object' && 'type' in tree) {
    visit(tree as Node);
    for (const part of Object.values(tree)) walk(part, visit);
  }
}
