// Joins the compiled modules of the program into a few files, dist/program. Node takes about a millisecond for each module
// it loads, every thread loads its own, and a service has four threads of up to 900 modules: a start is twice as quick.
// Packages, which come as hundreds of modules, are joined too. Those that the list `apart` names stay where npm has put
// them: some find files of theirs by their place, the others are loaded where something needs them and at no usual start.
// Then everything is loaded once, and what V8 made of it is kept beside it (`load-program.mjs`).
//
//   node scripts/bundle.mjs dist       reads dist/src, writes dist/program
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const folder = resolve(process.argv[2] ?? 'dist')
const program = join(folder, 'program')
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
/** Text that V8 holds with one byte a character: `load-program.mjs` reads it so. No template of the program is read raw. */
const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, `${folder}/src/${name}.js`])),
  platform: 'node',
  external: isApart,
  logLevel: 'warn'
})
rmSync(program, { recursive: true, force: true })
// Modules find the programs of threads beside their own folder; all files lie one folder deep, as those modules do.
const { output } = await bundle.write({
  dir: program,
  format: 'cjs',
  entryFileNames: ({ name }) => `chunks/${name.replaceAll('/', '-')}-[hash].cjs`,
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  comments: { legal: true, annotation: false, jsdoc: false },
  // What nearly every command and thread loads is one file, not thirty small ones.
  codeSplitting: { groups: [{ name: 'common', minShareCount: 16 }] }
})
await bundle.close()
for (const { fileName, code } of output) writeFileSync(join(program, fileName), inAscii(code))

copyFileSync(fileURLToPath(new URL('load-program.mjs', import.meta.url)), join(program, 'load.js'))
for (const { isEntry, name, fileName, exports } of output) {
  if (!isEntry) continue
  const upward = name
    .split('/')
    .slice(1)
    .map(() => '../')
    .join('')
  const place = `loadProgram(new URL('${upward}${fileName}', import.meta.url))`
  const text = `import { loadProgram } from '${upward}load.js'
${exports.length > 0 ? `export const { ${exports.join(', ')} } = ` : ''}${place}
`
  mkdirSync(dirname(join(program, name)), { recursive: true })
  writeFileSync(join(program, `${name}.js`), text)
}

// The files of entries run something; what they have beyond the others is little.
const files = output.filter(({ isEntry }) => !isEntry).map(({ fileName }) => join(program, fileName))
const keep = `import { keepCompiled, loadProgram } from ${JSON.stringify(pathToFileURL(join(program, 'load.js')))}
for (const file of ${JSON.stringify(files)}) loadProgram(file)
keepCompiled()
process.exit()`
const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', keep], {
  stdio: ['ignore', 'inherit', 'inherit']
})
process.exitCode = status ?? 1
