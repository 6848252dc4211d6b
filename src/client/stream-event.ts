import type { ApiError } from './api-error.ts'
import type { ErrorFrame, Notice } from './frames.ts'
import type { StreamError } from './stream-error.ts'
import type { Subscription } from './subscription.ts'

/** What happens to a stream, for those who show it or write it down. Nothing has to be done about any of it. */
export type StreamEvent =
  /** Connected; `resumed` when the server had kept the subscriptions. */
  | { readonly type: 'open'; readonly resumed: boolean }
  /** The connection, or an attempt at one, failed; the next attempt is `retryIn` milliseconds away. */
  | { readonly type: 'lost'; readonly reason: string; readonly retryIn: number }
  /** The server asked for it to be slower: every cadence was raised. */
  | { readonly type: 'slowed' }
  | { readonly type: 'notice'; readonly notice: Notice }
  /** An error that belongs to no command, such as no_data for a subscription, which stays. */
  | { readonly type: 'problem'; readonly problem: ErrorFrame }
  | { readonly type: 'refused'; readonly subscription: Subscription; readonly error: StreamError }
  /** It will not come back; without an error it was closed by wish. */
  | { readonly type: 'ended'; readonly error?: StreamError | ApiError }
