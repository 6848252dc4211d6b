import type { ErrorFrame, StreamErrorCode } from '../../api/stream-frames.ts'

/** Further fields of the error frame. */
export type CommandErrorDetail = Pick<ErrorFrame, 'candidates' | 'limit' | 'used' | 'retry_after_ms' | 'sub_id'>

/** Why a command, or an item of one, is refused. It is returned, never thrown. */
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
