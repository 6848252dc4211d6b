import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { defineConfig, type Plugin } from 'vite'

const built = (path: string) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url))

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** In development Vite serves the pages, and a running service their data. */
const service = process.env['GAMMAWALL_URL'] ?? 'http://127.0.0.1:8080'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Makes the worker, one file at a name of its own that knows the files of the page it keeps. */
const worker: Plugin = {
  name: 'worker',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_, files) {
    const assets = Object.keys(files).filter((name) => /^assets\/.*\.(js|css)$/.test(name))
    const paths = ['/', '/mark.svg', '/manifest.webmanifest', ...assets.map((name) => `/${name}`).sort()]
    const name = createHash('sha256').update(`${version} ${paths.join()}`).digest('hex').slice(0, 12)
    const bundle = await rolldown({
      input: source('src/worker/worker.ts'),
      transform: { define: { SHELL: JSON.stringify({ name, paths }) } }
    })
    const { output } = await bundle.generate({ format: 'iife', minify: true })
    await bundle.close()
    this.emitFile({ type: 'asset', fileName: 'worker.js', source: output[0].code })
  }
}

export default defineConfig({
  plugins: [worker],
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
        // One file of what every page loads compresses better than thirty small ones. The first screen needs nothing of
        // what the service keeps of its reader, and neither dialogs nor files.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/@?preact|dashboard\/src\/(state\/(page|service|day)|parts)\/(?!(kept|kept-documents|posted|watchlists|dialog|once-dialog|export)\.)/,
              minShareCount: 2
            },
            // Dialogs that open over a page: small files that are half as large together.
            {
              name: 'dialogs',
              includeDependenciesRecursively: false,
              test: /dashboard\/src\/(parts\/(dialog|once-dialog|key-list|embed-dialog|calendar|export)|screens\/(reader\/(palette|go-list)|overview\/(bars-table|seen-bars|chart-lists|export-levels)))\.tsx?$/
            },
            // Settings and lists that the service keeps of its reader are loaded after every page.
            {
              name: 'kept',
              includeDependenciesRecursively: false,
              test: /dashboard\/src\/(state\/service\/(kept-documents|posted|watchlists)|screens\/reader\/kept-notes)\.tsx?$/
            },
            // Several screens draw with these.
            {
              name: 'drawn',
              includeDependenciesRecursively: false,
              test: /dashboard\/src\/(charts\/(pen|difference|ramp|by-expiration)|screens\/(stage\/toggle|alerts\/moment-text|ideas\/ideas-tabs))\.tsx?$/
            },
            // Styles that the first picture does without are half as large together as each by itself.
            {
              name: 'screens',
              test: /dashboard\/src\/style\/(?!(index|embed)\.)[\w-]+\.css$/
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
