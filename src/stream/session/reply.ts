import type {
  Acknowledged,
  Action,
  Configuration,
  ManyResult,
  Reply as ReplyOf,
  Status
} from '../../api/stream-frames.ts'
import type { Instant } from '../../market/units.ts'
import type { StreamSubscription } from '../delivery/stream-subscription.ts'
import { CommandError } from '../protocol/command-error.ts'
import * as limits from '../protocol/limits.ts'
import type { BundleUsage } from './bundle-usage.ts'
import type { OpenedSubscription, Subscriptions } from './subscriptions.ts'

/** A reply without its request id, and the subscriptions whose values are sent after it. */
export interface CommandReply {
  readonly frame: ReplyOf<Action>
  readonly opened?: readonly OpenedSubscription[]
}

export type SessionFacts = Pick<Status, 'epoch' | 'resume_token'> & { readonly ts: Instant }

export function subscribed(opened: OpenedSubscription, { epoch, resume_token, ts }: SessionFacts): CommandReply {
  return {
    frame: { type: 'ack', action: 'subscribe', ...acknowledged(opened, epoch), resume_token, ts },
    opened: [opened]
  }
}

export function subscribedMany(
  all: readonly (OpenedSubscription | CommandError)[],
  { epoch, resume_token, ts }: SessionFacts
): CommandReply {
  const results = all.map(
    (one, index): ManyResult =>
      one instanceof CommandError
        ? { index, error: { code: one.code, message: one.message } }
        : { index, ...acknowledged(one, epoch) }
  )
  return {
    frame: { type: 'ack', action: 'subscribe_many', results, resume_token, ts },
    opened: all.filter((one): one is OpenedSubscription => !(one instanceof CommandError))
  }
}

export function unsubscribed(removed: readonly StreamSubscription[], ts: Instant): CommandReply {
  return { frame: { type: 'ack', action: 'unsubscribe', removed: removed.map(({ id }) => id), ts } }
}

export function resumed(opened: readonly OpenedSubscription[], facts: SessionFacts): CommandReply {
  const subscriptions = opened.map(({ subscription }) => subscription.row())
  return { frame: { type: 'ack', action: 'resume', subscriptions, ...facts }, opened }
}

/** Reply with one page of the connection's subscriptions; pages count from 1. */
export function listReply(open: Subscriptions, page: number, ts: Instant): CommandReply {
  const all = open.all()
  const from = (page - 1) * limits.ROWS_PER_PAGE
  const subscriptions = all.slice(from, from + limits.ROWS_PER_PAGE).map((subscription) => subscription.row())
  const pages = Math.max(1, Math.ceil(all.length / limits.ROWS_PER_PAGE))
  return { frame: { type: 'subscriptions', count: all.length, page, pages, subscriptions, ts } }
}

export function configured(config: Configuration, ts: Instant): CommandReply {
  return { frame: { type: 'ack', action: 'configure', config, ts } }
}

export function status(
  { epoch, resume_token, ts }: SessionFacts,
  session: Pick<Status, 'connection_id' | 'market_open' | 'config'>,
  { limit, overall }: BundleUsage
): CommandReply {
  return {
    frame: {
      type: 'status',
      epoch,
      resume_token,
      server_ts: ts,
      ...session,
      limits: {
        subscriptions: limit,
        connections: limits.CONNECTIONS_PER_BUNDLE,
        min_cadence_ms: limits.MIN_CADENCE,
        max_cadence_ms: limits.MAX_CADENCE,
        client_frame_bytes: limits.MAX_CLIENT_FRAME_BYTES,
        server_frame_bytes: limits.MAX_SERVER_FRAME_BYTES,
        commands_per_second: limits.COMMANDS_PER_SECOND
      },
      used: { subscriptions: overall.places, connections: overall.connections }
    }
  }
}

function acknowledged({ subscription, replaced }: OpenedSubscription, epoch: string): Acknowledged {
  const { sub_id, symbol, metric, params, cadence_ms, state, cost } = subscription.row()
  return { sub_id, symbol, metric, params, cadence_ms, state, replaced, epoch, cost }
}
