import { describe, expect, test } from 'vitest'
import { fitOrFallBack, volatilityForecast } from '../../../src/volatility/forecast/forecast.ts'
import { fitGarch, type GarchFit } from '../../../src/volatility/forecast/garch.ts'
import type { Innovations } from '../../../src/volatility/forecast/garch-likelihood.ts'
import { closingBars, logReturns } from '../../../src/volatility/realized/daily-returns.ts'
import { walk } from '../made-up-bars.ts'

describe('the fit of a forecast', () => {
  const fitOf = (dof: number | undefined): GarchFit => ({
    omega: 4e-6,
    alpha: 0.06,
    beta: 0.9,
    dof,
    persistence: 0.96,
    nextVariance: 3e-4,
    logLikelihood: 0
  })

  test('has the innovations asked for where they converge', () => {
    expect(fitOrFallBack((one) => fitOf(one === 'student_t' ? 5 : undefined), 'student_t')?.dof).toBe(5)
  })

  test("has normal ones where Student's t does not converge, and is missing where those do not either", () => {
    const gaussianAlone = (one: Innovations) => (one === 'gaussian' ? fitOf(undefined) : undefined)
    expect(fitOrFallBack(gaussianAlone, 'student_t')).toEqual(fitOf(undefined))
    expect(fitOrFallBack(() => undefined, 'student_t')).toBeUndefined()
    const studentAlone = (one: Innovations) => (one === 'student_t' ? fitOf(5) : undefined)
    expect(fitOrFallBack(studentAlone, 'gaussian')).toBeUndefined()
  })

  test('reads the last 1,000 returns', () => {
    const bars = walk(3, 1300)
    const returns = logReturns(closingBars(bars))
    expect(volatilityForecast(bars, 'student_t')?.garch).toEqual(fitGarch(returns.slice(-1000), 'student_t'))
  })
})
