import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerTable, answerTables, FLAT } from '../../../src/api/rows/answer-table.ts'
import type { SchemaNode } from '../../../src/api/schema-node.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { csvCell } from '../../../src/formats/written-csv.ts'
import { parsedCsv } from '../../support/csv.ts'
import { exampleUrl } from '../../support/example-url.ts'
import { type Service, service } from '../../support/service.ts'

type Json = null | string | number | boolean | readonly Json[] | { readonly [name: string]: Json }

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Scalars of an object by their path; arrays are left out, and so are fields that `open` names. */
function scalars(from: Json | undefined, open: ReadonlySet<string>, place: string): Readonly<Record<string, Json>> {
  if (!isObject(from)) return {}
  return Object.fromEntries(
    Object.entries(from).flatMap(([name, value]): [string, Json][] => {
      const path = place === '' ? name : `${place}.${name}`
      if (Array.isArray(value) || open.has(path)) return []
      if (!isObject(value)) return [[path, value]]
      return Object.entries(scalars(value, open, path))
    })
  )
}

interface Expected {
  readonly own: Readonly<Record<string, Json>>
  readonly around: Readonly<Record<string, Json>>
}

/** Rows of an array at a path, with the scalars of the elements around each. */
function expectedRows(from: Json | undefined, names: readonly string[], before = '', around = {}): readonly Expected[] {
  let found: Json | undefined = from
  for (const [k, name] of names.entries()) {
    found = isObject(found) ? found[name] : undefined
    const path = [...(before === '' ? [] : [before]), ...names.slice(0, k + 1)].join('.')
    if (!Array.isArray(found)) continue
    const rest = names.slice(k + 1)
    return found.flatMap((element: Json) => {
      if (rest.length === 0) {
        const own = isObject(element) ? scalars(element, nothing, '') : { value: element }
        return [{ own, around }]
      }
      const outer = Object.entries(scalars(element, nothing, '')).map(([name, value]) => [`${path}.${name}`, value])
      return expectedRows(element, rest, path, { ...around, ...Object.fromEntries(outer) })
    })
  }
  return []
}

const nothing: ReadonlySet<string> = new Set()

/** Objects with free names, which have no columns. */
function openFields({ properties = {}, patternProperties }: SchemaNode, place = ''): readonly string[] {
  if (patternProperties !== undefined) return [place]
  return Object.entries(properties).flatMap(([name, node]) =>
    openFields(node, place === '' ? name : `${place}.${name}`)
  )
}

/** A cell as it reads once its quotes are off. */
function text(value: Json | undefined): string {
  const cell = csvCell(value)
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
}

/** The account tells how many requests there were, so no two of its answers are alike. */
const differs = ['account.current']
const hasTables = endpoints.filter(({ id, formWanted }) => formWanted === undefined && !differs.includes(id))

describe('the tables of answers', () => {
  let running: Service
  let key: string
  beforeAll(() => {
    running = service()
    key = running.keyOn('enterprise')
  })
  afterAll(() => running.close())

  test.each(hasTables)('$id: every cell of CSV is that of JSON, in each of its tables', async (endpoint) => {
    const { url, method, payload } = exampleUrl(endpoint)
    const sent = { method, ...(payload !== undefined && { payload }) } as const
    const json = await running.ask(url, key, sent)
    const names = answerTables(endpoint).names
    const open = new Set(openFields(endpoint.response as SchemaNode))
    for (const name of names) {
      const asked = `${url}${url.includes('?') ? '&' : '?'}format=csv&rows=${name}`
      const response = await running.ask(asked, key, sent)
      expect(response.statusCode, response.body).toBe(json.statusCode)
      if (json.statusCode !== 200) {
        expect(response.json().error).toEqual(json.json().error)
        continue
      }
      expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(response.headers['x-ignored-parameters']).toBeUndefined()
      const [heading, ...lines] = parsedCsv(response.body)
      expect(heading).toEqual(answerTable(endpoint, name).columns.map((column) => column.name))
      expect(new Set(heading).size).toBe(heading.length)
      const answer = json.json() as Json
      const rows: readonly Expected[] =
        name === FLAT
          ? (Array.isArray(answer) ? answer : [answer]).map((each) => ({ own: scalars(each, open, ''), around: {} }))
          : name === '*'
            ? along(answer, heading)
            : expectedRows(answer, name.split('.'))
      expect(lines).toHaveLength(rows.length)
      for (const [k, { own, around }] of rows.entries()) {
        const cells = new Map(heading.map((column, at) => [column, lines[k][at]]))
        const told = new Set(['symbol', 'as_of', 'row'])
        for (const [field, value] of Object.entries({ ...around, ...own })) {
          const column = heading.includes(`rows.${field}`) ? `rows.${field}` : field
          if (value === null && !cells.has(column)) continue // an object or an array that is absent
          expect(cells.get(column), `${name} ${k} ${field}`).toBe(text(value))
          told.add(column)
        }
        for (const [column, cell] of cells) if (!told.has(column)) expect(cell, `${name} ${k} ${column}`).toBe('')
        if (cells.has('as_of')) expect(cells.get('as_of')).toMatch(/^2026-|^$/)
      }
    }
  })

  test('say which symbol and which moment they are about', async () => {
    const [heading, first] = parsedCsv((await running.ask('/v1/exposure/gex/SPY?format=csv', key)).body)
    expect(heading.slice(0, 4)).toEqual(['symbol', 'as_of', 'row', 'strike'])
    const { as_of } = (await running.ask('/v1/exposure/gex/SPY', key)).json()
    expect(first.slice(0, 3)).toEqual(['SPY', as_of, '0'])
    const [, flat] = parsedCsv((await running.ask('/v1/exposure/levels/SPY?format=csv', key)).body)
    expect(flat[0]).toBe('SPY')
  })
})

/** Rows of the arrays of scalars that a heading names. */
function along(answer: Json, heading: readonly string[]): readonly Expected[] {
  const names = heading.filter((name) => !['symbol', 'as_of', 'row'].includes(name))
  const arrays = names.map((name) => (answer as Readonly<Record<string, readonly Json[]>>)[name])
  return arrays[0].map((_, k) => ({
    own: Object.fromEntries(names.map((name, at) => [name, arrays[at][k]])),
    around: {}
  }))
}
