import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stripWasm } from '../../scripts/studio/strip-wasm.ts';

const WHOLE = readFileSync(join(import.meta.dirname, '../../node_modules/harfbuzzjs/dist/harfbuzz.wasm'));

type Functions = Readonly<Record<string, (...numbers: readonly number[]) => number>>;

function open(wasm: Buffer<ArrayBufferLike>): Functions {
  const module = new WebAssembly.Module(new Uint8Array(wasm));
  const imports: Record<string, Record<string, () => number>> = {};
  for (const { module: room, name } of WebAssembly.Module.imports(module)) {
    imports[room] = { ...imports[room], [name]: () => 0 };
  }
  const { exports } = new WebAssembly.Instance(module, imports);
  (exports as Functions).__wasm_call_ctors?.();
  return exports as Functions;
}

test('keeps what the wanted functions reach, and turns the rest into traps', () => {
  const wanted = ['__wasm_call_ctors', 'malloc', 'hb_blob_create', 'hb_blob_get_length'];
  const stripped = stripWasm(WHOLE, (name) => wanted.includes(name));
  expect(stripped.length).toBeLessThan(WHOLE.length);
  const functions = open(stripped);
  const bytes = functions.malloc?.(16) ?? 0;
  const blob = functions.hb_blob_create?.(bytes, 16, 2, 0, 0) ?? 0;
  expect(functions.hb_blob_get_length?.(blob)).toBe(16);
  expect(() => functions.hb_shape?.(0, 0, 0, 0)).toThrow(WebAssembly.RuntimeError);
});

test('works as before where everything is wanted', () => {
  const functions = open(stripWasm(WHOLE, () => true));
  expect(Object.keys(functions)).toEqual(Object.keys(open(WHOLE)));
  expect(functions.hb_version_string?.()).toBe(open(WHOLE).hb_version_string?.());
});

test('refuses an instruction that it does not know', () => {
  const section = (id: number, ...bytes: readonly number[]) => [id, bytes.length, ...bytes];
  const vector = Buffer.from([
    ...WHOLE.subarray(0, 8),
    ...section(1, 1, 0x60, 0, 0),
    ...section(3, 1, 0),
    ...section(7, 1, 1, 0x61, 0, 0),
    ...section(10, 1, 4, 0, 0xfd, 0x0c, 0x0b),
  ]);
  expect(() => stripWasm(vector, () => true)).toThrow('0xfd');
});
