import { computed } from '@preact/signals'
import { moment, session } from './day.ts'
import { isNearOpen } from './open-hours.ts'

/** The date of the session whose brief is shown at the moment of the page; undefined: it is not the time for one. */
export const briefDate = computed(() => {
  const answer = session.answer.value
  if (answer === undefined || moment.value === undefined || answer.status === 'holiday') return undefined
  return isNearOpen(moment.value, Date.parse(answer.open)) ? answer.date : undefined
})
