// Builds what a start runs:
//
//   program/     the service and its command line, joined into a few files with source maps
//   src/client/  the client that other programs import: one file that needs no other, and its declarations
//   dashboard/   the pages of the dashboard
//   docs/        the pages of the documentation, each as HTML and as Markdown
//
//   node scripts/build.mjs [folder]    dist unless another is named
//
// The program is joined because Node takes about a millisecond for each module, and each of the five threads of a service
// loads up to 900. Packages are joined too, except those that `apart` names: some find files of theirs by their place, others
// are loaded only where something needs them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { docsPages } from './docs-pages.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = resolve(process.argv[2] ?? join(root, 'dist'))
const entries = ['cli/main', 'workers/engine-thread', 'workers/job-thread', 'tape/thread/tape-thread']
const apart = [
  'libsql',
  'pg',
  '@redis/client',
  'echarts',
  'openid-client',
  '@clickhouse/client',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'yauzl'
]

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  platform: 'node',
  external: (id) => apart.some((name) => id === name || id.startsWith(`${name}/`)),
  logLevel: 'warn'
})
rmSync(folder, { recursive: true, force: true })
const { output } = await bundle.write({
  dir: join(folder, 'program'),
  format: 'esm',
  sourcemap: true,
  sourcemapExcludeSources: true,
  // Modules find the programs of threads beside their own folder, so every joined file lies one folder deep.
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  comments: { legal: true, annotation: false, jsdoc: false },
  // Puts modules that nearly every command and thread loads into one file instead of thirty small ones.
  codeSplitting: { groups: [{ name: 'common', minShareCount: 16 }] }
})
await bundle.close()
// V8 keeps the text of each file in the heap of each thread, with two bytes for every character if a single one is beyond
// Latin-1; one file is 1.3 MB long. So such characters, which stand in texts and comments only, become escapes.
for (const { fileName, code } of output) {
  const inLatin1 = code?.replaceAll(
    /[\u0100-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
  if (inLatin1 !== code) writeFileSync(join(folder, 'program', fileName), inLatin1)
}

const client = await rolldown({ cwd: root, input: 'src/client/client.ts', platform: 'browser', logLevel: 'warn' })
await client.write({ file: join(folder, 'src/client/client.js'), format: 'esm', sourcemap: true })
await client.close()

build('typescript/bin/tsc', '-p', 'tsconfig.client.json', '--outDir', folder)
nameDeclarations(join(folder, 'src'))
build('vite/bin/vite.js', 'build', 'dashboard', '--outDir', join(folder, 'dashboard'), '--logLevel', 'error')

for (const { name, content } of docsPages(join(root, 'docs'))) {
  const file = join(folder, 'docs', name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Has the declarations import one another by the names that every compiler finds: .js instead of .ts. */
function nameDeclarations(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter((each) => each.endsWith('.d.ts'))) {
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=(?:from|import\() ?'\.[^']*)\.ts(?=')/g, '.js'))
  }
}

function build(command, ...args) {
  const options = { cwd: root, stdio: 'inherit' }
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', command), ...args], options)
  if (status !== 0) process.exit(status ?? 1)
}
