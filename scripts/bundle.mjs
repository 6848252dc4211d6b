// Joins the compiled modules of the program into a few files, dist/program. Node takes about a millisecond for each module
// it loads, every thread loads its own, and a service has four threads of up to 900 modules: a start is twice as quick.
// Packages, which come as hundreds of modules, are joined too. Those that the list `apart` names stay where npm has put
// them: some find files of theirs by their place, the others are loaded where something needs them and at no usual start.
//
//   node scripts/bundle.mjs dist       reads dist/src, writes dist/program
import { resolve } from 'node:path'
import { rolldown } from 'rolldown'

const folder = resolve(process.argv[2] ?? 'dist')
const entries = ['cli/main', 'workers/engine-thread', 'workers/job-thread', 'tape/thread/tape-thread']
const apart = [
  'libsql',
  'echarts',
  '@clickhouse/client',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'yauzl'
]
const isApart = (id) => apart.some((name) => id === name || id.startsWith(`${name}/`))

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, `${folder}/src/${name}.js`])),
  platform: 'node',
  external: isApart,
  logLevel: 'warn'
})
// Modules find the programs of threads beside their own folder; chunks lie one folder deep, as those modules do.
await bundle.write({
  dir: `${folder}/program`,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // What nearly every command and thread loads is one file, not thirty small ones.
  codeSplitting: { groups: [{ name: 'common', minShareCount: 16 }] }
})
await bundle.close()
