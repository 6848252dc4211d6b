import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const built = (path: string) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url))

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** In development Vite serves the pages, and a running service their data. */
const service = process.env['GAMMAWALL_URL'] ?? 'http://127.0.0.1:8080'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export default defineConfig({
  base: '/',
  define: { VERSION: JSON.stringify(version) },
  resolve: { alias: { 'gammawall/client': source('../src/client/client.ts') } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: built('dashboard'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content policy allows scripts and styles from files only
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'embed.html', 'src/embed/element.ts'].map(source),
      output: {
        // Other pages load the element by this name.
        entryFileNames: ({ name }) => (name === 'element' ? 'embed/element.js' : 'assets/[name]-[hash].js'),
        // One file of what every page loads compresses better than thirty small ones.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/@?preact|dashboard\/src\/(state\/(page|service|day)|parts)\//,
              minShareCount: 2
            }
          ]
        }
      }
    }
  },
  server: {
    proxy: {
      '^/(v1|replay|session|health|livez|stockquote|optionquote|docs)(/|$)': { target: service },
      '/ws': { target: service, ws: true }
    }
  }
})
