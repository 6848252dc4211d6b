import { computed, effect, untracked } from '@preact/signals'
import { at } from '../page/address.ts'
import { isSynthetic } from '../service/freshness.ts'
import { health, watchHealth } from '../service/health.ts'
import { lacksMinutes } from './chart-state.ts'

/** How far the service is with the past of a synthetic market. Undefined: it makes nothing, or that is not known. */
export const making = computed(() => {
  const history = health.value?.checks.find(({ name }) => name === 'history')
  const { making: what, made, to_make: total } = history?.details ?? {}
  return typeof what === 'string' && typeof made === 'number' && typeof total === 'number'
    ? { what, made, total }
    : undefined
})

const isOpenQuestion = computed(
  () =>
    isSynthetic() &&
    at.value === undefined &&
    lacksMinutes.value &&
    (health.value === undefined || making.value !== undefined)
)

/** Asks how far it is while the chart has sessions without minutes, until nothing is made any more. */
export const seeding = {
  start: (): (() => void) => effect(() => (isOpenQuestion.value ? untracked(watchHealth) : undefined))
}
