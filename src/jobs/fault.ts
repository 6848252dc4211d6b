import { FilesError } from '../imports/files.ts'
import { reasonOf } from '../imports/intake.ts'
import { JobError } from './job.ts'

/** An error on its way to another thread. */
export interface Fault {
  readonly fault: string
  readonly name: string
}

export function faultOf(error: unknown): Fault {
  return { fault: reasonOf(error), name: error instanceof Error ? error.name : '' }
}

/** Faults of what was asked for keep their kind: whoever asked is told the sentence alone. */
export function errorFrom({ fault, name }: Fault): Error {
  if (name === 'FilesError') return new FilesError(fault)
  return name === 'JobError' ? new JobError(fault) : new Error(fault)
}
