import { signal } from '@preact/signals'
import { ask } from './ask.ts'

/** Symbols that the service keeps fresh, ascending; empty before `loadSymbols`. */
export const symbols = signal<readonly string[]>([])

let asked: Promise<void> | undefined

/** Loads the symbols once. Without an answer the field offers no suggestions. */
export function loadSymbols(): Promise<void> {
  asked ??= ask('/v1/universe', { sort: 'symbol' }, { at: undefined, signal: AbortSignal.timeout(10_000) }).then(
    ({ answer }) => {
      symbols.value = answer.symbols.map(({ symbol }) => symbol)
    },
    () => {
      asked = undefined
    }
  )
  return asked
}
