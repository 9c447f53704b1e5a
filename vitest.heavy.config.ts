import { defineConfig } from 'vitest/config';

// What takes minutes, or the machine to itself: `npm run test:heavy`. One file at a time, because they measure.
export default defineConfig({
  test: {
    include: ['test/heavy/**/*.test.ts'],
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    fileParallelism: false,
    testTimeout: 10 * 60_000,
  },
});
