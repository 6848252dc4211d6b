/** What can be wrong with a command. Streaming contract, section 7. */
export type CommandErrorCode =
  | 'bad_json'
  | 'invalid_frame'
  | 'unsupported_frame'
  | 'unknown_action'
  | 'missing_field'
  | 'symbol_not_found'
  | 'unknown_metric'
  | 'ambiguous_metric'
  | 'not_streamable'
  | 'invalid_selector'
  | 'invalid_params'
  | 'invalid_cadence'
  | 'subscription_limit'
  | 'rate_limited'
  | 'frame_too_large'
  | 'value_too_large'
  | 'unknown_subscription'
  | 'resume_expired'
  | 'no_data'
  | 'internal'

/** Further fields of an error frame. */
export interface CommandErrorDetail {
  readonly candidates?: readonly string[]
  readonly limit?: number
  readonly used?: number
  readonly retry_after_ms?: number
  readonly sub_id?: string
}

/** Why a command, or an item of one, is refused: an answer, not a failure of ours. */
export class CommandError {
  readonly code: CommandErrorCode
  readonly message: string
  readonly detail: CommandErrorDetail

  constructor(code: CommandErrorCode, message: string, detail: CommandErrorDetail = {}) {
    this.code = code
    this.message = message
    this.detail = detail
  }
}
