// `platen/editor`: the editor as an ES module. Everything else is loaded by `createEditor`, so that servers may import
// this too.

import type { createEditor as CreateEditor } from '../../editor.ts';

/** The editor of this page, as the module has one place for messages, menus and the focus; null = none. */
let open: object | null = null;

const UNREADABLE =
  'createEditor: the scripts or WebAssembly files of the editor cannot be loaded. They are in the folder of editor.js, ' +
  "and a content-security-policy must allow 'wasm-unsafe-eval'. For the development server of Vite 7, set " +
  "optimizeDeps: { exclude: ['platen'] }.";

export const createEditor: typeof CreateEditor = async (element, options) => {
  if (!(element instanceof HTMLElement)) throw new Error('createEditor: the first argument must be an element.');
  if (open) throw new Error('createEditor: this page has an editor already. Call its destroy() first.');
  const { signal } = options ?? {};
  signal?.throwIfAborted();
  const own = {};
  open = own;
  const release = () => {
    if (open === own) open = null;
  };
  // At once, so that another editor may be opened while this one is still on its way.
  signal?.addEventListener('abort', release, { once: true });
  try {
    const { openModule } = await import('./open.tsx').catch((cause) => {
      throw new Error(UNREADABLE, { cause });
    });
    signal?.throwIfAborted();
    return await openModule(element, options, release);
  } catch (error) {
    release();
    throw error;
  }
};
