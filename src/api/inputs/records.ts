import type { DailyRecord } from '../../market/daily-record.ts'
import { versionOf } from '../../market/versions.ts'
import type { Input } from './input.ts'

/** Daily records of the symbol dated before the day the answer describes, ascending. Empty where the source has none. */
export const records: Input<readonly DailyRecord[]> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], request: { source }, day, endpoint, params }) =>
    source.records(symbol, day, endpoint.recordsRead(params as never)),
  version: versionOf
}
