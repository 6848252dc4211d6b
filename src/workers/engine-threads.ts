import { apiError } from '../api/error.ts'
import type { EngineThreadSettings } from './engine-thread.ts'
import { Thread } from './thread.ts'

/** What unfinished tasks of a worker that dies are refused with. */
export const restarted = () => apiError('overloaded', 'the worker behind this answer was restarted; try again')

/** Starts one worker of the engine: it loads its program at once, whoever takes it over. */
export function startEngineThread(program: URL, workerData: EngineThreadSettings): Thread {
  return new Thread({ program, workerData, lost: restarted })
}
