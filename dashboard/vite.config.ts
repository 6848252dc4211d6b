import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const built = (path: string) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url))

/** In development the page comes from Vite and every figure from a running service. */
const service = process.env['GAMMAWALL_URL'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: './',
  resolve: { alias: { 'gammawall/client': built('src/client/client.js') } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: built('dashboard'),
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false, // all styles are less than 10 KB: in one file they are less than in many
    assetsInlineLimit: 0, // the content policy lets no script and no style in but as files
    modulePreload: { polyfill: false },
    reportCompressedSize: false
  },
  server: {
    proxy: {
      '^/(v1|replay|session|health|livez|stockquote|optionquote)(/|$)': { target: service },
      '/ws': { target: service, ws: true }
    }
  }
})
