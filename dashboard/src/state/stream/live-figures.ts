import { batch, computed, effect } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import { tick } from '../day/day.ts'
import { expirations, screen } from '../page/address.ts'
import { paramsOfSet } from '../page/expiration-set.ts'
import { isHidden } from '../page/reader.ts'
import { type Strike, withStrikes } from '../screens/exposures.ts'
import { gex, levels, summary, zeroDte } from '../screens/overview-state.ts'
import { atmNow, sliceDate } from '../screens/volatility-state.ts'
import { client } from '../service/ask.ts'
import { byModel, patchByModel, patchBySet } from '../service/dealer-model.ts'
import { outage } from '../service/freshness.ts'
import { question } from '../service/question.ts'
import { isSignedIn } from '../service/sign-in.ts'
import { visitor } from '../service/visitor.ts'
import { type Follow, followed, link } from './stream-state.ts'

/** Milliseconds between updates while the page is hidden. */
const HIDDEN_CADENCE = 5000

const EXPOSURES = ['net_gex', 'net_dex', 'net_vex', 'net_chex'] as const
const LEVELS = [
  'gamma_flip',
  'max_positive_gamma',
  'max_negative_gamma',
  'call_wall',
  'put_wall',
  'highest_oi_strike',
  'zero_dte_magnet'
] as const

type Value = number | null | undefined
const isFigure = (value: unknown): value is Value => value === null || typeof value === 'number'

const isOff = computed(() => link.value === 'off')

/** Applies streamed values to the loaded answers. Without a stream the page keeps polling. */
export function startLink(): () => void {
  return effect(() => {
    const { symbol, at } = question.value
    const isOverview = screen.value === 'overview' || screen.value === 'workspace'
    const slowest = isHidden.value ? HIDDEN_CADENCE : 0
    const isRefused = visitor.stream === false || !isSignedIn.value
    if (at !== undefined || isRefused || outage.peek()?.error.code === 'quota_exceeded') {
      link.value = 'off'
      return undefined
    }
    link.value = 'connecting'
    const stream = client.stream({
      batch: true,
      onEvent: (event) => {
        if (event.type === 'open') link.value = 'live'
        else if (event.type === 'lost') link.value = 'lost'
        else if (event.type === 'ended' && event.error !== undefined) link.value = 'off'
      }
    })
    const follow: Follow = (metric, cadence, take, params) => {
      const item = { symbol, metric, cadence_ms: Math.max(cadence, slowest), ...(params !== undefined && { params }) }
      // A metric that the plan or the symbol lacks is polled instead.
      const followed = stream.subscribe(item, ({ value, ts }) => take(value, ts))
      followed.ready.catch((_: ApiError) => {})
      return followed
    }
    follow('stockquote.current.mid', 250, (price, moment) => {
      if (typeof price === 'number') tick.value = { symbol, price, moment }
    })
    if (isOverview) followOverview(follow)
    followed.value?.(follow)
    // An effect of its own, so that another expiration does not reconnect the stream.
    const leaveDate = effect(() => {
      const date = screen.value === 'volatility' ? sliceDate.value : undefined
      if (date === undefined || isOff.value) return undefined
      const followed = follow(`adv_volatility.current.svi_parameters[${date}].atm_iv`, 1000, (value) => {
        if (typeof value === 'number') atmNow.value = { symbol, expiry: date, value }
      })
      return () => followed.unsubscribe()
    })
    return () => {
      leaveDate()
      stream.close()
      batch(() => {
        tick.value = undefined
        atmNow.value = undefined
        link.value = 'off'
      })
    }
  })
}

function followOverview(follow: Follow): void {
  const model = byModel()
  const given = { ...model, ...paramsOfSet(expirations.value) }
  for (const name of EXPOSURES)
    follow(
      `exposure.summary.exposures.${name}`,
      500,
      (value) => {
        if (typeof value === 'number')
          patchBySet(summary, (answer) => ({ ...answer, exposures: { ...answer.exposures, [name]: value } }))
      },
      given
    )
  follow(
    'exposure.summary.gamma_flip',
    1000,
    (value) => {
      if (isFigure(value)) patchBySet(summary, (answer) => ({ ...answer, gamma_flip: value ?? null }))
    },
    given
  )
  for (const name of LEVELS)
    follow(
      `exposure.levels.levels.${name}`,
      1000,
      (value) => {
        if (isFigure(value) && levels.answer.peek()?.levels[name] !== value)
          patchBySet(levels, (answer) => ({ ...answer, levels: { ...answer.levels, [name]: value ?? null } }))
      },
      given
    )
  follow(
    'exposure.gex.strikes',
    1000,
    (value) => {
      if (Array.isArray(value)) patchBySet(gex, (answer) => ({ ...answer, strikes: value as readonly Strike[] }))
    },
    given
  )
  follow(
    'exposure.gex.strikes',
    1000,
    (value) => {
      if (Array.isArray(value)) patchByModel(zeroDte, (answer) => withStrikes(answer, value as readonly Strike[]))
    },
    { expiration: '0dte', ...model }
  )
}
