import { instantiate } from '../../../memory/web-assembly.ts'
import { wasm } from './option-rows.wasm.ts'

interface Global {
  readonly value: number
}

/**
 * Exports of the WebAssembly module, explained in `option-rows.as.ts`. Addresses are byte offsets in the module's
 * memory.
 */
export interface OptionRows {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly MOST_FIELDS: Global
  readonly MOST_BEFORE: Global
  readonly BLOCK_BYTES: Global
  readonly ROW_BYTES: Global
  readonly FIELD_BYTES: Global
  readonly RUN_BYTES: Global
  readonly RUN_SYMBOL: Global
  readonly FINISHED: Global
  readonly REFUSED: Global
  readonly fields: Global
  readonly runs: Global
  readonly newest: Global
  readonly block: Global
  readonly columns: Global
  readonly rowCount: Global
  readonly runCount: Global
  begin(fieldCount: number, capacity: number): void
  setNewest(length: number): void
  scan(from: number, until: number): number
}

interface ScanCallbacks {
  trade(at: number, length: number): void
  figure(at: number, end: number): number
}

export function instantiateOptionRows(callbacks: ScanCallbacks): OptionRows {
  return instantiate(wasm, { 'option-rows.as': callbacks }) as OptionRows
}
