import { FilesError } from '../imports/files.ts'
import { reasonOf } from '../imports/import-writer.ts'
import { JobError } from './job.ts'

/** An error on its way to another thread. */
export interface SerializedError {
  readonly fault: string
  readonly name: string
}

export function serializeError(error: unknown): SerializedError {
  return { fault: reasonOf(error), name: error instanceof Error ? error.name : '' }
}

/** Faults of what was asked for keep their kind: whoever asked is told the sentence alone. */
export function deserializeError({ fault, name }: SerializedError): Error {
  if (name === 'FilesError') return new FilesError(fault)
  return name === 'JobError' ? new JobError(fault) : new Error(fault)
}
