// The drawing thread, in which a template with the word TRAP makes WebAssembly trap, as a library with a bug does.

/** A module whose start function is `unreachable`. */
const TRAP = new WebAssembly.Module(
  Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 11]),
);

const parse = JSON.parse;
JSON.parse = (text: string, ...rest) => {
  if (text.includes('TRAP')) new WebAssembly.Instance(TRAP);
  return parse(text, ...rest);
};

void import('#draw/renderer/renderer-thread.ts');
