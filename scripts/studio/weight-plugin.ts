// Removes parts of libraries from the studio's bundle that its pages do not need, without changing behaviour.
//
// - Yoga's WebAssembly becomes a file of its own: as base64 in a script it is 21 KB larger, compressed.
// - HarfBuzz loads its WebAssembly without what Node does otherwise; its classes keep the methods that we call, and its
//   WebAssembly the functions that these call.
// - Yoga's enums are imported by name, so the object that repeats all of them is emptied.
// - culori keeps only the colour spaces of CSS, without the thirty others.
// - zod writes no JSON Schema in a page: the schema of templates is written when the studio is built. It knows none of
//   the formats of strings, such as an address.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { stripWasm } from './strip-wasm.ts';

const ROOT = join(import.meta.dirname, '../..');
const CULORI = '\0culori-of-css';
const HARFBUZZ = 'new URL("harfbuzz.wasm",import.meta.url).href';
const YOGA = /"data:application\/octet-stream;base64,([^"]+)";if\(!\w+\(\w+\)\)\{[^}]*\}/;

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
        const written = code.replace(YOGA, (_all, base64: string) => {
          const file = this.emitFile({ type: 'asset', name: 'yoga.wasm', source: Buffer.from(base64, 'base64') });
          return `"__VITE_ASSET__${file}__";`;
        });
        return { code: written, map: null };
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
          .replaceAll(/\bprocessors\.\w+Processor\b/g, '(() => undefined)')
          .replaceAll(/\bcreate(?:Standard|To)JSONSchemaMethod\(/g, '(() => undefined)(')
          // `string().email()` and its like, each of which keeps a class and an expression.
          .replaceAll(/\n {4}\w+\(params\) \{\n {8}return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},/g, '');
        return { code: written, map: null };
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

/** Leaves out each method whose name stands neither in our text engine, nor in the callers, nor in the module. */
function withoutUncalled(code: string, callers: readonly string[]): string {
  const ours = [...globSync(join(ROOT, 'src/core/text/*.ts')), ...callers].map((file) => readFileSync(file, 'utf8'));
  const uses = (text: string, name: string) => new RegExp(`\\.${name}\\b`).test(text);
  const written = code.replaceAll(METHOD, (method: string, name: string) =>
    name === 'constructor' || ours.some((text) => uses(text, name)) || uses(code.replace(method, ''), name)
      ? method
      : '',
  );
  if (written === code) throw new Error('HarfBuzz is written otherwise than scripts/studio/weight-plugin.ts knows.');
  return written;
}
