// Builds the Electron main process: one ESM file, everything but electron bundled.
import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    outDir: 'dist/desktop',
    emptyOutDir: true,
    target: 'node24',
    ssr: true,
    minify: false,
    rolldownOptions: {
      input: { main: 'app/host/desktop/main.ts' },
      output: { entryFileNames: '[name].js', format: 'es' },
    },
  },
  ssr: { noExternal: true, external: ['electron'] },
});
