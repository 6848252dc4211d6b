import { afterTimeout } from '../../src/facts/bounded-wait.ts'
import { REQUEST_DEADLINE } from '../../src/facts/freshness.ts'
import { steadyNow } from '../../src/facts/steady-clock.ts'

/** The deadline of requests where a test is about something else. */
export const usualDeadline = { requestDeadline: REQUEST_DEADLINE, after: afterTimeout, steadyNow }
