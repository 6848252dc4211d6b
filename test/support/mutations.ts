/** A payload that is wrong in one place. */
export interface Mutation {
  /** Description of the mutation, for the message of a failed test. */
  readonly label: string
  /** The field that was touched; undefined where the body was cut off. */
  readonly field: string | undefined
  readonly text: string
}

/**
 * Every mutation of a JSON payload with one field dropped, renamed or of another type, and bodies that were cut off. A
 * value never becomes null, which is how vendors say that there is none.
 */
export function* jsonMutations(text: string): Generator<Mutation> {
  const body: unknown = JSON.parse(text)
  for (const { path, value } of fieldsOf(body, [])) {
    const field = path.at(-1)!
    const label = path.join('.')
    const changed = (change: (parent: Record<string, unknown>) => void) => {
      const copy = structuredClone(body)
      change(parentOf(copy, path))
      return JSON.stringify(copy)
    }
    yield { label: `${label} dropped`, field, text: changed((parent) => delete parent[field]) }
    const renamed = changed((parent) => {
      parent[`${field}_2`] = parent[field]
      delete parent[field]
    })
    yield { label: `${label} renamed`, field, text: renamed }
    for (const other of otherTypes(value)) {
      const retyped = changed((parent) => {
        parent[field] = other
      })
      yield { label: `${label} as ${JSON.stringify(other)}`, field, text: retyped }
    }
  }
  yield* cutOff(text)
}

/**
 * Every mutation of a CSV payload: one column dropped, renamed or of another type, a line without its last cell, and
 * bodies that were cut off within a line. A body cut off between two lines is a valid table; only the length that HTTP
 * states could show the cut.
 */
export function* csvMutations(text: string): Generator<Mutation> {
  const [names, ...rows] = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(','))
  const written = (lines: readonly (readonly string[])[]) => lines.map((cells) => `${cells.join(',')}\r\n`).join('')
  for (const [at, field] of names.entries()) {
    const without = (cells: readonly string[]) => cells.toSpliced(at, 1)
    yield { label: `${field} dropped`, field, text: written([names, ...rows].map(without)) }
    yield { label: `${field} renamed`, field, text: written([names.with(at, `${field}_2`), ...rows]) }
    for (const other of ['', 'text', 'true', '12:30', '-', '0x1']) {
      const retyped = rows.map((cells) => cells.with(at, other))
      yield { label: `${field} as "${other}"`, field, text: written([names, ...retyped]) }
    }
  }
  const short = written([names, ...rows.map((cells) => cells.slice(0, -1))])
  yield { label: 'lines without their last cell', field: names.at(-1)!, text: short }
  for (const mutation of cutOff(text)) if (!mutation.text.endsWith('\n')) yield mutation
}

/** A text that ends too early, at a hundred places. */
export function* cutOff(text: string): Generator<Mutation> {
  const whole = text.trimEnd()
  for (let part = 0; part < 100; part++) {
    const end = Math.floor((whole.length * part) / 100)
    yield { label: `cut off after ${end} bytes`, field: undefined, text: whole.slice(0, end) }
  }
}

type Path = readonly string[]

function* fieldsOf(value: unknown, path: Path): Generator<{ readonly path: Path; readonly value: unknown }> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { path: [...path, name], value: inner }
    yield* fieldsOf(inner, [...path, name])
  }
}

function parentOf(body: unknown, path: Path): Record<string, unknown> {
  return path
    .slice(0, -1)
    .reduce((inner, name) => inner[name] as Record<string, unknown>, body as Record<string, unknown>)
}

function otherTypes(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [String(value), [], {}, true]
  if (typeof value === 'string') return [[], {}, true, 7]
  if (value === null) return ['none', {}, true]
  return ['text', 7, true]
}
