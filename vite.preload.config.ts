// Builds the preload script: a sandboxed preload must be one CommonJS file.
import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    outDir: 'dist/desktop',
    emptyOutDir: false,
    target: 'chrome140',
    minify: false,
    lib: { entry: 'app/host/desktop/preload.ts', formats: ['cjs'], fileName: () => 'preload.cjs' },
    rolldownOptions: { external: ['electron'] },
  },
});
