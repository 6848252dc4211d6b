import type { ArbitrageFlag } from '../volatility/surface/arbitrage.ts'

/** What a flag means, naming its node and what is wrong there. */
export function arbitrageReading(flag: ArbitrageFlag): string {
  const at = `at log-moneyness ${flag.k}`
  if (flag.kind === 'calendar') {
    const { earlier, later } = flag
    return `Total variance falls by ${small(flag.value)} from ${earlier.date} to ${later.date} ${at}: a calendar spread there is worth less than nothing.`
  }
  const quantity = flag.condition === 'd2w_dk2' ? 'Curvature of total variance' : "Durrleman's g"
  return `${quantity} is ${small(flag.value)} ${at} on ${flag.slice.date}: the implied density is negative, a butterfly there is worth less than nothing.`
}

const small = (value: number) => `${Number(value.toPrecision(3))}`
