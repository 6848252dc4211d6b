import type { Zone } from '../../../api/serializer.ts'
import { chartLevelIds } from '../../../exposure/levels/chart-levels.ts'
import { csvLine } from '../../../formats/written-csv.ts'
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
  ...levels.map(({ id, label, price }) => csvLine([id, label, price]))
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

/** One line that holds all levels: `name=value`, joined with semicolons. It is what `pine6` asks its user to paste. */
const levelLine = ({ symbol, as, levels }: WrittenLevels, moment: string) =>
  [`symbol=${symbol}`, `as=${as}`, `as_of=${moment}`, ...levels.map(({ id, price }) => `${id}=${price}`)].join(';')

const line: Format = (answer, moment) => [levelLine(answer, moment)]

/**
 * Pine Script that takes its levels from one pasted line. Only that line differs from day to day, so the colours and
 * alerts that a user has set for it stay. It has a plot and an alert condition for every level that there can be.
 * Source: Pine Script v6 reference, input.string, plot and alertcondition.
 */
const pine6: Format = (answer, moment) => [
  '//@version=6',
  'indicator("Option levels", overlay = true)',
  `pasted = input.string("${levelLine(answer, moment)}", "Levels: paste one line")`,
  'price_of(string id) =>',
  '    float found = na',
  '    for part in str.split(pasted, ";")',
  '        pair = str.split(part, "=")',
  '        if pair.size() == 2 and pair.first() == id',
  '            found := str.tonumber(pair.last())',
  '    found',
  ...chartLevelIds.flatMap((id) => {
    const [, colour] = colourOf(id)
    const title = titleOf(id)
    return [
      `${id} = price_of("${id}")`,
      `plot(${id}, "${title}", color = ${colour}, style = plot.style_linebr)`,
      `alertcondition(ta.cross(close, ${id}), "${title} crossed", "{{ticker}} crossed ${title}")`
    ]
  })
]

function titleOf(id: string): string {
  const words = id.replaceAll('_', ' ')
  return words[0].toUpperCase() + words.slice(1)
}

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
  pine6: { type: 'text/plain', lines: pine6 },
  line: { type: 'text/plain', lines: line },
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
