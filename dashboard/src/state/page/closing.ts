import { computed, signal } from '@preact/signals'
import { visitor } from '../service/visitor.ts'
import { shown } from './shown.ts'

/** Allowance of a plan whose pages end at the last close, as the service stated it; undefined for other plans. */
const said = signal<string>()

/** Keeps the allowance that a refusal states, if it states one. */
export function keepClosing({ page_at, page_screens, page_note }: Readonly<Record<string, unknown>>): void {
  if (page_at !== undefined) said.value = [page_at, page_screens, page_note].join('|')
}

if (visitor.closing !== undefined) keepClosing(visitor.closing)

/** Forgets the allowance, because another key may have another plan. */
export function forgetClosing(): void {
  said.value = undefined
}

export const closing = computed(() => {
  const [at, screens, note] = said.value?.split('|') ?? []
  return at === undefined ? undefined : { at, screens, note }
})

/** Whether the plan lacks the screen of the page. */
export const isLocked = computed(
  () =>
    closing.value !== undefined &&
    !`${closing.value.screens},alerts,account,status`.split(',').includes(shown.value.screen)
)
