import { signal } from '@preact/signals'
import { ask } from './ask.ts'

/** The symbols that the service keeps warm, ascending; empty until they were asked for. */
export const symbols = signal<readonly string[]>([])

let asked: Promise<void> | undefined

/** Asks once, when somebody is about to choose one. Without an answer the field goes without suggestions. */
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
