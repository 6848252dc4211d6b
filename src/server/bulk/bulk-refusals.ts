import type { ErrorCode } from '../../api/error.ts'

/** Errors of a bulk request that cannot be done. */
export const refusals: readonly ErrorCode[] = [
  'unauthorized',
  'tier_restricted',
  'quota_exceeded',
  'invalid_body',
  'invalid_source',
  'invalid_operation',
  'not_replayed',
  'invalid_symbols',
  'invalid_moments',
  'invalid_params',
  'invalid_rows',
  'invalid_fields',
  'invalid_format',
  'invalid_resume_from',
  'too_many_groups',
  'history_off',
  'payload_too_large',
  'internal_error'
]
