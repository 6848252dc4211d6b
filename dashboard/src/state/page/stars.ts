import { signal } from '@preact/signals'
import { isTicker } from './place.ts'

const KEPT = 'stars'

function kept(): readonly string[] {
  return (localStorage.getItem(KEPT) ?? '').split(' ').filter(isTicker)
}

/** Symbols that the reader starred, in the order of starring. Kept in the browser and by the service, not in the address. */
export const stars = signal(kept())

export function toggleStar(symbol: string): void {
  const rest = stars.value.filter((each) => each !== symbol)
  setStars(rest.length < stars.value.length ? rest : [...stars.value, symbol])
}

/** Replaces the list by the tickers of another. */
export function setStars(symbols: readonly string[]): void {
  stars.value = [...new Set(symbols.filter(isTicker))]
  localStorage.setItem(KEPT, stars.value.join(' '))
}
