import { computed } from '@preact/signals'
import { health } from '../service/health.ts'

/** How far the service is with the past of a synthetic market. Undefined: it makes nothing, or that is not known. */
export const making = computed(() => {
  const history = health.value?.checks.find(({ name }) => name === 'history')
  const { making: what, made, to_make: total } = history?.details ?? {}
  return typeof what === 'string' && typeof made === 'number' && typeof total === 'number'
    ? { what, made, total }
    : undefined
})

/** Changes whenever more of the past of a symbol has been made. */
export function madeOf(symbol: string): number | undefined {
  const { what, made } = making.value ?? {}
  if (what === undefined) return undefined
  if (!what.startsWith(`${symbol} `)) return 0
  return made
}
