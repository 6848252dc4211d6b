import type { Chance } from './chance.ts'
import type { Schema } from './interface-document.ts'

// Values made from a schema: valid ones, barely invalid ones, and ones that no program expects.

/** Values that a running service is known to have, by the name of the parameter that takes them. */
export type Known = ReadonlyMap<string, readonly string[]>

const numbers = [0, -0, -1, 1, 0.5, -1e-9, 1e-320, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 5e-324]

/** Texts that break readers of text, numbers, dates, paths, headers, SQL and prototypes. */
const rubbish: readonly string[] = [
  ...[
    '',
    ' ',
    '\t',
    '\0',
    '\r\nset-cookie: a=b',
    '\u202e',
    '\ufeff',
    '\ud83d\ude00',
    '\ud800',
    '\u0661\u0662',
    'ﬀ',
    'é',
    'ß',
    'İ'
  ],
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'null',
    'undefined',
    'true',
    '0x10',
    '1_000',
    '1e400',
    '+1',
    '1,5',
    '٣',
    '--1',
    '1.'
  ],
  ...[
    '2026-02-30',
    '2026-13-01',
    '0000-00-00',
    '9999-12-31',
    '10000-01-01',
    '2026-7-9',
    '2026-07-29T25:00:00',
    '20260729'
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '../../etc/passwd',
    '%2e%2e%2f',
    '$' + '{7*7}',
    '{{7*7}}'
  ],
  ...[
    "' OR 1=1 --",
    '"; DROP TABLE users; --',
    '<script>alert(1)</script>',
    '[object Object]',
    '[]',
    '{}',
    '[1',
    ',',
    ',,,'
  ],
  ...[
    'SPY,',
    ',SPY',
    'SPY,,AAPL',
    'SPY AAPL',
    '^SPX',
    '$SPX',
    '.SPX',
    'I:SPX',
    '_MARKET',
    'SPX.',
    'A.B.C',
    'gw_live_' + 'a'.repeat(38)
  ]
]

/** A number that the bounds of a schema allow. */
function allowedNumber({ minimum, maximum, exclusiveMinimum, type }: Schema, chance: Chance): number {
  const least = minimum ?? exclusiveMinimum ?? -1000
  const most = maximum ?? Math.max(1000, least * 2 + 1000)
  const whole = type === 'integer'
  if (chance.happens(0.2) && minimum !== undefined) return minimum
  if (chance.happens(0.2) && maximum !== undefined) return maximum
  // Small values are the usual ones where the range is astronomic.
  const top = chance.happens(0.7) ? Math.min(most, least + 1000) : most
  const value = least + chance.next() * (top - least)
  return whole ? Math.min(most, Math.ceil(value)) : value
}

/** A value that a schema allows, known ones first. */
export function soundValue(name: string, schema: Schema, known: Known, chance: Chance): unknown {
  const listed = known.get(name)
  if (listed !== undefined && listed.length > 0 && chance.happens(0.9)) return chance.pick(listed)
  if (schema.enum !== undefined) return chance.pick(schema.enum)
  if (schema.anyOf !== undefined) return soundValue(name, chance.pick(schema.anyOf), known, chance)
  if (schema.examples !== undefined && chance.happens(0.8)) return chance.pick(schema.examples)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  if (type === 'number' || type === 'integer') return allowedNumber({ ...schema, type }, chance)
  if (type === 'boolean') return chance.happens(0.5)
  if (type === 'null') return null
  if (type === 'array') {
    return Array.from({ length: 1 + chance.below(4) }, () => soundValue(name, schema.items ?? {}, known, chance))
  }
  if (type === 'object' || schema.properties !== undefined) {
    const wanted = Object.entries(schema.properties ?? {}).filter(
      ([field]) => schema.required?.includes(field) || chance.happens(0.5)
    )
    return Object.fromEntries(wanted.map(([field, inner]) => [field, soundValue(field, inner, known, chance)]))
  }
  return schema.format === 'date' ? '2026-12-18' : chance.pick(['call', 'put', 'SPY', 'a', '1'])
}

/** A value that no program expects: beyond a bound, of another type, in another script, far too long. */
export function hostileValue(schema: Schema, chance: Chance): unknown {
  switch (chance.below(7)) {
    case 0:
      return beyond(schema, chance)
    case 1:
      return chance.pick(numbers)
    case 2:
      return chance.pick([null, true, false, [], {}, [[]], [null], { toString: 1 }] as readonly unknown[])
    case 3:
      return 'A'.repeat(chance.pick([11, 37, 65, 201, 5000]))
    case 4:
      return '9'.repeat(chance.pick([20, 400]))
    case 5:
      return String.fromCodePoint(...Array.from({ length: 1 + chance.below(12) }, () => chance.below(0xd7ff)))
    default:
      return chance.pick(rubbish)
  }
}

function beyond({ minimum, maximum, exclusiveMinimum }: Schema, chance: Chance): number {
  const low = minimum ?? exclusiveMinimum ?? 0
  return chance.pick([
    low - 1,
    low - 1e-9,
    (maximum ?? 1e12) + 1,
    (maximum ?? 1e12) * 2,
    low + 0.5,
    exclusiveMinimum ?? low
  ])
}

/** A body that is wrong in one place: a leaf replaced, a field left out or one too many, an item a hundred times. */
export function spoiled(body: unknown, chance: Chance): unknown {
  if (Array.isArray(body) && body.length > 0) {
    if (chance.happens(0.2)) return Array.from({ length: chance.pick([0, 101, 3000]) }, () => body[0])
    const at = chance.below(body.length)
    return body.map((item, i) => (i === at ? spoiled(item, chance) : item))
  }
  if (typeof body === 'object' && body !== null && Object.keys(body).length > 0 && chance.happens(0.9)) {
    const fields = Object.entries(body)
    const at = chance.below(fields.length)
    if (chance.happens(0.15)) return Object.fromEntries(fields.filter((_, i) => i !== at))
    if (chance.happens(0.15)) return Object.fromEntries([...fields, [String(chance.pick(rubbish)), 1]])
    return Object.fromEntries(fields.map(([name, value], i) => [name, i === at ? spoiled(value, chance) : value]))
  }
  return hostileValue({}, chance)
}
