// Binds Yoga's WebAssembly to JavaScript in pages: as embind does, without strings, callbacks, classes that JavaScript extends
// and checks of arguments, none of which our layout has. With them, the glue is an eighth of what Yoga weighs.
//
// The names of imports and exports are those that Yoga 3.2 was compiled with; a test compares trees with Yoga's own glue.

type Wasm = (...values: readonly number[]) => number;

/** How values of a type of C++ are passed. */
interface Type {
  readonly toWasm: (value: unknown) => number;
  readonly toScript: (wire: number) => unknown;
}

/** An object of C++, by its address. */
interface Handle {
  readonly address: number;
}

type Method = (this: unknown, ...values: readonly unknown[]) => unknown;
type Bound = (new (
  address: number,
) => Handle) &
  Record<string, Method> & { readonly prototype: Record<string, Method> };

const asItIs: Type = { toWasm: (value) => value as number, toScript: (wire) => wire };

/** Binds the file at an address. @throws if it cannot be had, or is not Yoga's */
export const instantiate = (address: string): ReturnType<typeof bindYoga> =>
  bindYoga(async (imports) => {
    const response = await fetch(address, { credentials: 'same-origin' });
    if (!response.ok) throw new Error(`Yoga could not be loaded: ${response.status}.`);
    // Some servers send it as another type, which cannot be compiled while it arrives.
    const streamed = await WebAssembly.instantiateStreaming(response.clone(), imports).catch(() => null);
    return (streamed ?? (await WebAssembly.instantiate(await response.arrayBuffer(), imports))).instance;
  });

/** @returns Yoga's classes by their names, before `wrapAssembly` has added to them */
export async function bindYoga(
  instantiate: (imports: WebAssembly.Imports) => Promise<WebAssembly.Instance>,
): Promise<Readonly<Record<string, Bound>>> {
  const types = new Map<number, Type>();
  const classes = new Map<number, Bound>();
  const byName: Record<string, Bound> = {};
  const fields = new Map<number, { readonly name: string; readonly read: (address: number) => unknown }[]>();
  let memory: WebAssembly.Memory;
  let table: WebAssembly.Table;

  const functionAt = (index: number) => table.get(index) as Wasm;
  const typeOf = (id: number) => types.get(id) ?? asItIs;
  const nameAt = (address: number) => {
    const bytes = new Uint8Array(memory.buffer);
    return new TextDecoder().decode(bytes.subarray(address, bytes.indexOf(0, address)));
  };
  const typesAt = (address: number, count: number) => new Uint32Array(memory.buffer, address, count);

  /** @param own what the function gets before its arguments: itself, and the object that it is a method of */
  const bound = (invoker: number, result: number, given: Uint32Array, own: (self: unknown) => readonly number[]) => {
    const call = functionAt(invoker);
    const ids = [...given];
    let passed: readonly Type[] | null = null;
    return function (this: unknown, ...values: readonly unknown[]): unknown {
      // Types may be registered after the functions that use them.
      passed ??= ids.map(typeOf);
      return typeOf(result).toScript(call(...own(this), ...passed.map(({ toWasm }, i) => toWasm(values[i]))));
    };
  };

  const nothing = () => 0;
  const fail = () => {
    throw new Error('Yoga failed.');
  };
  const env: Record<string, (...values: number[]) => unknown> = {
    ...Object.fromEntries([...'qvpboistgmDrjyzu'].map((name) => [name, nothing])),
    ...{ l: fail, c: fail, A: nothing },
    B: (id) => types.set(id!, { toWasm: (value) => (value ? 1 : 0), toScript: Boolean }),
    C: (id) => types.set(id!, { ...asItIs, toScript: () => undefined }),
    n: (id) => types.set(id!, asItIs),
    e: (id, _name, size, min) => {
      const shift = 32 - 8 * size!;
      types.set(id!, min === 0 ? { ...asItIs, toScript: (wire) => (wire << shift) >>> shift } : asItIs);
    },
    f: (id, pointer, constant, _base, _actualType, _actual, _upType, _up, _downType, _down, name) => {
      const made = class {
        readonly address: number;
        constructor(address: number) {
          this.address = address;
        }
      } as unknown as Bound;
      const type: Type = {
        toWasm: (value) => (value as Handle | null)?.address ?? 0,
        toScript: (wire) => (wire === 0 ? null : new made(wire)),
      };
      for (const each of [pointer!, constant!]) types.set(each, type);
      classes.set(id!, made);
      byName[nameAt(name!)] = made;
    },
    a: (id, name, count, given, _type, invoker, context) => {
      const [result = 0, , ...rest] = typesAt(given!, count!);
      const own = (self: unknown) => [context!, (self as Handle).address];
      classes.get(id!)!.prototype[nameAt(name!)] = bound(invoker!, result, Uint32Array.from(rest), own);
    },
    d: (id, name, count, given, _type, invoker, context) => {
      const [result = 0, ...rest] = typesAt(given!, count!);
      classes.get(id!)![nameAt(name!)] = bound(invoker!, result, Uint32Array.from(rest), () => [context!]);
    },
    k: (id, _name, _makerType, _maker, _freeType, free) => {
      const own: { readonly name: string; readonly read: (address: number) => unknown }[] = [];
      fields.set(id!, own);
      const toScript = (wire: number) => {
        const value = Object.fromEntries(own.map((field) => [field.name, field.read(wire)]));
        functionAt(free!)(wire);
        return value;
      };
      types.set(id!, { ...asItIs, toScript });
    },
    h: (id, name, result, _type, getter, context) =>
      fields.get(id!)!.push({
        name: nameAt(name!),
        read: (address) => typeOf(result!).toScript(functionAt(getter!)(context!, address)),
      }),
    x: (to, from, count) => new Uint8Array(memory.buffer).copyWithin(to!, from!, from! + count!),
    w: (size) => {
      const pages = Math.ceil(((size! >>> 0) * 1.2 - memory.buffer.byteLength) / 65_536);
      return memory.grow(Math.max(0, pages)) >= 0;
    },
  };

  const { exports } = await instantiate({ a: env });
  memory = exports.E as WebAssembly.Memory;
  table = exports.J as WebAssembly.Table;
  (exports.F as Wasm)();
  return byName;
}
