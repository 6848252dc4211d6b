import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { projectRoot, temporaryFolder } from './support/started-service.ts'

interface PinnedScript {
  readonly pinnedFolder: string
  installPinned(set: string, place: string, options?: { readonly showProgress?: boolean }): void
  refusalOf(set: string, place: string, options?: { readonly full?: boolean }): string | undefined
  contentsOf(folder: string): string
}
interface EngineScript {
  setAsideRefused(root: string, say: (text: string) => void, set?: string): void
  fetchEngine(root: string, say: (text: string) => void, options?: { readonly set?: string }): void
  isEngineThere(root: string): boolean
}
const script = async (name: string) => import(pathToFileURL(join(projectRoot, `scripts/${name}.mjs`)).href)
const { pinnedFolder, installPinned, refusalOf, contentsOf }: PinnedScript = await script('pinned')
const { billOfMaterials } = await script('sbom')
const { setAsideRefused, fetchEngine, isEngineThere }: EngineScript = await script('engine')

// A registry on a thread of its own, since npm runs while this one waits. It serves whatever tarball lies in its folder.
const registry = `
const { createServer } = require('node:http')
const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { workerData, parentPort } = require('node:worker_threads')
const server = createServer(({ url }, response) => {
  const tarball = readFileSync(workerData + '/chdb.tgz')
  if (url.endsWith('.tgz')) return response.end(tarball)
  const address = 'http://127.0.0.1:' + server.address().port
  const integrity = 'sha512-' + createHash('sha512').update(tarball).digest('base64')
  const dist = { tarball: address + '/chdb/-/chdb-1.0.0.tgz', integrity }
  const versions = { '1.0.0': { name: 'chdb', version: '1.0.0', dist } }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ name: 'chdb', 'dist-tags': { latest: '1.0.0' }, versions }))
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

let published: string
let worker: Worker
const changed: Record<string, string | undefined> = {}

beforeAll(async () => {
  published = temporaryFolder()
  worker = new Worker(registry, { eval: true, workerData: published })
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  for (const [name, value] of [
    ['npm_config_registry', `http://127.0.0.1:${port}`],
    ['npm_config_cache', join(published, 'cache')]
  ]) {
    changed[name] = process.env[name]
    process.env[name] = value
  }
})

afterAll(async () => {
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  await worker.terminate()
})

let installed: string
let root: string
let set: string
let place: string

/** Publishes the package with a library of that text. Returns its tarball. */
function publish(library: string): Buffer {
  const folder = join(published, 'package')
  mkdirSync(join(folder, 'lib'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'chdb', version: '1.0.0' }))
  writeFileSync(join(folder, 'lib/library.so'), library)
  expect(spawnSync('tar', ['-czf', 'chdb.tgz', 'package'], { cwd: published }).status).toBe(0)
  return readFileSync(join(published, 'chdb.tgz'))
}

/** Pins what is published now. */
function pin(set: string, tarball: Buffer) {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  mkdirSync(set)
  const packages = { '': {}, 'node_modules/chdb': { version: '1.0.0', integrity } }
  writeFileSync(join(set, 'package-lock.json'), JSON.stringify({ packages }))
  const contents = { 'chdb@1.0.0': contentsOf(join(published, 'package')) }
  writeFileSync(join(set, 'contents.json'), JSON.stringify(contents))
}

beforeAll(() => {
  installed = temporaryFolder()
  pin(join(installed, 'set'), publish('native code'))
  installPinned(join(installed, 'set'), join(installed, '.engine'))
})

beforeEach(() => {
  root = temporaryFolder()
  set = join(root, 'set')
  place = join(root, '.engine')
  cpSync(installed, root, { recursive: true })
})

describe('a pinned package', () => {
  test('is installed from the tarball that is pinned, and accepted from then on', () => {
    expect(readFileSync(join(place, 'node_modules/chdb/lib/library.so'), 'utf8')).toBe('native code')
    expect(refusalOf(set, place)).toBeUndefined()
    expect(refusalOf(set, place, { full: true })).toBeUndefined()
  })

  test('is installed with its progress shown, of which nothing stays behind', () => {
    rmSync(place, { recursive: true })
    installPinned(set, place, { showProgress: true })
    expect(readdirSync(place).toSorted()).toEqual(['.verified.json', 'node_modules'])
    expect(refusalOf(set, place, { full: true })).toBeUndefined()
  })

  test('is refused with a tarball of another hash, and what was there before stays', () => {
    publish('hostile code')
    expect(() => installPinned(set, place)).toThrow(
      /^the tarball of chdb@1\.0\.0 is refused: it has sha512-.* is pinned$/
    )
    expect(refusalOf(set, place, { full: true })).toBeUndefined()
    expect(readdirSync(root).toSorted()).toEqual(['.engine', 'set'])
  })

  const library = () => join(place, 'node_modules/chdb/lib/library.so')
  test.each([
    [
      'whose library was swapped for one of the same size and time',
      'the files of chdb in',
      () => {
        const { atime, mtime } = statSync(library())
        writeFileSync(library(), 'hostile one')
        utimesSync(library(), atime, mtime)
      }
    ],
    ['of which a file is missing', 'the files of chdb in', () => rmSync(library())],
    [
      'with a file that was added',
      'the files of chdb in',
      () => writeFileSync(join(place, 'node_modules/chdb/x.js'), '')
    ],
    [
      'of which the folder is missing',
      'chdb@1.0.0 is missing in',
      () => rmSync(join(place, 'node_modules/chdb'), { recursive: true })
    ],
    [
      'beside which another package lies',
      'belongs to no pinned package',
      () => {
        mkdirSync(join(place, 'node_modules/planted'))
        writeFileSync(join(place, 'node_modules/planted/index.js'), '')
      }
    ]
  ])('is refused in a folder %s, though it was verified before', (_, sentence, change) => {
    expect(refusalOf(set, place)).toBeUndefined()
    change()
    expect(refusalOf(set, place)).toContain(sentence)
  })
})

describe('an engine', () => {
  test('that is not the pinned one is put aside, so that nothing loads it', () => {
    writeFileSync(join(place, 'node_modules/chdb/lib/library.so'), 'hostile code')
    const logged: string[] = []
    setAsideRefused(root, (text) => logged.push(text), set)
    expect(logged).toEqual([expect.stringContaining('is refused and now lies in .engine-refused: the files of chdb')])
    expect(isEngineThere(root)).toBe(false)
    expect(existsSync(join(root, '.engine-refused'))).toBe(true)
  })

  test('that the registry serves with other contents is not installed', () => {
    rmSync(place, { recursive: true })
    publish('hostile code')
    const logged: string[] = []
    fetchEngine(root, (text) => logged.push(text), { set })
    expect(logged.at(-1)).toMatch(/the tarball of chdb@1\.0\.0 is refused.*going on without history$/)
    expect(isEngineThere(root)).toBe(false)
  })
})

test('an engine is fetched into a folder that does not exist yet', () => {
  publish('code')
  const home = join(root, 'new', 'folder')
  const logged: string[] = []
  fetchEngine(home, (text) => logged.push(text), { set })
  expect(logged.at(-1)).toMatch(/the tarball of chdb@1\.0\.0 is refused.*going on without history$/)
  expect(existsSync(home)).toBe(true)
})

describe.each(readdirSync(pinnedFolder))('the committed lock of %s', (name) => {
  const read = (file: string) => JSON.parse(readFileSync(join(pinnedFolder, name, file), 'utf8'))

  test('has a version, an integrity and a digest of the files for every package, and no address of a registry', () => {
    const contents: Record<string, string> = read('contents.json')
    const packages: [string, { version: string; integrity: string; resolved?: string }][] = Object.entries(
      read('package-lock.json').packages
    )
    expect(packages.length).toBeGreaterThan(1)
    for (const [path, { version, integrity, resolved }] of packages.filter(([path]) => path !== '')) {
      expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/)
      expect(resolved).toBeUndefined()
      expect(contents[`${path.replace('node_modules/', '')}@${version}`]).toMatch(/^sha256-[\w+/]{43}=$/)
    }
    expect(Object.keys(contents)).toHaveLength(packages.length - 1)
  })

  test('is of the versions that its package.json asks for', () => {
    const { dependencies = {}, optionalDependencies = {} } = read('package.json')
    for (const [dependency, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      expect(read('package-lock.json').packages[`node_modules/${dependency}`].version).toBe(version)
    }
  })
})

describe('the bill of materials', () => {
  const bill: {
    readonly components: readonly { readonly name: string; readonly hashes: readonly { readonly content: string }[] }[]
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
  } = billOfMaterials()
  const names = bill.components.map(({ name }) => name)

  test('names what the service runs, what the pages contain and the engine, and no development packages', () => {
    const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
    expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies), 'preact', 'chdb']))
    expect(names.filter((name) => ['vitest', 'typescript', 'vite', 'playwright-core'].includes(name))).toEqual([])
  })

  test('has a SHA-512 for each component, and depends on components that it names', () => {
    for (const { hashes } of bill.components) expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/)
    const known = new Set(bill.dependencies.map(({ ref }) => ref))
    expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref))).toEqual([])
  })
})
