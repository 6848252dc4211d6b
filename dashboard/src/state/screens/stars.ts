import { signal } from '@preact/signals'
import { isTicker } from '../page/place.ts'

const KEPT = 'stars'

function kept(): readonly string[] {
  return (localStorage.getItem(KEPT) ?? '').split(' ').filter(isTicker)
}

/** The symbols that the reader marked, in the order of marking. They belong to the reader and not to the address. */
export const stars = signal(kept())

export function toggleStar(symbol: string): void {
  const rest = stars.value.filter((each) => each !== symbol)
  stars.value = rest.length < stars.value.length ? rest : [...stars.value, symbol]
  localStorage.setItem(KEPT, stars.value.join(' '))
}
