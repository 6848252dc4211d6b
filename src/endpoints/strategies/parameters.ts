import { choice, expiry, number, symbolInPath, whole } from '../../api/params.ts'

export const symbol = symbolInPath()

export const anyExpiry = expiry('a date, yyyy-MM-dd; default: the whole chain')
export const nearestExpiry = expiry('a date, yyyy-MM-dd; default: the nearest live expiration')
export const todaysExpiry = expiry("a date, yyyy-MM-dd; default: today's expiration")
export const heldExpiry = expiry('a date, yyyy-MM-dd; default: the nearest with at least a calendar day left')
export const incomeExpiry = expiry('a date, yyyy-MM-dd; default: the one nearest to 30 days, within 20 to 45')
export const fittedExpiry = expiry('a date, yyyy-MM-dd; default: the nearest with a fitted smile')

export const minOpenInterest = (usual: number) =>
  whole({
    description: 'a whole number of contracts: the minimum open interest of a leg',
    default: usual,
    minimum: 0,
    maximum: 1_000_000,
    clamp: true
  })

export const wingWidth = number({
  description: 'the distance of the wings of an iron fly, in strike points',
  default: 5,
  minimum: 0.5,
  maximum: 250,
  clamp: true
})

export const delta = number({
  description: 'the delta of a short leg by size',
  default: 0.25,
  minimum: 0.05,
  maximum: 0.5,
  clamp: true
})

/** Boolean parameter: true, false, 1 or 0, in any case. */
export const flag = (description: string, usual: 'yes' | 'no') =>
  choice({
    description: `${description}: true, false, 1 or 0`,
    spelling: { true: 'yes', false: 'no', 1: 'yes', 0: 'no' },
    default: usual,
    example: 'true'
  })
