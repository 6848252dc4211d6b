// Joins the compiled modules of the program into a few files, dist/program. Node takes about a millisecond for each module
// it loads, every thread loads its own, and a service has four threads of up to 900 modules: a start is twice as quick.
// The packages that come as hundreds of modules are joined too; all others stay where npm has put them.
//
//   node scripts/bundle.mjs dist       reads dist/src, writes dist/program
import { resolve } from 'node:path'
import { rolldown } from 'rolldown'

const folder = resolve(process.argv[2] ?? 'dist')
const entries = ['cli/main', 'workers/engine-thread', 'workers/job-thread', 'tape/thread/tape-thread']
const joined = ['typebox', 'kysely']
const isPackage = (id) => /^[@\w]/.test(id)
const isJoined = (id) => joined.some((name) => id === name || id.startsWith(`${name}/`))

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, `${folder}/src/${name}.js`])),
  platform: 'node',
  external: (id) => isPackage(id) && !isJoined(id),
  logLevel: 'warn'
})
// Modules find the programs of threads beside their own folder; chunks lie one folder deep, as those modules do.
await bundle.write({
  dir: `${folder}/program`,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js'
})
await bundle.close()
