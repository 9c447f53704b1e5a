// Unpacks WOFF and WOFF2 files, which few pages give to the editor.

import './wasm.ts';

export { unwrapWoff } from '#draw/fonts/woff.ts';
