import type { Chance } from './chance.ts'
import type { HostileRequest } from './exchange.ts'
import { hostileValue, type Known, soundValue, spoiled } from './hostile-values.ts'
import type { Operation } from './interface-document.ts'

// Requests made from declared operations: each is valid except for what chance spoils.

/** Keys by plan; a request may carry any of them, none, or something that is none. */
export type Keys = Readonly<Record<string, string>>

/** How often each part of a request is spoiled. */
const SPOILED_PARAMETER = 0.25
const SPOILED_PATH = 0.12
const SPOILED_BODY = 0.5

const oddHeaders: readonly (readonly [string, string])[] = [
  ['accept', 'application/xml'],
  ['accept-encoding', 'br;q=0, gzip;q=0, *;q=0'],
  ['accept-encoding', 'zstd, compress, x'],
  ['if-none-match', '*'],
  ['if-none-match', '"a", W/"b", c'],
  ['if-modified-since', 'never'],
  ['range', 'bytes=5-1'],
  ['x-forwarded-for', '1.2.3.4, ::1, junk'],
  ['x-forwarded-proto', 'gopher'],
  ['x-http-method-override', 'DELETE'],
  ['authorization', 'Bearer abc'],
  ['cookie', 'a=b; __proto__=1'],
  ['origin', 'null'],
  ['x-request-id', 'a'.repeat(300)],
  ['content-encoding', 'gzip'],
  ['user-agent', '']
]

const contentTypes = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'x',
  ';'
]

/** Spoils nothing: what a client that read the document sends. */
export function soundRequest(operation: Operation, known: Known, key: string, chance: Chance): HostileRequest {
  const { method, path, parameters, body } = operation
  const query = parameters.flatMap(({ name, in: place, required, schema }) =>
    place === 'query' && required
      ? [`${name}=${encodeURIComponent(String(soundValue(name, schema, known, chance)))}`]
      : []
  )
  const headers = { 'x-api-key': key }
  const target = targetOf(
    filled(path, (name) => encodeURIComponent(String(soundValue(name, {}, known, chance)))),
    query
  )
  if (body === undefined) return { method, target, headers }
  const text = JSON.stringify(soundValue('', body, known, chance))
  return { method, target, headers: { ...headers, 'content-type': 'application/json' }, body: text }
}

export function hostileRequest(operation: Operation, known: Known, keys: Keys, chance: Chance): HostileRequest {
  const { parameters, body } = operation
  const path = filled(operation.path, (name) =>
    chance.happens(SPOILED_PATH)
      ? spoiledSegment(chance)
      : encodeURIComponent(String(soundValue(name, {}, known, chance)))
  )
  const query: string[] = []
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== 'query' || !(required ? chance.happens(0.95) : chance.happens(0.6))) continue
    const value = chance.happens(SPOILED_PARAMETER)
      ? hostileValue(schema, chance)
      : soundValue(name, schema, known, chance)
    query.push(`${chance.happens(0.03) ? spoiledName(name, chance) : name}=${written(value, chance)}`)
    if (chance.happens(0.04)) query.push(query.at(-1)!)
  }
  if (chance.happens(0.05))
    query.push(chance.pick(['=', '&&', 'x', '__proto__=1', 'a[]=1', '%', '%ff=%ff', `${'q'.repeat(300)}=1`]))
  const headers: Record<string, string> = {}
  keyInto(headers, query, keys, chance)
  headers['accept-encoding'] = chance.pick(['gzip', 'br', 'deflate', 'identity', 'gzip, br', '*'])
  if (chance.happens(0.15)) {
    const [name, value] = chance.pick(oddHeaders)
    headers[name] = value
  }
  const method = chance.happens(0.06)
    ? chance.pick(['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'GET'])
    : operation.method
  const sent = method === 'GET' || method === 'HEAD' ? undefined : bodyOf(body, known, headers, chance)
  return { method, target: targetOf(path, query), headers, ...(sent !== undefined && { body: sent }) }
}

function bodyOf(
  schema: Operation['body'],
  known: Known,
  headers: Record<string, string>,
  chance: Chance
): string | undefined {
  if (schema === undefined && chance.happens(0.7)) return undefined
  headers['content-type'] = chance.happens(0.06) ? chance.pick(contentTypes) : 'application/json'
  const sound = soundValue('', schema ?? {}, known, chance)
  const text = JSON.stringify(chance.happens(SPOILED_BODY) ? spoiled(sound, chance) : sound)
  if (chance.happens(0.85)) return text
  return chance.pick([
    '',
    text.slice(0, chance.below(text.length + 1)),
    `\ufeff${text}`,
    `${text}${text}`,
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
    `{"__proto__":{"legs":[]},"constructor":{"prototype":1}}`,
    `{"legs":1,"legs":[]}`,
    `"${'x'.repeat(2_000_000)}"`,
    '\0',
    'NaN'
  ])
}

function keyInto(headers: Record<string, string>, query: string[], keys: Keys, chance: Chance): void {
  const draw = chance.next()
  if (draw < 0.75) headers['x-api-key'] = keys['enterprise']
  else if (draw < 0.9) headers['x-api-key'] = chance.pick(Object.values(keys))
  else if (draw < 0.94) query.push(`apiKey=${chance.pick(Object.values(keys))}`)
  else if (draw < 0.97) headers['x-api-key'] = chance.pick(['', 'x', 'gw_live_', 'a'.repeat(3000), "' OR 1=1 --"])
}

const filled = (path: string, segment: (name: string) => string) =>
  path.replace(/\{(\w+)\}/g, (_, name) => segment(name))
const targetOf = (path: string, query: readonly string[]) => (query.length === 0 ? path : `${path}?${query.join('&')}`)

/** A value in an address: mostly encoded as it must be, sometimes as careless clients do. */
function written(value: unknown, chance: Chance): string {
  const text = typeof value === 'string' ? wellFormed(value) : String(JSON.stringify(value))
  if (chance.happens(0.05)) return chance.pick(['%', '%zz', '%ff', '%c0%80', '%00', '%F0%9F'])
  if (chance.happens(0.1) && /^[!-~]*$/.test(text)) return text.replace(/[#?]/g, '')
  return encodeURIComponent(text)
}

function spoiledSegment(chance: Chance): string {
  if (chance.happens(0.3))
    return chance.pick(['%', '%zz', '%ff', '%00', '%2F', '..', '.', '%2e%2e%2fadmin', '', 'a;b', 'A%20B', '//'])
  const value = hostileValue({}, chance)
  return encodeURIComponent(wellFormed(typeof value === 'string' ? value : String(JSON.stringify(value))))
}

const spoiledName = (name: string, chance: Chance) =>
  chance.pick([`${name}[]`, `${name}.x`, name.toUpperCase(), `${name}%00`, name.slice(0, -1), `%${name}`])

/** Half of a surrogate pair cannot be written in an address. */
const wellFormed = (text: string) => Buffer.from(text).toString()
