import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { methodFiles } from './methods/pages.ts'

const built = (path: string) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url))

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** In development the page comes from Vite and every figure from a running service. */
const service = process.env['GAMMAWALL_URL'] ?? 'http://127.0.0.1:8080'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** The pages about methods, beside those of the dashboard: every panel leads to its own. */
const methods: Plugin = {
  name: 'methods',
  generateBundle() {
    for (const { name, content } of methodFiles(source('../docs/methods'), source('src/style')))
      this.emitFile({ type: 'asset', fileName: `methods/${name}`, source: content })
  }
}

export default defineConfig({
  base: '/',
  plugins: [methods],
  define: { VERSION: JSON.stringify(version) },
  resolve: { alias: { 'gammawall/client': source('../src/client/client.ts') } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: built('dashboard'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content policy lets no script and no style in but as files
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'embed.html', 'src/embed/element.ts'].map(source),
      output: {
        // Pages of others load the element by its name.
        entryFileNames: ({ name }) => (name === 'element' ? 'embed/element.js' : 'assets/[name]-[hash].js')
      }
    }
  },
  server: {
    proxy: {
      '^/(v1|replay|session|health|livez|stockquote|optionquote|methods)(/|$)': { target: service },
      '/ws': { target: service, ws: true }
    }
  }
})
