import type { Batch, Update } from '../../api/stream-frames.ts'
import { utf8Bytes } from './websocket-frames.ts'

// Updates are serialized by hand for speed: the part before `seq` once per subscription, the rest once per value. Field
// names come from the frame type. All texts are byte strings.

const labelOf = (name: keyof Update) => `,"${name}":`
const SUB_ID = labelOf('sub_id')
const SYMBOL = labelOf('symbol')
const METRIC = labelOf('metric')
const SEQ = labelOf('seq')
const TS = labelOf('ts')
const VALUE = labelOf('value')
const KEY = labelOf('key')
const STALE_FLAG = `${labelOf('stale')}true`
const SNAPSHOT_FLAG = `${labelOf('snapshot')}true`

const UPDATE_TYPE = 'update' satisfies Update['type']
const BATCH_TYPE = 'batch' satisfies Batch['type']
const UPDATES = 'updates' satisfies keyof Batch

/** Beginning of every update of a subscription. If `echo` is true it repeats symbol and metric. */
export function updateHead(
  subId: string,
  { symbol, metric, echo }: { readonly symbol: string; readonly metric: string; readonly echo: boolean }
): string {
  const metricText = utf8Bytes(JSON.stringify(metric)) // a selector in the id may contain any character
  const echoed = echo ? `${SYMBOL}"${symbol}"${METRIC}${metricText}` : ''
  return `{"type":"${UPDATE_TYPE}"${SUB_ID}"${subId}"${echoed}`
}

/** Fields `seq`, `ts` and `value` of an update. `value` is JSON. */
export function valueFields(seq: number, ts: number, value: string): string {
  return `${SEQ}${seq}${TS}${ts}${VALUE}${value}`
}

/** Field `key` of an update: the key of the row that a moving selector picked. */
export function keyField(key: number | string | undefined): string {
  return key === undefined ? '' : KEY + utf8Bytes(JSON.stringify(key))
}

/** The rest of an update frame from `seq` on. */
export function updateTail(fields: string, key: string, stale: boolean): string {
  return `${fields}${stale ? STALE_FLAG : ''}${key}}`
}

/** A complete update frame. `isFirst` marks the first update after subscribing or resuming. */
export function updateFrame(head: string, tail: string, isFirst: boolean): string {
  return isFirst ? head + SNAPSHOT_FLAG + tail : head + tail
}

/** A frame that holds several updates. `updates` are update frames joined by commas. */
export function batchFrame(updates: string): string {
  return `{"type":"${BATCH_TYPE}","${UPDATES}":[${updates}]}`
}

/** Bytes of a batch frame without its updates, plus one comma. */
export const BATCH_OVERHEAD = batchFrame(',').length
