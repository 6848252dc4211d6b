import type { ReadonlySignal } from '@preact/signals'
import type { GetPath } from 'gammawall/client'
import { maxPain } from '../chart/chart-state.ts'
import { place } from '../page/address.ts'
import type { CardFigure } from '../page/card-figure.ts'
import type { Card, Explained, Recorded } from '../page/place.ts'
import type { Figures } from '../service/figures.ts'
import { isExplained, isNet } from './card-state.ts'
import { matrix, answer as matrixAnswer, pain } from './expirations-state.ts'
import { risk } from './flow-state.ts'
import { levels, summary, today, zeroDte } from './overview-state.ts'
import { delta, deltaTrack, second, secondTrack } from './pressure-state.ts'
import { premium } from './volatility-state.ts'

type Value = number | null | undefined

/** The answer from which the page has a figure. */
export interface Source {
  readonly of: Pick<Figures<GetPath>, 'set' | 'start' | 'isAsking'> & {
    readonly answer: ReadonlySignal<{ readonly as_of: string } | undefined>
  }
  readonly value: () => Value
}

const last = (track: typeof deltaTrack): Value => track.value.lines[0]?.at(-1)
const todays = (value: (found: NonNullable<typeof today.value>) => Value): Source => ({
  of: zeroDte,
  value: () => today.value && value(today.value)
})
const pressure = (track: typeof deltaTrack, of: Source['of'], isChosen: () => boolean): Source => ({
  of,
  value: () => (isChosen() ? last(track) : undefined)
})

const RECORDED_BY: Readonly<Record<Recorded, Source>> = {
  atm_iv: { of: premium, value: () => premium.answer.value?.vrp.atm_iv },
  'zero_dte.pin_score': todays(({ pin_risk }) => pin_risk.pin_score),
  'zero_dte.theta_per_hour': todays(({ decay }) => decay.theta_per_hour_remaining),
  'zero_dte.remaining_1sd_dollars': todays(({ expected_move }) => expected_move.remaining_1sd_dollars),
  'flow.net_gex_live': { of: risk, value: () => risk.answer.value?.live_net_gex },
  'flow.hedge.delta': pressure(deltaTrack, delta, () => place.value.scope === 'all'),
  'flow.hedge.delta_next': pressure(deltaTrack, delta, () => place.value.scope === 'next'),
  'flow.hedge.gamma': pressure(secondTrack, second, () => place.value.scope === 'all' && place.value.greek === 'gamma'),
  'flow.hedge.vega': pressure(secondTrack, second, () => place.value.scope === 'all' && place.value.greek === 'vega')
}

/** A figure of what expires today. */
const TODAYS_BY: Readonly<Record<Explained, Source>> = {
  net_gex: todays(({ exposures }) => exposures.net_gex),
  net_dex: todays(({ exposures }) => exposures.net_dex),
  net_vex: todays(({ exposures }) => exposures.net_vex),
  net_chex: todays(({ exposures }) => exposures.net_chex),
  gamma_flip: todays(({ regime }) => regime.gamma_flip),
  call_wall: todays(({ levels }) => levels.call_wall),
  put_wall: todays(({ levels }) => levels.put_wall),
  magnet: todays(({ pin_risk }) => pin_risk.magnet_strike),
  max_pain: todays(({ pin_risk }) => pin_risk.max_pain)
}

/** A figure of one expiration: a net exposure from the matrix if that shows it, or max pain. */
function ofDate(card: Explained, date: string): Source {
  if (card === 'max_pain')
    return {
      of: pain,
      value: () => (pain.answer.value?.expiration === date ? pain.answer.value.max_pain_strike : undefined)
    }
  const metric = card.slice('net_'.length)
  return {
    of: matrixAnswer,
    value: () =>
      place.value.metric === metric ? matrix.value?.columns.find((each) => each.date === date)?.net : undefined
  }
}

function ofPage(card: Explained): Source {
  if (isNet(card)) return { of: summary, value: () => summary.answer.value?.exposures[card] }
  // Max pain is that of the last bar.
  if (card === 'max_pain') return { of: levels, value: () => maxPain.value }
  return {
    of: levels,
    value: () => {
      const now = levels.answer.value?.levels
      return card === 'magnet' ? now?.zero_dte_magnet : now?.[card]
    }
  }
}

/** The answer from which the page shows a figure. */
export function sourceOf({ card, set }: CardFigure): Source {
  if (!isExplained(card)) return RECORDED_BY[card as Exclude<Card, Explained>]
  if (set === '0dte') return TODAYS_BY[card]
  return set === undefined ? ofPage(card) : ofDate(card, set)
}
