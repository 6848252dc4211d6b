import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// The table of market events in src/live/README.md against the code: an event that moves to another file moves there too.

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const declared = [
  ...(/interface MarketEvents \{([\s\S]*?)\n\}/.exec(read('src/live/market-events.ts'))?.[1] ?? '').matchAll(
    /^ {2}(\w+):/gm
  )
]
  .map(([, name]) => name)
  .sort()

const sources = ['app', 'live'].flatMap((folder) =>
  readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ file: `${folder}/${name}`, text: read(`src/${folder}/${name}`) }))
)

/** The files that do this with an event: `emit` it, or listen to it with `on`. */
const filesThat = (does: 'emit' | 'on', event: string) =>
  sources
    .filter(({ text }) => text.includes(`.${does}('${event}'`))
    .map(({ file }) => file)
    .sort()

const filesIn = (cell: string) => [...new Set([...cell.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) => file))].sort()

/** Emitting and listening files by event, as the page lists them. */
const listed = new Map(
  [...read('src/live/README.md').matchAll(/^\| (`\w+`(?:, `\w+`)*) \| (.*) \| (.*) \|$/gm)]
    .flatMap(([, names, emitters, listeners]) =>
      [...names.matchAll(/\w+/g)].map(([name]) => [name, { emit: filesIn(emitters), on: filesIn(listeners) }] as const)
    )
    .filter(([name]) => declared.includes(name))
)

test('the page lists every market event', () => {
  expect(declared).not.toEqual([])
  expect([...listed.keys()].sort()).toEqual(declared)
})

test.each(declared)('%s is emitted and listened to where the page says so', (event) => {
  expect(listed.get(event)).toEqual({ emit: filesThat('emit', event), on: filesThat('on', event) })
})
