import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

// One word has one meaning: what `src` exports, and how its files are called.

const src = join(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !/\.(as|wasm)\.ts$|endpoint-types\.ts$/.test(file))

interface Exported {
  readonly name: string
  readonly file: string
  readonly isType: boolean
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(const|let|function\*?|class|interface|type|enum) (\w+)/gm
const exported: readonly Exported[] = files.flatMap((file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(declaration)].map(([, kind, name]) => ({
    name,
    file,
    isType: /class|interface|type/.test(kind)
  }))
)

/** Lists the names that occur in several files. */
function repeated<T>(items: readonly T[], nameOf: (item: T) => string, fileOf: (item: T) => string) {
  const places = new Map<string, Set<string>>()
  for (const item of items) places.set(nameOf(item), (places.get(nameOf(item)) ?? new Set()).add(fileOf(item)))
  return [...places].filter(([, where]) => where.size > 1).map(([name, where]) => `${name}: ${[...where].join(', ')}`)
}

const vendorOf = (file: string) => /^connectors\/(?!port|whole-market)(\w+)\//.exec(file)?.[1]
/** Schemas of quantities share their name with the unit they print. */
const isQuantity = ({ file }: Exported) => file === 'api/quantity.ts'
/** An endpoint or an input is called after the measure it answers with. */
const isDeclaration = ({ file }: Exported) => /^(endpoints|api\/inputs)\//.test(file)

test('an exported type has one meaning', () => {
  const types = exported.filter(({ isType }) => isType)
  expect(
    repeated(
      types,
      ({ name }) => name,
      ({ file }) => file
    )
  ).toEqual([])
})

test('so has an exported value, save the part that several vendors play and the declaration of a measure', () => {
  const values = exported.filter((each) => !isQuantity(each) && !isDeclaration(each))
  // Files of vendors stand for their role: two of one vendor are still two places.
  const counts = new Map<string, number>()
  for (const { name, file } of values) {
    const key = `${name} ${vendorOf(file)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const placeOf = ({ name, file }: Exported) =>
    vendorOf(file) !== undefined && counts.get(`${name} ${vendorOf(file)}`) === 1 ? 'a vendor' : file
  expect(repeated(values, ({ name }) => name, placeOf)).toEqual([])
})

test('files can be told apart by their name alone', () => {
  const named = files.filter((file) => !file.startsWith('endpoints/') && basename(file) !== 'index.ts')
  const own = named.filter((file) => !file.startsWith('api/inputs/'))
  expect(
    repeated(
      own,
      (file) => basename(file),
      (file) => file
    )
  ).toEqual([])
})

test('machinery has the word that every engineer knows', () => {
  const metaphor = /^(lease|lane|door|keeper|told|heard|beside|believed|newcomer|turns|wish|agenda|ground|looks?)$/
  const wordsOf = (name: string) => name.split(/(?=[A-Z])|[-_/.]/).map((word) => word.toLowerCase())
  const names = [
    ...exported.map(({ name, file }) => [name, file] as const),
    ...files.map((file) => [file, file] as const)
  ]
  const found = names.filter(([name]) => wordsOf(name).some((word) => metaphor.test(word)))
  expect(found.map(([name, file]) => `${name} (${file})`)).toEqual([])
})
