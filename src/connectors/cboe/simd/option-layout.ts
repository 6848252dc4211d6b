import type { OptionRows } from './option-rows.ts'

/** Names of the fields that are read, in the order of the slot constants in `option-rows.as.ts`. */
const slotNames: readonly string[] = [
  'bid',
  'ask',
  'last_trade_price',
  'bid_size',
  'ask_size',
  'volume',
  'open_interest',
  'option',
  'last_trade_time'
]

interface LaidOutField {
  /** ASCII text before the value: brace or comma, name, colon and any blanks. */
  readonly before: string
  /** Index of the field in `slotNames`; -1 for a field that is not read. */
  readonly slot: number
}

/** Fields of a contract in the payload's order, which is the same for all contracts of a payload. */
export type OptionLayout = readonly LaidOutField[]

/**
 * Matches one field of a contract: the opening brace or a comma, the name, the colon, and a value that is not nested.
 */
const fieldShape = /((?:^\{|(?!^),)[ \t\r\n]*"(\w+)"[ \t\r\n]*:[ \t\r\n]*)(?:"[^"\\]*"|[-+.\w]+)/y

/** Derives the layout from the text of one contract. Undefined if a field that is read is missing or occurs twice. */
export function optionLayoutOf(contract: string): OptionLayout | undefined {
  const layout: LaidOutField[] = []
  fieldShape.lastIndex = 0
  for (let match = fieldShape.exec(contract); match !== null; match = fieldShape.exec(contract)) {
    const [, before, name] = match
    layout.push({ before, slot: slotNames.indexOf(name) })
  }
  const isOnce = (slot: number) => layout.filter((field) => field.slot === slot).length === 1
  return slotNames.every((_, slot) => isOnce(slot)) ? layout : undefined
}

const WIDTH = 16

export function writeLayout(layout: OptionLayout, module: OptionRows): boolean {
  const most = module.MOST_BEFORE.value
  if (layout.length > module.MOST_FIELDS.value) return false
  const bytes = Buffer.from(module.memory.buffer)
  for (const [k, { before, slot }] of layout.entries()) {
    const { length } = before
    if (length > most) return false
    const at = module.fields.value + k * module.FIELD_BYTES.value
    bytes.write(before, at, 'latin1')
    bytes.writeInt32LE(ones(Math.min(length, WIDTH)), at + most)
    bytes.writeInt32LE(ones(Math.max(length - WIDTH, 0)), at + most + 4)
    bytes.writeInt32LE(length, at + most + 8)
    bytes.writeInt32LE(slot, at + most + 12)
  }
  return true
}

function ones(count: number): number {
  return (1 << count) - 1
}
