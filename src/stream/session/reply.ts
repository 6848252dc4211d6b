import type { Instant } from '../../market/units.ts'
import { CommandError } from '../catalog/command-error.ts'
import * as limits from '../catalog/limits.ts'
import type { Subscription } from '../delivery/subscription.ts'
import type { BundleUsage } from './bundle-usage.ts'
import type { Opened, Subscriptions } from './subscriptions.ts'

/** What a client is answered: a frame without its request id, and the subscriptions whose values follow it. */
export interface Reply {
  readonly frame: { readonly type: string; readonly [field: string]: unknown }
  readonly opened?: readonly Opened[]
}

/** The facts of a session that its replies show. */
export interface Shown {
  readonly epoch: string
  readonly resume_token: string
  readonly ts: Instant
}

export function subscribed(opened: Opened, { epoch, resume_token, ts }: Shown): Reply {
  return {
    frame: { type: 'ack', action: 'subscribe', ...acknowledged(opened, epoch), resume_token, ts },
    opened: [opened]
  }
}

export function subscribedMany(all: readonly (Opened | CommandError)[], { epoch, resume_token, ts }: Shown): Reply {
  const results = all.map((one, index) =>
    one instanceof CommandError
      ? { index, error: { code: one.code, message: one.message } }
      : { index, ...acknowledged(one, epoch) }
  )
  return {
    frame: { type: 'ack', action: 'subscribe_many', results, resume_token, ts },
    opened: all.filter((one): one is Opened => !(one instanceof CommandError))
  }
}

export function unsubscribed(removed: readonly Subscription[], ts: Instant): Reply {
  return { frame: { type: 'ack', action: 'unsubscribe', removed: removed.map(({ id }) => id), ts } }
}

export function resumed(opened: readonly Opened[], shown: Shown): Reply {
  const subscriptions = opened.map(({ subscription }) => subscription.row())
  return { frame: { type: 'ack', action: 'resume', subscriptions, ...shown }, opened }
}

export function listed(open: Subscriptions, page: number, ts: Instant): Reply {
  const all = open.all()
  const from = (page - 1) * limits.ROWS_PER_PAGE
  const subscriptions = all.slice(from, from + limits.ROWS_PER_PAGE).map((subscription) => subscription.row())
  const pages = Math.max(1, Math.ceil(all.length / limits.ROWS_PER_PAGE))
  return { frame: { type: 'subscriptions', count: all.length, page, pages, subscriptions, ts } }
}

/** How a connection is set up. */
export interface Config {
  readonly heartbeat_ms: number
  readonly batch: boolean
}

export function configured(config: Config, ts: Instant): Reply {
  return { frame: { type: 'ack', action: 'configure', config, ts } }
}

export function status(
  { epoch, resume_token, ts }: Shown,
  session: { readonly connection_id: string; readonly market_open: boolean; readonly config: Config },
  { limit, used, connections }: BundleUsage
): Reply {
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
        min_cadence_ms: limits.LEAST_CADENCE,
        max_cadence_ms: limits.MOST_CADENCE,
        client_frame_bytes: limits.CLIENT_FRAME,
        server_frame_bytes: limits.SERVER_FRAME,
        commands_per_second: limits.COMMANDS_PER_SECOND
      },
      used: { subscriptions: used, connections }
    }
  }
}

function acknowledged({ subscription, replaced }: Opened, epoch: string) {
  const { sub_id, symbol, metric, params, cadence_ms, state, cost } = subscription.row()
  return { sub_id, symbol, metric, params, cadence_ms, state, replaced, epoch, cost }
}
