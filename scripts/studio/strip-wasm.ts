// Takes out of a WebAssembly module what none of the wanted exports can reach: the bodies of such functions become a
// trap, so every index stays as it is.
//
// Reads what compilers write for the web today, without SIMD and threads, and throws at anything else.

/** The function bodies of a module, and which functions each calls. */
interface Functions {
  /** Functions that are imported; those of the module are counted after them. */
  readonly imported: number;
  readonly bodies: readonly { readonly from: number; readonly to: number }[];
  /** What is called from outside, at the start, or through a table. */
  readonly roots: readonly number[];
  /** Offsets of the code section's size and of its end. */
  readonly section: { readonly size: number; readonly to: number };
}

/** No locals, `unreachable`, `end`: valid for every type of function. */
const TRAP = Buffer.from([3, 0x00, 0x00, 0x0b]);
const [IMPORTS, EXPORTS, START, ELEMENTS, CODE] = [2, 7, 8, 9, 10];

/**
 * @param isWanted whether an exported function is called
 * @throws Error where the module has what this cannot read
 */
export function stripWasm(wasm: Buffer, isWanted: (name: string) => boolean): Buffer {
  const { imported, bodies, roots, section } = functionsOf(wasm, isWanted);
  const reached = new Set<number>();
  const waiting = [...roots];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const body = bodies[at - imported];
    if (reached.has(at)) continue;
    reached.add(at);
    if (body) waiting.push(...callsIn(wasm, body.from, body.to));
  }
  const code = bodies.flatMap(({ from, to }, i) =>
    reached.has(i + imported) ? [unsigned(to - from), wasm.subarray(from, to)] : [TRAP],
  );
  const written = Buffer.concat([unsigned(bodies.length), ...code]);
  return Buffer.concat([wasm.subarray(0, section.size), unsigned(written.length), written, wasm.subarray(section.to)]);
}

function functionsOf(wasm: Buffer, isWanted: (name: string) => boolean): Functions {
  const reader = new Reader(wasm, 8);
  const roots: number[] = [];
  const bodies: { from: number; to: number }[] = [];
  let imported = 0;
  let section = { size: wasm.length, to: wasm.length };
  while (reader.at < wasm.length) {
    const id = reader.byte();
    const size = reader.at;
    const to = reader.unsigned() + reader.at;
    if (id === IMPORTS) {
      reader.repeat(() => {
        reader.text();
        reader.text();
        if (reader.byte() !== 0) throw new Error('The module imports something other than functions.');
        reader.unsigned();
        imported++;
      });
    } else if (id === EXPORTS) {
      reader.repeat(() => {
        const name = reader.text();
        const isFunction = reader.byte() === 0;
        const index = reader.unsigned();
        if (isFunction && isWanted(name)) roots.push(index);
      });
    } else if (id === START) roots.push(reader.unsigned());
    else if (id === ELEMENTS) {
      reader.repeat(() => {
        // Functions of the first table, from a constant on.
        if (reader.byte() !== 0 || reader.byte() !== 0x41) throw new Error('The module has elements of another kind.');
        reader.unsigned();
        if (reader.byte() !== 0x0b) throw new Error('The module computes where its elements are.');
        reader.repeat(() => roots.push(reader.unsigned()));
      });
    } else if (id === CODE) {
      section = { size, to };
      reader.repeat(() => {
        const length = reader.unsigned();
        bodies.push({ from: reader.at, to: reader.at + length });
        reader.at += length;
      });
    }
    reader.at = to;
  }
  return { imported, bodies, roots, section };
}

/** The functions that a body calls or takes a reference to. */
function callsIn(wasm: Buffer, from: number, to: number): readonly number[] {
  const reader = new Reader(wasm, from);
  const calls: number[] = [];
  reader.repeat(() => {
    reader.unsigned();
    reader.byte();
  });
  while (reader.at < to) {
    const op = reader.byte();
    if (op === 0x10 || op === 0x12 || op === 0xd2) calls.push(reader.unsigned());
    else reader.skipOperands(op);
  }
  if (reader.at !== to) throw new Error('A function of the module could not be read.');
  return calls;
}

class Reader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.at++);
  }

  /** LEB128; signed numbers are only ever skipped. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  text(): string {
    const length = this.unsigned();
    this.at += length;
    return this.#bytes.toString('utf8', this.at - length, this.at);
  }

  repeat(read: () => void): void {
    for (let left = this.unsigned(); left > 0; left--) read();
  }

  /** Skips what follows an instruction, by the binary format of WebAssembly 2.0 without vectors. */
  skipOperands(op: number): void {
    if (op === 0x0e) {
      this.repeat(() => this.unsigned());
      this.unsigned();
    } else if (op === 0x1c) this.repeat(() => this.byte());
    else if (op === 0x43) this.at += 4;
    else if (op === 0x44) this.at += 8;
    else if (op === 0xfc) {
      const operands = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1][this.unsigned()];
      if (operands === undefined) throw new Error('The module has an instruction that is not known.');
      for (let i = 0; i < operands; i++) this.unsigned();
    } else if (op > 0xd2) throw new Error(`The module has the instruction 0x${op.toString(16)}, which is not known.`);
    else for (let i = 0; i < operandsOf(op); i++) this.unsigned();
  }
}

function operandsOf(op: number): number {
  // Indirect calls, and loads and stores, whose operands are their alignment and offset.
  if (op === 0x11 || op === 0x13 || (op >= 0x28 && op <= 0x3e)) return 2;
  const isBlock = op >= 0x02 && op <= 0x04;
  const isBranch = op === 0x0c || op === 0x0d;
  const isVariable = op >= 0x20 && op <= 0x26;
  const isOther = op === 0x3f || op === 0x40 || op === 0x41 || op === 0x42 || op === 0xd0;
  return isBlock || isBranch || isVariable || isOther ? 1 : 0;
}

function unsigned(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  do {
    const byte = left & 0x7f;
    left >>>= 7;
    bytes.push(left > 0 ? byte | 0x80 : byte);
  } while (left > 0);
  return Buffer.from(bytes);
}
