import { computed } from '@preact/signals'
import { health } from '../service/health.ts'

/** How far the service is with the past of a synthetic market. Undefined: it makes nothing, or that is not known. */
export const making = computed(() => {
  const history = health.value?.checks.find(({ name }) => name === 'history')
  const { making: what, making_of: symbol, stored, made, to_make: total } = history?.details ?? {}
  return typeof what === 'string' && typeof made === 'number' && typeof total === 'number'
    ? { what, symbol, stored, made, total }
    : undefined
})

/** Changes whenever more of the past of a symbol can be read. */
export function madeOf(symbol: string): unknown {
  const now = making.value
  return now?.symbol === symbol ? now.stored : now && 0
}
