import type { Zone } from '../../../api/serializer.ts'
import { easternDateTime } from '../../../market/eastern.ts'

/** The levels that a chart format writes, with their symbol and time. */
export interface WrittenLevels {
  readonly symbol: string
  readonly as_of: string
  readonly as: string
  readonly levels: readonly { readonly id: string; readonly label: string; readonly price: number }[]
}

type Format = (answer: WrittenLevels, moment: string) => readonly string[]

const colours: readonly (readonly [part: string, pine: string, thinkscript: string])[] = [
  ['flip', 'color.orange', 'Color.ORANGE'],
  ['call_wall', 'color.green', 'Color.GREEN'],
  ['put_wall', 'color.red', 'Color.RED'],
  ['gex', 'color.blue', 'Color.CYAN'],
  ['', 'color.gray', 'Color.GRAY']
]
const colourOf = (id: string) => colours.find(([part]) => id.includes(part))!

const csv: Format = ({ levels }) => [
  'id,label,price',
  ...levels.map(({ id, label, price }) => [id, label, price].join())
]

/**
 * Pine Script that draws one line per level, with a label that stays at the newest bar. Source: Pine Script v5
 * reference, hline and label.new.
 */
const pine: Format = ({ symbol, as, levels }, moment) => [
  '//@version=5',
  `// symbol ${symbol}, as ${as}, as_of ${moment}`,
  `indicator("${symbol} levels as ${as}", overlay = true)`,
  ...(levels.length === 0 ? ['plot(na)'] : []),
  ...levels.flatMap(({ id, label, price }) => {
    const [, colour] = colourOf(id)
    return [
      `hline(${price}, "${label}", color = ${colour})`,
      `var label label_${id} = label.new(bar_index, ${price}, "${label}", style = label.style_label_left, color = ${colour}, textcolor = color.white, size = size.small)`,
      `label.set_x(label_${id}, bar_index)`
    ]
  })
]

/**
 * thinkScript that draws one line per level, with a bubble at the newest bar. Source: thinkScript reference,
 * AddChartBubble.
 */
const thinkscript: Format = ({ symbol, as, levels }, moment) => [
  `# symbol ${symbol}, as ${as}, as_of ${moment}`,
  'declare upper;',
  ...(levels.length === 0 ? ['plot nothing = Double.NaN;'] : []),
  ...levels.flatMap(({ id, label, price }) => {
    const [, , colour] = colourOf(id)
    return [
      `plot ${id} = ${price};`,
      `${id}.SetDefaultColor(${colour});`,
      `AddChartBubble(IsNaN(close[-1]) and !IsNaN(close), ${id}, "${label}", ${colour}, yes);`
    ]
  })
]

const ninjatrader: Format = ({ levels }) => levels.map(({ label, price }) => `${price};${label}`)

const sierra: Format = ({ levels }) => levels.map(({ label, price }) => `${price},${label}`)

/** Chart formats other than JSON. Each has a media type and a function that writes its lines. */
export const formats = {
  csv: { type: 'text/csv', lines: csv },
  pine: { type: 'text/plain', lines: pine },
  thinkscript: { type: 'text/plain', lines: thinkscript },
  ninjatrader: { type: 'text/plain', lines: ninjatrader },
  sierra: { type: 'text/plain', lines: sierra }
} as const satisfies Readonly<Record<string, { readonly type: string; readonly lines: Format }>>

export type FormatName = 'json' | keyof typeof formats

/** Writes the levels as text in one chart format. Every line ends with LF. */
export function written(answer: WrittenLevels, format: FormatName, zone: Zone): string {
  if (format === 'json') return ''
  const moment = zone === 'et' ? easternDateTime(Date.parse(answer.as_of)) : answer.as_of
  return formats[format]
    .lines(answer, moment)
    .map((line) => `${line}\n`)
    .join('')
}
