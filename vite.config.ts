// Builds the renderer: static files that the desktop shell serves under app:// and the headless host under http.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
  resolve: { dedupe: ['react', 'react-dom'] },
  // Real worker files: the CSP has no blob: and no unsafe-eval.
  worker: { format: 'es' },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome140',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4000,
  },
});
