import { computed } from '@preact/signals'
import type { AnswerOf } from 'gammawall/client'
import { marksOf } from '../day/level-marks.ts'
import type { StageRow } from '../day/price-stage.ts'
import { byModel } from '../service/dealer-model.ts'
import { figures } from '../service/figures.ts'
import type { Subject } from '../service/question.ts'

type ZeroDteAnswer = AnswerOf<'/v1/exposure/zero-dte/{symbol}'>
export type ZeroDte = Exclude<ZeroDteAnswer, { readonly no_zero_dte: true }>
export type NoZeroDte = Extract<ZeroDteAnswer, { readonly no_zero_dte: true }>
export type Strike = AnswerOf<'/v1/exposure/gex/{symbol}'>['strikes'][number]

/** Share of spot within which strikes are requested: more than any price window shows of today's expiration. */
export const STRIKE_RANGE = 0.1

/** Exposures and levels of a subject. */
export type Exposures = ReturnType<typeof exposuresAt>

export function exposuresAt(subject: Subject) {
  const { place } = subject
  const summary = figures(
    '/v1/exposure/summary/{symbol}',
    {
      params: ({ symbol }) => ({ symbol, ...byModel() }),
      bySet: true,
      isMain: true
    },
    subject
  )
  const gex = figures(
    '/v1/exposure/gex/{symbol}',
    {
      params: ({ symbol }) => ({ symbol, ...byModel() }),
      bySet: true
    },
    subject
  )
  const levels = figures(
    '/v1/exposure/levels/{symbol}',
    {
      params: ({ symbol }) => ({ symbol, ...byModel() }),
      bySet: true
    },
    subject
  )
  const term = figures('/v1/exposure/term-structure/{symbol}', { params: ({ symbol }) => ({ symbol }) }, subject)
  const narrative = figures('/v1/exposure/narrative/{symbol}', { params: ({ symbol }) => ({ symbol }) }, subject)
  const zeroDte = figures(
    '/v1/exposure/zero-dte/{symbol}',
    {
      params: ({ symbol }) => ({ symbol, strike_range: STRIKE_RANGE, ...byModel() })
    },
    subject
  )

  /** Contracts that expire today; undefined if there are none. */
  const today = computed((): ZeroDte | undefined => {
    const answer = zeroDte.answer.value
    return answer === undefined || 'no_zero_dte' in answer ? undefined : answer
  })
  const nothingToday = computed((): NoZeroDte | undefined => {
    const answer = zeroDte.answer.value
    return answer !== undefined && 'no_zero_dte' in answer ? answer : undefined
  })

  const marks = computed(() => {
    const answer = levels.answer.value
    return answer === undefined ? [] : marksOf(answer.levels, today.value?.levels)
  })

  /** Whether what expires today is a part of the gamma by strike. */
  const isTodayInside = computed(() => {
    const dates = gex.answer.value?.scope.expirations
    return gex.set.value === 'all' || (today.value !== undefined && dates?.includes(today.value.expiration) === true)
  })

  /** Gamma by strike. */
  const rows = computed((): readonly StageRow[] => {
    const isToday = place.value.today
    const expiring = new Map(
      (isToday || isTodayInside.value ? (today.value?.strikes ?? []) : []).map((each) => [each.strike, each])
    )
    return (gex.answer.value?.strikes ?? []).map(({ strike, call_gex, put_gex }) => ({
      strike,
      call: isToday ? null : call_gex,
      put: isToday ? null : put_gex,
      callToday: expiring.get(strike)?.call_gex ?? null,
      putToday: expiring.get(strike)?.put_gex ?? null
    }))
  })
  return { summary, gex, levels, term, narrative, zeroDte, today, nothingToday, marks, rows }
}

/** Replaces the gamma of strikes in the answer about today. */
export function withStrikes(answer: ZeroDteAnswer, newer: readonly Strike[]): ZeroDteAnswer {
  if ('no_zero_dte' in answer) return answer
  const known = new Map(newer.map((each) => [each.strike, each]))
  const strikes = answer.strikes.map((each) => {
    const now = known.get(each.strike)
    return now === undefined ? each : { ...each, call_gex: now.call_gex, put_gex: now.put_gex, net_gex: now.net_gex }
  })
  return { ...answer, strikes }
}
