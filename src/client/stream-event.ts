import type { ErrorFrame, Notice } from '../api/stream-frames.ts'
import type { ApiError } from './api-error.ts'
import type { StreamError } from './stream-error.ts'
import type { Subscription } from './subscription.ts'

/** What happens to a stream, for a display or a log. None of it needs a reaction. */
export type StreamEvent =
  /** Connected; `resumed` when the server had kept the subscriptions. */
  | { readonly type: 'open'; readonly resumed: boolean }
  /** The connection, or an attempt at one, failed; the next attempt is `retryIn` milliseconds away. */
  | { readonly type: 'lost'; readonly reason: string; readonly retryIn: number }
  /** The client was too slow for the server: every cadence was doubled. */
  | { readonly type: 'slowed' }
  | { readonly type: 'notice'; readonly notice: Notice }
  /** An error that belongs to no command, such as no_data for a subscription, which stays. */
  | { readonly type: 'problem'; readonly problem: ErrorFrame }
  | { readonly type: 'refused'; readonly subscription: Subscription; readonly error: StreamError }
  /** The stream has ended for good; without an error it was closed by the client. */
  | { readonly type: 'ended'; readonly error?: StreamError | ApiError }
