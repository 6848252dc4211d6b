import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import type { Form } from '../../api/endpoint.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import { choice, type Parameter } from '../../api/params.ts'
import { Day, Decimal, Name, Note, Nullable, Price, Words } from '../../api/quantity.ts'
import { roundTo } from '../../api/rounding.ts'
import { chartLevelIds, chartLevels as levelsOf } from '../../exposure/levels/chart-levels.ts'
import { familyOf } from '../../market/instrument-family.ts'
import { readSymbol } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import { chartLabel } from '../../wording/chart-labels.ts'
import { conversionTo } from './chart-levels/conversion.ts'
import { type FormatName, formats, type WrittenLevels, written } from './chart-levels/formats.ts'
import { setScope, setScopeSchema } from './scope-block.ts'
import { bySet, sameDayGate, scopeAsked, scoped } from './scoped.ts'

const formatNames = ['json', ...Object.keys(formats)] as readonly FormatName[]

const format = choice<FormatName>({
  description: formatNames.join(', '),
  spelling: Object.fromEntries(formatNames.map((name) => [name, name])) as { readonly [Name in FormatName]: Name },
  default: 'json',
  code: 'invalid_format'
})

const as: Parameter<Ticker | undefined> = {
  in: 'query',
  schema: Type.String({ description: 'another instrument on the same index: an index, a fund or a future' }),
  required: false,
  code: 'invalid_as',
  missing: 'invalid_as',
  example: 'AAPL',
  absent: undefined,
  read: readSymbol
}

/**
 * Instrument to whose prices the levels are converted, such as ES for levels of SPX. Undefined if it does not belong to
 * the same index family.
 */
const targetOf = (symbol: Ticker, as: Ticker) => familyOf(symbol).find((member) => member.symbol === as)

/**
 * Declares a response format with the given media type. Several chart formats may share a media type; the `format`
 * parameter picks one of them.
 */
const formOf = (type: string): Form => ({
  type,
  write: (answer: WrittenLevels, zone, { format }: { readonly format: FormatName }) =>
    new TextEncoder().encode(written(answer, format, zone))
})

export const chartLevels = endpoint({
  id: 'exposure.chart_levels',
  path: '/v1/exposure/chart-levels/{symbol}',
  tag: 'exposure',
  summary: 'Key levels in the form that charting programs read',
  description:
    'Key levels ready for a charting program: JSON, CSV, Pine, thinkScript, NinjaTrader or Sierra, by `format`; converted to another index, fund or future of the family by `as`.',
  plan: 'basic',
  gates: [sameDayGate],
  varies: ['same_day'],
  needs: ['chain', 'secondChain'],
  secondSymbolRead: ({ symbol, as = symbol }) => {
    const target = as === symbol ? undefined : targetOf(symbol, as)
    const other = target?.tick === undefined ? target?.symbol : target.index
    return other === symbol ? undefined : other
  },
  params: { ...scoped, format, as },
  ...bySet,
  check: ({ symbol, as = symbol }) => {
    if (as === symbol || targetOf(symbol, as) !== undefined) return
    const names = familyOf(symbol).map((member) => member.symbol)
    throw apiError('invalid_as', `as must be one of ${names.join(', ')}`, { parameter: 'as' })
  },
  forms: ['text/csv', 'text/plain'].map(formOf),
  formWanted: ({ format }) => (format === 'json' ? undefined : formats[format].type),
  errors: ['no_data'],
  replay: true,
  stream: false,
  response: Type.Object({
    ...envelope,
    as: Name('the instrument that the prices are of'),
    basis: Nullable(
      Type.Object(
        {
          factor: Decimal(8, 'ratio', 'price over level'),
          expiry: Nullable(Day('of the future; null for an index or fund')),
          rate: Nullable(Decimal(6, 'fraction', 'until expiry, continuously compounded')),
          yield: Nullable(Decimal(6, 'fraction', 'of the index until expiry, as the forward implies it'))
        },
        { title: 'ChartBasis', description: 'null where the prices are of the symbol itself' }
      )
    ),
    levels: Type.Array(
      Type.Object(
        {
          id: Words(...chartLevelIds),
          label: Note('name and level of the symbol'),
          price: Price('of the instrument')
        },
        { title: 'ChartLevel' }
      ),
      { ...rowKey('id'), description: 'in the order of the ids; one that does not exist is left out' }
    ),
    ...setScopeSchema
  }),
  answer: ({ chain, secondChain }, { symbol, as = symbol, ...asked }, { caller }) => {
    const scope = scopeAsked(chain, asked)
    const conversion = as === symbol ? undefined : conversionTo(targetOf(symbol, as)!, chain, secondChain)
    const levels = levelsOf(scope, { sameDay: caller.has('same_day') }).map(({ id, price, isStrike }) => ({
      id,
      label: chartLabel(id, price, conversion && symbol),
      price: conversion?.round(price * conversion.factor) ?? (isStrike ? price : roundTo(price, 2))
    }))
    return {
      ...header(chain),
      as,
      basis: conversion && {
        factor: conversion.factor,
        expiry: conversion.carry?.expiry,
        rate: conversion.carry?.rate,
        yield: conversion.carry?.impliedYield
      },
      levels,
      ...setScope(scope, asked)
    }
  }
})
