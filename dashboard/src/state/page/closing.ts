import { computed, signal } from '@preact/signals'
import { shown } from './shown.ts'

/** What the plan shows in the dashboard if that ends at the last close, as the service said it. */
const said = signal<string>()

/** Keeps what a refusal says about it. */
export function keepClosing({ page_at, page_screens, page_note }: Readonly<Record<string, unknown>>): void {
  if (page_at !== undefined) said.value = [page_at, page_screens, page_note].join('|')
}

/** For another key. */
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
