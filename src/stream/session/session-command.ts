import type { Action, Configuration, ErrorFrame, MetricParams, RequestId, ValueType } from '../../api/stream-frames.ts'
import { valueTypes } from '../catalog/schema.ts'
import { CommandError } from '../protocol/command-error.ts'
import * as limits from '../protocol/limits.ts'

/** A request to subscribe, with defaults filled in. */
export interface SubscribeRequest {
  readonly symbol: string
  readonly metric: string
  readonly params: MetricParams
  /** Minimum milliseconds between updates; 0 means an update after every recomputation. */
  readonly cadence: number
  /** Whether the current value is sent at once. */
  readonly sendNow: boolean
  readonly onChange: boolean
  readonly echo: boolean
}

export type SessionCommand =
  | { readonly action: 'subscribe'; readonly request: SubscribeRequest }
  | { readonly action: 'subscribe_many'; readonly requests: readonly (SubscribeRequest | CommandError)[] }
  | {
      readonly action: 'unsubscribe'
      readonly target:
        | { readonly subId: string }
        | { readonly symbol: string; readonly metric: string; readonly params: MetricParams }
        | 'all'
    }
  | { readonly action: 'list'; readonly page: number }
  | {
      readonly action: 'catalog'
      readonly prefix: string
      readonly valueType: ValueType | undefined
      readonly page: number
    }
  | { readonly action: 'status' }
  | {
      readonly action: 'configure'
      /** Interval of heartbeats, milliseconds; 0 for none. */
      readonly heartbeat: Configuration['heartbeat_ms'] | undefined
      readonly batch: boolean | undefined
    }
  | { readonly action: 'ping' }
  | { readonly action: 'resume'; readonly token: string }

/** The command in a client's frame, or the error if it cannot be parsed; and the fields that the reply repeats. */
export interface ParsedCommand {
  readonly command: SessionCommand | CommandError
  readonly echo: Pick<ErrorFrame, 'req_id' | 'action' | 'symbol' | 'metric'>
}

type Fields = Readonly<Record<string, unknown>>

/** Maximum length of a text in a command, characters. */
const MAX_LENGTH = 200

/** Parses a text frame of a client. Never throws: an unreadable frame becomes a CommandError. */
export function parseCommand(text: string): ParsedCommand {
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return { command: new CommandError('bad_json', 'the frame is not JSON'), echo: {} }
  }
  if (!isObject(frame)) return { command: invalid('a frame is an object'), echo: {} }
  const { req_id: id } = frame
  const echo = {
    ...(isRequestId(id) && { req_id: id }),
    ...texts(frame, 'action', 'symbol', 'metric')
  }
  if (id !== undefined && !isRequestId(id)) {
    return { command: invalid('req_id is an integer, or a text of at most 64 characters'), echo }
  }
  return { command: commandOf(frame), echo }
}

function commandOf(frame: Fields): SessionCommand | CommandError {
  const { action } = frame
  if (action === undefined) return new CommandError('missing_field', 'action is missing')
  if (typeof action !== 'string') return invalid('action is a text')
  const read = Object.hasOwn(readers, action) ? readers[action as Action] : undefined
  return read === undefined ? new CommandError('unknown_action', 'no such action') : read(frame)
}

const readers: Readonly<Record<Action, (frame: Fields) => SessionCommand | CommandError>> = {
  subscribe(frame) {
    const request = subscribeRequestOf(frame)
    return request instanceof CommandError ? request : { action: 'subscribe', request }
  },
  subscribe_many({ items }) {
    if (items === undefined) return new CommandError('missing_field', 'items is missing')
    if (!Array.isArray(items) || items.length === 0 || items.length > limits.ITEMS_PER_COMMAND) {
      return invalid(`items holds 1 to ${limits.ITEMS_PER_COMMAND} subscriptions`)
    }
    return { action: 'subscribe_many', requests: items.map(subscribeRequestOf) }
  },
  unsubscribe(frame) {
    const { sub_id: subId, symbol, metric, all } = frame
    const byName = symbol !== undefined && metric !== undefined
    const ways = [subId !== undefined, byName, all !== undefined].filter(Boolean).length
    if (ways === 0) return new CommandError('missing_field', 'sub_id, symbol and metric, or all is missing')
    if (ways > 1) return invalid('one of sub_id, symbol with metric, and all')
    if (all !== undefined) return all === true ? { action: 'unsubscribe', target: 'all' } : invalid('all is true')
    if (subId !== undefined) {
      return isText(subId) && subId !== '' ? { action: 'unsubscribe', target: { subId } } : invalid('sub_id is a text')
    }
    const named = namesOf(frame)
    if (named instanceof CommandError) return named
    const params = paramsOf(frame['params'])
    return params instanceof CommandError ? params : { action: 'unsubscribe', target: { ...named, params } }
  },
  list: (frame) => paged(frame, (page) => ({ action: 'list', page })),
  catalog(frame) {
    const { prefix = '', value_type: type } = frame
    if (!isText(prefix)) return invalid(`prefix is a text of at most ${MAX_LENGTH} characters`)
    if (type !== undefined && !isValueType(type)) return invalid(`value_type is one of ${valueTypes.join(', ')}`)
    return paged(frame, (page) => ({ action: 'catalog', prefix, valueType: type, page }))
  },
  status: () => ({ action: 'status' }),
  configure({ heartbeat_ms: heartbeat, batch }) {
    if (heartbeat === undefined && batch === undefined) {
      return new CommandError('missing_field', 'heartbeat_ms or batch is missing')
    }
    const inRange = isWhole(heartbeat, limits.MIN_HEARTBEAT, limits.MAX_HEARTBEAT)
    if (heartbeat !== undefined && heartbeat !== 0 && !inRange) {
      return invalid(`heartbeat_ms is 0 or ${limits.MIN_HEARTBEAT} to ${limits.MAX_HEARTBEAT}`)
    }
    if (batch !== undefined && typeof batch !== 'boolean') return invalid('batch is true or false')
    return { action: 'configure', heartbeat: heartbeat as number | undefined, batch }
  },
  ping: () => ({ action: 'ping' }),
  resume({ token }) {
    if (token === undefined) return new CommandError('missing_field', 'token is missing')
    return isText(token) && token !== '' ? { action: 'resume', token } : invalid('token is a text')
  }
}

function subscribeRequestOf(item: unknown): SubscribeRequest | CommandError {
  if (!isObject(item)) return invalid('an item is an object')
  const named = namesOf(item)
  if (named instanceof CommandError) return named
  const {
    cadence_ms: cadence = limits.DEFAULT_CADENCE,
    snapshot: sendNow = true,
    on_change: onChange = false,
    echo = false
  } = item
  if (cadence !== 0 && !isWhole(cadence, limits.MIN_CADENCE, limits.MAX_CADENCE)) {
    return new CommandError(
      'invalid_cadence',
      `cadence_ms is 0 or a whole number from ${limits.MIN_CADENCE} to ${limits.MAX_CADENCE}`
    )
  }
  const params = paramsOf(item['params'])
  if (params instanceof CommandError) return params
  if (typeof sendNow !== 'boolean' || typeof onChange !== 'boolean' || typeof echo !== 'boolean') {
    return invalid('snapshot, on_change and echo are true or false')
  }
  return { ...named, params, cadence: cadence as number, sendNow, onChange, echo }
}

function namesOf({ symbol, metric }: Fields): { readonly symbol: string; readonly metric: string } | CommandError {
  if (symbol === undefined) return new CommandError('missing_field', 'symbol is missing')
  if (metric === undefined) return new CommandError('missing_field', 'metric is missing')
  if (typeof symbol !== 'string' || typeof metric !== 'string') return invalid('symbol and metric are texts')
  return { symbol, metric }
}

function paramsOf(params: unknown): MetricParams | CommandError {
  if (params === undefined) return {}
  const error = new CommandError(
    'invalid_params',
    `params is an object of at most ${limits.PARAMS_PER_SUBSCRIPTION} texts, numbers and booleans`
  )
  if (!isObject(params) || Object.keys(params).length > limits.PARAMS_PER_SUBSCRIPTION) return error
  const plain = Object.values(params).every((value) => ['string', 'number', 'boolean'].includes(typeof value))
  return plain ? (params as MetricParams) : error
}

function paged(frame: Fields, command: (page: number) => SessionCommand): SessionCommand | CommandError {
  const { page = 1 } = frame
  return isWhole(page, 1, Number.MAX_VALUE) ? command(page as number) : invalid('page is a whole number from 1')
}

const isValueType = (type: unknown): type is ValueType => valueTypes.includes(type as ValueType)
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_LENGTH
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isWhole = (value: unknown, minimum: number, maximum: number) =>
  Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum
const isRequestId = (id: unknown): id is RequestId =>
  typeof id === 'string' ? id.length <= 64 : typeof id === 'number' && Number.isInteger(id)
const invalid = (message: string) => new CommandError('invalid_frame', message)

/** Reads the text fields with these names from a client frame, cut to a length that is safe to send back. */
function texts<Name extends string>(frame: Fields, ...names: readonly Name[]): { readonly [N in Name]?: string } {
  const found = names.flatMap((name) => {
    const value = frame[name]
    return typeof value === 'string' ? [[name, value.slice(0, MAX_LENGTH)]] : []
  })
  return Object.fromEntries(found)
}
