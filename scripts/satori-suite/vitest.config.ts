// Runs satori's own tests with a recorder in place of satori, so that other renderers can draw their trees.

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const recorder = join(import.meta.dirname, 'recorder.ts');

export default defineConfig({
  resolve: {
    alias: [
      { find: /^\.\.\/src\/index\.js$/, replacement: recorder },
      { find: /^\.\/utils\.js$/, replacement: recorder },
      { find: /^react(\/jsx(-dev)?-runtime)?$/, replacement: join(import.meta.dirname, 'jsx-runtime.ts') },
    ],
  },
  oxc: { jsx: { runtime: 'automatic' } },
  test: { include: ['test/**/*.test.tsx'], testTimeout: 20_000, reporters: ['dot'] },
});
