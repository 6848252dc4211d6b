import type { SchemaNode } from '../../api/schema-node.ts'
import type { ApiOperation } from './api-operation.ts'
import type { ApiReply } from './backend.ts'
import { type CutChoice, cut, nothingLearned, OVER_TIME } from './figures/cut.ts'
import { rowsOverTime } from './figures/over-time.ts'
import { type Part, partOf } from './figures/part.ts'
import type { Shape } from './figures/shape.ts'
import { unitsByName } from './figures/units-by-name.ts'
import { fitting, type ToolResult } from './result.ts'

type Fields = Readonly<Record<string, unknown>>

/** Rows of each list that are tried, from many to few, until an answer fits. */
const rowCounts = [500, 300, 200, 150, 100, 70, 50, 35, 25, 18, 13, 10, 7, 5, 3, 2, 1]
const USUAL_ROWS = 10
/** Depth of answers as they are, and those that are tried where they do not fit otherwise. */
const depths = [12, 3, 2, 1]

/** Turns the reply to a question into what a tool says: figures with their units, moment, age, quality and source. */
export function answerOf(view: string, operation: ApiOperation, reply: ApiReply, shape: Shape): ToolResult {
  const whole = readReply(operation, reply)
  const about = aboutOf(view, operation, whole.value, reply)
  const wanted = shape.part === undefined ? withoutAbout(whole, about) : partOf(overTime(whole), shape.part)
  const spot = spotOf(whole)
  return fitting(choicesOf(shape, spot, isScript(reply)), (choice) => {
    const learned = nothingLearned()
    const data = cut(wanted.value, wanted.node, shape.part ?? '', choice, learned)
    const { units, nulls, cuts } = learned
    return {
      ...about,
      ...(shape.part !== undefined && { part: shape.part }),
      data: data ?? null,
      ...(units.size > 0 && { units: unitsByName(units) }),
      ...(nulls.size > 0 && { nulls: Object.fromEntries(nulls) }),
      ...(cuts.length > 0 && { more: { cut: cuts.slice(0, MAX_CUTS).map(textOfCut), how: HOW } })
    }
  })
}

const HOW = 'for the rest call again with part=<name>, rows (to 500) and from_row, or detail=full'
const MAX_CUTS = 12

const textOfCut = ({ part, of, shown }: { readonly part: string; readonly of: number; readonly shown: string }) =>
  `${part === '' ? 'data' : part}: ${shown} of ${of}`

/** The JSON of a reply. Other forms, such as a script for a charting program, are one text. */
function readReply({ response }: ApiOperation, { text, header }: ApiReply): Part {
  return isScript({ header }) ? { value: { text }, node: {} } : { value: JSON.parse(text), node: response }
}

const isScript = ({ header }: Pick<ApiReply, 'header'>) =>
  !(header('content-type') ?? '').startsWith('application/json')

/** What an answer is about, and how far to trust it. */
function aboutOf(view: string, { response }: ApiOperation, answer: unknown, { header }: ApiReply): Fields {
  const { symbol, ticker = symbol } = answer as Fields
  const moments = Object.entries(response.properties ?? {}).filter(([, node]) => node['x-moment'] === true)
  const moment = moments.map(([name]) => (answer as Fields)[name]).find((each) => each !== undefined)
  const [age, quality] = ['x-data-age', 'x-data-quality'].map((name) => header(name))
  const [at, fidelity, flowSource, partial] = [
    'x-replay-at',
    'x-replay-fidelity',
    'x-flow-source',
    'x-flow-partial'
  ].map((name) => header(name))
  return {
    ...(typeof ticker === 'string' && { symbol: ticker }),
    view,
    as_of: moment ?? (answer as Fields)['as_of'] ?? header('x-replay-as-of') ?? null,
    ...(age !== undefined && { age_s: Number(age), stale: header('x-data-stale') === 'true' }),
    quality: quality === undefined ? null : Number(quality),
    source: header('x-data-source') ?? null,
    ...(at !== undefined && { at }),
    ...(fidelity !== undefined && { fidelity }),
    ...(flowSource !== undefined && { flow_source: flowSource }),
    ...(partial !== undefined && { flow_part: partial })
  }
}

/** An answer without the fields that stand before it, and with rows where it has arrays beside each other. */
function withoutAbout(whole: Part, about: Fields): Part {
  const { value, node } = overTime(whole)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, node }
  const kept = Object.entries(value).filter(([name, inner]) => !isAbout(name, inner, about))
  return { value: Object.fromEntries(kept), node }
}

const isAbout = (name: string, value: unknown, about: Fields) =>
  (name === 'symbol' || name === 'as_of') && value === about[name]

function overTime({ value, node }: Part): Part {
  const found = rowsOverTime(value)
  if (found === undefined) return { value, node }
  return { value: { ...found.rest, [OVER_TIME]: found.rows }, node }
}

/** Spot of an answer, by which rows are chosen. */
function spotOf({ value, node }: Part): number | undefined {
  const [name] = Object.entries(node.properties ?? {}).find(([, each]) => isSpot(each)) ?? ['underlying_price']
  const spot = (value as Fields | null)?.[name]
  return typeof spot === 'number' ? spot : undefined
}

const isSpot = (node: SchemaNode): boolean => node['x-spot'] === true || (node.anyOf ?? []).some(isSpot)

/** Ways to cut an answer, from the one that was asked for to the shortest. A script stays whole if it fits at all. */
function choicesOf({ detail, rows, fromRow }: Shape, spot: number | undefined, isWhole: boolean): readonly CutChoice[] {
  const asked = rows ?? (detail === 'full' ? rowCounts[0] : USUAL_ROWS)
  const texts = isWhole ? 8000 : detail === 'full' ? 4000 : 400
  const counts = [asked, ...rowCounts.filter((count) => count < asked)]
  const fewest = counts.at(-1)!
  return [
    ...counts.map((count) => ({ detail, fromRow, spot, texts, rows: count, depth: depths[0] })),
    ...depths.slice(1).map((depth) => ({ detail, fromRow, spot, texts: 200, rows: fewest, depth }))
  ]
}
