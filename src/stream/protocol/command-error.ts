import type { ErrorFrame, StreamErrorCode } from '../../api/stream-frames.ts'

export type CommandErrorDetail = Pick<ErrorFrame, 'candidates' | 'limit' | 'used' | 'retry_after_ms' | 'sub_id'>

/** Reason why a command, or one item of it, is refused. Returned, never thrown. */
export class CommandError {
  readonly code: StreamErrorCode
  readonly message: string
  readonly detail: CommandErrorDetail

  constructor(code: StreamErrorCode, message: string, detail: CommandErrorDetail = {}) {
    this.code = code
    this.message = message
    this.detail = detail
  }
}
