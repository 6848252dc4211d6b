import Type from 'typebox'
import { type ExpirationKind, type ExpirationSet, expirationKinds, expirationSet } from '../market/expiration-set.ts'
import { type IsoDate, parseIsoDate } from '../market/units.ts'
import { apiError } from './error.ts'
import { type Parameter, type ParameterContext, type ValuesOf, whole } from './params.ts'

const MAX_DATES = 60
const MAX_DTE = 4000

const listOf = (text: string) => [...new Set(text.split(',').map((one) => one.trim().toLowerCase()))].sort()
const canonical = (text: string) => listOf(text).join()

const setParameter = {
  in: 'query',
  required: false,
  code: 'invalid_expirations',
  missing: 'invalid_expirations',
  absent: undefined,
  canonical
} as const

const expirations: Parameter<ExpirationSet | undefined> = {
  ...setParameter,
  schema: Type.String({
    description: `a list of 1 to ${MAX_DATES} dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together`,
    examples: ['2026-08-21,2026-09-18']
  }),
  example: '2026-08-21,0dte',
  unlike: ['expiration', 'expiry'],
  read(text, { today }) {
    const dates = listOf(text).map((word) => (word === '0dte' ? today : parseIsoDate(word)))
    if (dates.length > MAX_DATES || dates.includes(undefined)) return undefined
    return { dates: [...new Set(dates as IsoDate[])].sort() }
  }
}

const days = (which: string) =>
  whole({
    description: `a whole number of calendar days to expiration, 0 to ${MAX_DTE}: ${which}`,
    minimum: 0,
    maximum: MAX_DTE,
    code: 'invalid_expirations',
    example: '7'
  })

const expiryType: Parameter<readonly ExpirationKind[] | undefined> = {
  ...setParameter,
  schema: Type.String({
    description: `a list of ${expirationKinds.join(', ')}, comma separated; today's expiration is 0dte alone`,
    examples: ['monthly,quarterly']
  }),
  example: 'monthly',
  read(text) {
    const words = listOf(text)
    const kinds = expirationKinds.filter((kind) => words.includes(kind))
    return kinds.length === words.length ? kinds : undefined
  }
}

/**
 * Parameters that pick any set of expirations. They intersect. After `combineExpirations` the value of `expirations` is
 * the whole set and the others are undefined.
 */
export const expirationSetParameters = {
  expirations,
  dte_min: days('expirations before are left out'),
  dte_max: days('later expirations are left out'),
  expiry_type: expiryType
}

type SetParams = ValuesOf<typeof expirationSetParameters> & { readonly expiration?: IsoDate | undefined }

/**
 * Puts the parameters of a set into their one canonical form, so that equal sets are equal parameters. Throws
 * invalid_expirations for a set beside `expiration`, and for days of which none is left.
 */
export function combineExpirations<Params extends SetParams>(params: Params, { today }: ParameterContext): Params {
  const { expiration, expirations: listed, dte_min: min, dte_max: max, expiry_type: kinds } = params
  if (listed === undefined && min === undefined && max === undefined && kinds === undefined) return params
  if (expiration !== undefined) {
    throw apiError('invalid_expirations', 'expiration picks one date and the other filters pick a set: send either', {
      parameter: 'expiration'
    })
  }
  if (min !== undefined && max !== undefined && min > max) {
    throw apiError('invalid_expirations', `dte_min must not be above dte_max; they read ${min} and ${max}`, {
      parameter: 'dte_min'
    })
  }
  const isListAlone = min === undefined && max === undefined && kinds === undefined
  if (isListAlone) return params
  const open = { today, minDays: min ?? 0, maxDays: max, kinds: kinds ?? expirationKinds }
  const dates = listed !== undefined && 'dates' in listed ? listed.dates : undefined
  return {
    ...params,
    expirations: expirationSet(dates, open),
    dte_min: undefined,
    dte_max: undefined,
    expiry_type: undefined
  }
}
