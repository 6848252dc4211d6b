import type { Layout } from '../scan/option-layout.ts'
import type { OptionRows } from './option-rows.ts'

/** Bytes that are compared at once. */
const WIDTH = 16

/** Writes a layout where the module reads it. False where it has more fields, or longer ones, than there is room for. */
export function writeLayout({ before, starts, slots }: Layout, module: OptionRows): boolean {
  const most = module.MOST_BEFORE.value
  if (slots.length > module.MOST_FIELDS.value) return false
  const view = new DataView(module.memory.buffer)
  for (let k = 0; k < slots.length; k++) {
    const at = module.fields.value + k * module.FIELD_BYTES.value
    const length = starts[k + 1] - starts[k]
    if (length > most) return false
    for (let i = 0; i < length; i++) view.setUint8(at + i, before.getUint8(starts[k] + i))
    view.setInt32(at + most, ones(Math.min(length, WIDTH)), true)
    view.setInt32(at + most + 4, ones(Math.max(length - WIDTH, 0)), true)
    view.setInt32(at + most + 8, length, true)
    view.setInt32(at + most + 12, slots[k], true)
  }
  return true
}

function ones(count: number): number {
  return (1 << count) - 1
}
