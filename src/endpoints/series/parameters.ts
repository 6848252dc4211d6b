import Type from 'typebox'
import { apiError } from '../../api/error.ts'
import { nearest } from '../../api/nearest.ts'
import { choice, type Parameter, printable, symbolInPath } from '../../api/params.ts'
import { easternDateTime, parseEasternDateTime } from '../../market/eastern.ts'
import { type Instant, type IsoDate, parseIsoDate } from '../../market/units.ts'
import { seriesFieldNames } from './fields.ts'
import { beginningOf, endOf, type SeriesStep, stepNames } from './stretch.ts'

const defaultFields = ['underlying_price', 'net_gex', 'gamma_flip', 'call_wall', 'put_wall'] as const

/** Parameter with the names of the requested fields, without duplicates, in the requested order. */
export function figureNames(absent: readonly string[]): Parameter<readonly string[]> {
  return {
    in: 'query',
    schema: Type.String({
      ...(absent.length > 0 && { default: absent.join() }),
      description: 'names of figures, comma separated, in the order wanted',
      examples: ['net_gex,gamma_flip']
    }),
    required: false,
    code: 'invalid_fields',
    missing: 'invalid_fields',
    example: 'net_gex,gamma_flip',
    read: (text) => {
      const names = text.split(',').map((name) => name.trim())
      const unknown = names.find((name) => !seriesFieldNames.includes(name))
      if (unknown !== undefined) throw unknownField(unknown)
      return [...new Set(names)]
    },
    absent
  }
}

function unknownField(name: string) {
  const [meant] = nearest(name.toLowerCase(), seriesFieldNames, 1)
  const hint = meant === undefined ? 'the documentation lists them' : `did you mean ${meant}?`
  return apiError('invalid_fields', `fields must be names of figures: ${hint}; it reads '${printable(name)}'`, {
    parameter: 'fields'
  })
}

const wallClock = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/

/**
 * Parameter for one end of the period. Accepts a New York date, which `ofDate` converts to a time, or a New York date
 * and time.
 */
export function periodEnd(
  code: 'invalid_from' | 'invalid_to',
  description: string,
  ofDate: (date: IsoDate) => Instant
): Parameter<Instant | undefined> {
  const form = 'a New York date, yyyy-MM-dd, or wall-clock moment, yyyy-MM-ddTHH:mm:ss'
  return {
    in: 'query',
    schema: Type.String({ description: `${form}: ${description}`, examples: ['2026-07-29'] }),
    required: false,
    code,
    missing: code,
    example: '2026-07-29T10:00:00',
    read: (text) => {
      const date = parseIsoDate(text)
      if (date !== undefined) return ofDate(date)
      if (!wallClock.test(text)) return undefined
      const whole = text.length === 16 ? `${text}:00` : text
      const at = parseEasternDateTime(whole)
      return at !== undefined && easternDateTime(at) === whole ? at : undefined
    },
    absent: undefined
  }
}

const every = choice<SeriesStep>({
  description:
    'of each so long a part of a session, counted from its open, the last row; 1d: the close of each session',
  spelling: Object.fromEntries(stepNames.map((name) => [name, name])) as Record<SeriesStep, SeriesStep>,
  default: '1m',
  code: 'invalid_every'
})

export const seriesParameters = {
  symbol: symbolInPath(),
  fields: figureNames(defaultFields),
  from: periodEnd('invalid_from', 'the first; without it the open of the session of as_of', beginningOf),
  to: periodEnd('invalid_to', 'the last, itself included; without it as_of', endOf),
  every
}
