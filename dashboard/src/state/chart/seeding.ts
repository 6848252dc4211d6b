import { computed, effect, untracked } from '@preact/signals'
import { at } from '../page/address.ts'
import { isSynthetic } from '../service/freshness.ts'
import { health, watchHealth } from '../service/health.ts'
import { lacksMinutes } from './chart-state.ts'
import { making } from './making.ts'

const isOpenQuestion = computed(
  () =>
    isSynthetic() &&
    at.value === undefined &&
    (health.value === undefined ? lacksMinutes.value : making.value !== undefined)
)

/** The first sessions of a chart take a second or two each, milliseconds. */
const EVERY = 1500

/** Asks how far it is once the chart has sessions without minutes, until nothing is made any more. */
export const seeding = {
  start: (): (() => void) => effect(() => (isOpenQuestion.value ? untracked(() => watchHealth(EVERY)) : undefined))
}
