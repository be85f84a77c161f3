import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: ['tests/e2e/**', 'tests/desktop/**', 'node_modules/**'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Threads and child processes of the tests load the sources as they are; their stripped code is kept between them.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/rollscope') },
  },
});
