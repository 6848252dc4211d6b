import { effect, signal } from '@preact/signals'
import { place } from '../page/address.ts'
import { ask } from './ask.ts'

/** Symbols that the service keeps fresh, ascending; empty before `loadSymbols`. */
export const symbols = signal<readonly string[]>([])

/** Symbols that the page has shown, the newest first, without the present one. */
export const recent = signal<readonly string[]>([])

/** Remembers each symbol that the page leaves. */
export function followSymbols(): void {
  let shown = place.peek().symbol
  effect(() => {
    const { symbol } = place.value
    if (symbol === shown) return
    recent.value = [shown, ...recent.peek()].filter((each, i, all) => each !== symbol && all.indexOf(each) === i)
    shown = symbol
  })
}

let asked: Promise<void> | undefined

/** Loads the symbols once. Without an answer the field offers no suggestions. */
export function loadSymbols(): Promise<void> {
  asked ??= ask(
    '/v1/universe',
    { sort: 'symbol', limit: 1000 },
    { at: undefined, signal: AbortSignal.timeout(10_000) }
  ).then(
    ({ answer }) => {
      symbols.value = answer.symbols.map(({ symbol }) => symbol)
    },
    () => {
      asked = undefined
    }
  )
  return asked
}
