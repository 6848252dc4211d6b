import type { VixState } from '../macro/vix-state.ts'
import { percent } from './format.ts'

const readings: Readonly<Record<VixState, string>> = {
  overvixing: 'index options ask well more than the index has moved, fear is paid for',
  undervixing: 'index options ask no more than the index has moved, protection is cheap',
  neutral: 'index options ask the usual premium over what the index has moved'
}

/** The VIX beside what the S&P 500 did over the last month, both in percent. */
export function vixReading(state: VixState, vix: number, realized: number): string {
  return `VIX at ${percent(vix)} against ${percent(realized)} realized in SPX over 20 days: ${readings[state]}.`
}
