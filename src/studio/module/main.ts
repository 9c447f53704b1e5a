// `platen/editor`: the editor as an ES module. Everything else is loaded by `createEditor`, so that servers may import
// this too.

import type { createEditor as CreateEditor } from '../../editor.ts';

const UNREADABLE =
  'createEditor: the scripts or WebAssembly files of the editor cannot be loaded. They are in the folder of editor.js, ' +
  "and a content-security-policy must allow 'wasm-unsafe-eval'. For the development server of Vite 7, set " +
  "optimizeDeps: { exclude: ['platen'] }.";

export const createEditor: typeof CreateEditor = async (element, options) => {
  if (!(element instanceof HTMLElement)) throw new Error('createEditor: the first argument must be an element.');
  options?.signal?.throwIfAborted();
  const { openModule } = await import('./open.tsx').catch((cause) => {
    throw new Error(UNREADABLE, { cause });
  });
  options?.signal?.throwIfAborted();
  return openModule(element, options);
};
