import type { Called } from './mcp-service.ts'

type Call = (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Called>
type Fields = Readonly<Record<string, unknown>>

interface Found {
  readonly tool: string
  readonly view: string
  readonly arguments: readonly string[]
  readonly figures: readonly string[]
}

/** A figure in an answer: its path without positions of rows, and its value. */
export interface Figure {
  readonly path: string
  readonly value: unknown
}

export interface Attempt {
  readonly calls: readonly { readonly call: string; readonly bytes: number; readonly figures: readonly Figure[] }[]
}

const CALLS = 3

/**
 * Stands in for a model: it knows the list of tools and nothing else of the service. It asks `find` with the words of the question and
 * calls what comes back, best first, with what the question gives, until three calls are used.
 */
export async function attempt(question: string, given: Fields, call: Call): Promise<Attempt> {
  const first = await call('find', { words: question })
  const found: readonly Found[] = first.structuredContent.found ?? []
  const calls = [{ call: 'find', bytes: sizeOf(first), figures: [] as readonly Figure[] }]
  for (const candidate of found) {
    if (calls.length === CALLS) break
    const args = argumentsFor(candidate, given)
    if (args === undefined) continue
    const answer = await call(candidate.tool, { view: candidate.view, ...args })
    const figures = answer.isError ? [] : figuresIn(answer.structuredContent.data, answer.structuredContent.part ?? '')
    calls.push({ call: `${candidate.tool} ${candidate.view} ${JSON.stringify(args)}`, bytes: sizeOf(answer), figures })
  }
  return { calls }
}

/** What a view takes of what the question gives; undefined if it needs something else. */
function argumentsFor({ arguments: names, figures }: Found, { row, at, ...given }: Fields): Fields | undefined {
  const taken = names.map((name) => name.replace('*', ''))
  const needed = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  if (!needed.every((name) => Object.hasOwn(given, name))) return undefined
  const own = Object.fromEntries(taken.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]))
  const list = figures.map((figure) => /^(\w+)\[\]/.exec(figure)?.[1]).find((name) => name !== undefined)
  const part = row !== undefined && list !== undefined ? { part: `${list}[${row}]` } : {}
  return { ...own, ...(at !== undefined && { at }), ...part }
}

/** All figures of an answer; columns and rows are read as the rows that they stand for. */
export function figuresIn(value: unknown, path: string): readonly Figure[] {
  const bare = path.replace(/\[[^\]]*\]/g, '')
  if (Array.isArray(value)) return value.flatMap((each) => figuresIn(each, bare))
  if (typeof value !== 'object' || value === null) return [{ path: bare, value }]
  const { columns, rows, values } = value as {
    columns?: readonly string[]
    rows?: readonly unknown[][]
    values?: unknown
  }
  if (Array.isArray(columns) && Array.isArray(rows) && rows.every(Array.isArray)) {
    return rows.flatMap((row) => columns.map((name, k) => ({ path: `${bare}.${name}`, value: row[k] })))
  }
  if (Array.isArray(values)) return figuresIn(values, bare)
  return Object.entries(value).flatMap(([name, inner]) => figuresIn(inner, bare === '' ? name : `${bare}.${name}`))
}

const sizeOf = (result: Called) => Buffer.byteLength(JSON.stringify(result))
