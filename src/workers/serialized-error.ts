import { ApiError, apiError, type ErrorCode, type ErrorDetail } from '../api/error.ts'
import { type HeldBackPayload, SourceError, type SourceFault } from '../connectors/port/source-error.ts'
import { FilesError } from '../imports/import-files.ts'
import { JobError } from '../jobs/job.ts'

/** An error as plain data, since class instances do not cross threads. */
export type SerializedError =
  | { readonly kind: 'api'; readonly message: string; readonly code: ErrorCode; readonly detail: ErrorDetail }
  | {
      readonly kind: 'source'
      readonly message: string
      readonly fault: SourceFault
      readonly retryAfter: number | undefined
      readonly heldBack: HeldBackPayload | undefined
    }
  | { readonly kind: 'job' | 'files'; readonly message: string }
  | { readonly kind: 'other'; readonly message: string; readonly stack: string | undefined }

export function serializeError(error: unknown): SerializedError {
  if (error instanceof ApiError) {
    return { kind: 'api', message: error.message, code: error.code, detail: error.detail }
  }
  if (error instanceof SourceError) {
    const { message, fault, retryAfter, heldBack } = error
    return { kind: 'source', message, fault, retryAfter, heldBack }
  }
  if (error instanceof JobError) return { kind: 'job', message: error.message }
  if (error instanceof FilesError) return { kind: 'files', message: error.message }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { kind: 'other', message, stack }
}

export function deserializeError(data: SerializedError): Error {
  switch (data.kind) {
    case 'api':
      return apiError(data.code, data.message, data.detail)
    case 'source':
      return new SourceError(data.fault, data.message, data.retryAfter, data.heldBack)
    case 'job':
      return new JobError(data.message)
    case 'files':
      return new FilesError(data.message)
    case 'other': {
      const error = new Error(data.message)
      if (data.stack !== undefined) error.stack = data.stack
      return error
    }
  }
}
