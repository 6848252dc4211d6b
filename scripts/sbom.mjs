// Writes the bill of materials of what the service runs, in CycloneDX 1.5, from the committed locks alone: the packages of
// package-lock.json that are no development packages, those that are bundled into the pages of the dashboard, and the
// pinned engine.
//
//   node scripts/sbom.mjs > gammawall.cdx.json
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

/** The bill of materials as an object. Its components are sorted by name and version. */
export function billOfMaterials() {
  const { name, version, license, packages } = read('package-lock.json')
  const engine = read('scripts/pinned/engine/package-lock.json').packages
  const shipped = [
    ...withDependencies(
      packages,
      Object.keys(packages).filter((path) => isShipped(path, packages[path]))
    ),
    ...withDependencies(
      packages,
      bundledIntoPages().map((dependency) => `node_modules/${dependency}`)
    ),
    ...withDependencies(
      engine,
      Object.keys(engine).filter((path) => path !== '')
    )
  ]
  const components = new Map(shipped.map(({ component }) => [component['bom-ref'], component]))
  const dependsOn = new Map(shipped.map(({ component, dependsOn }) => [component['bom-ref'], dependsOn]))
  const sorted = [...components.keys()].toSorted()
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        'bom-ref': `${name}@${version}`,
        type: 'application',
        name,
        version,
        licenses: [{ license: { id: license ?? packages[''].license } }]
      }
    },
    components: sorted.map((reference) => components.get(reference)),
    dependencies: sorted.map((reference) => ({ ref: reference, dependsOn: dependsOn.get(reference) }))
  }
}

function isShipped(path, { dev, link }) {
  return path.startsWith('node_modules/') && !dev && !link
}

/** Packages that the sources of the pages import. They are development packages, since the bundler puts them into files. */
function bundledIntoPages() {
  const files = readdirSync(join(root, 'dashboard/src'), { recursive: true, withFileTypes: true })
  const text = files
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n')
  const { devDependencies } = read('dashboard/package.json')
  return Object.keys(devDependencies).filter((name) => new RegExp(`from '${name}['/]`).test(text))
}

/** The packages at those paths of a lock and all below them, each with the references of its direct dependencies. */
function withDependencies(packages, paths) {
  const seen = new Set()
  const waiting = [...paths]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    waiting.push(...dependenciesOf(packages, path))
  }
  return [...seen].map((path) => ({
    component: componentOf(path, packages[path]),
    dependsOn: dependenciesOf(packages, path)
      .map((below) => referenceOf(below, packages[below]))
      .toSorted()
  }))
}

/** Paths of the packages that a package loads: the nearest folder node_modules that has them, as Node finds them. */
function dependenciesOf(packages, path) {
  const { dependencies, optionalDependencies } = packages[path]
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    for (let above = path; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
      const found = above === '' ? `node_modules/${name}` : `${above}/node_modules/${name}`
      if (packages[found] !== undefined) return [found]
      if (above === '') return [] // made for a platform that the registry lacks
    }
  })
}

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const referenceOf = (path, { version }) => `${nameOf(path)}@${version}`

function componentOf(path, entry) {
  const { version, integrity, license, optional } = entry
  const [algorithm, digest] = integrity.split('-')
  return {
    'bom-ref': referenceOf(path, entry),
    type: 'library',
    name: nameOf(path),
    version,
    scope: optional ? 'optional' : 'required',
    purl: `pkg:npm/${nameOf(path).replace('@', '%40')}@${version}`,
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }],
    ...(license && { licenses: [{ expression: license }] })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(`${JSON.stringify(billOfMaterials(), undefined, 2)}\n`)
}
