import { nearest } from '../../api/nearest.ts'
import { printable } from '../../api/params.ts'
import { type Question, ToolRefusal } from './backend.ts'
import type { Shape } from './figures/shape.ts'
import { argumentNameOf, argumentsOf, controlNames, type TakenArgument } from './tool-schema.ts'
import type { Tool, View } from './toolbox.ts'

export type ToolArguments = Readonly<Record<string, unknown>>

/** Longest text of an argument, characters; those of the API are shorter. */
const MAX_TEXT = 2000
const MAX_ROWS = 500

/** A call that was understood: the view, the request that answers it, and how its answer is cut. */
export interface ToolCall {
  readonly view: View
  readonly question: Question
  readonly shape: Shape
}

/**
 * Reads the arguments of a call. Throws a ToolRefusal that says what would be taken. Values are checked further by the
 * API, which refuses with its own sentence. `isPast` is true on the host that answers about past moments alone.
 */
export function readCall(tool: Tool, sent: ToolArguments, isPast: boolean): ToolCall {
  const view = readView(tool, sent['view'])
  const { operation } = view
  const taken = argumentsOf(operation)
  const given = named(sent, taken)
  refuseStrangers(given, taken, view, tool)
  const at = readAt(given.get('at'), view, tool, isPast)
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  let path = operation.path
  for (const [name, argument] of taken) {
    const value = given.get(name)
    if (value === undefined || value === null) {
      if (argument.required) throw missing(name, argument, view)
    } else if (argument.place === 'body') body[argument.name] = value
    else {
      const text = textOf(name, value)
      if (argument.place === 'query') query.set(argument.name, text)
      else path = path.replace(`{${argument.name}}`, encodeURIComponent(pathPart(name, text)))
    }
  }
  if (at !== undefined) query.set('at', at)
  const url = query.size === 0 ? path : `${path}?${query}`
  const hasBody = operation.body !== undefined
  const question = { method: operation.method, url, body: hasBody ? body : undefined, past: at !== undefined }
  return { view, question, shape: readShape(given) }
}

function readView({ views, name: tool }: Tool, sent: unknown): View {
  const words = views.map(({ word }) => word)
  // A model that knows an id of the API, such as exposure.gex, means its view.
  const text = typeof sent === 'string' ? sent : ''
  const found = views.find(({ word, operation }) => word === text || operation.id === text)
  if (found !== undefined) return found
  const near = nearest(text, words)
  const advice = near.length === 0 ? words.join(', ') : `${near.join(', ')}; all views: ${words.join(', ')}`
  throw new ToolRefusal('invalid_view', `${tool} has no view '${printable(String(text))}': take ${advice}`)
}

/** ToolArguments under their own names: `ticker` is read as `symbol`, and so on. */
function named(sent: ToolArguments, taken: ReadonlyMap<string, TakenArgument>): ReadonlyMap<string, unknown> {
  const given = new Map<string, unknown>()
  for (const [name, value] of Object.entries(sent)) {
    const own = taken.has(name) ? name : argumentNameOf(name)
    if (value !== null && !given.has(own)) given.set(own, value)
  }
  return given
}

function refuseStrangers(
  given: ReadonlyMap<string, unknown>,
  taken: ReadonlyMap<string, TakenArgument>,
  { word, operation }: View,
  { views }: Tool
): void {
  const names = operation.writes ? ['view'] : controlNames
  const stranger = [...given.keys()].find((name) => !taken.has(name) && !(names as readonly string[]).includes(name))
  if (stranger === undefined) return
  const all = [...taken.keys(), ...names.slice(1)]
  const [near] = nearest(stranger, all, 1)
  const others = views.filter((view) => argumentsOf(view.operation).has(stranger)).map((view) => view.word)
  const advice = near === undefined ? '' : `; did you mean ${near}?`
  const elsewhere = others.length === 0 ? '' : `; ${others.slice(0, 5).join(', ')} would`
  const message = `view ${word} does not take ${printable(stranger)}${advice}${elsewhere}. It takes ${all.join(', ')}`
  throw new ToolRefusal('unknown_argument', message)
}

function readAt(value: unknown, { word, operation }: View, { views }: Tool, isPast: boolean): string | undefined {
  if (value === undefined) {
    if (!isPast) return undefined
    throw new ToolRefusal('invalid_at', 'at is needed here, a past New York moment such as 2026-07-29T11:00:00')
  }
  if (operation.replay) return textOf('at', value)
  const others = views.filter((view) => view.operation.replay).map((view) => view.word)
  const advice = others.length === 0 ? '' : `; about past moments ask ${others.slice(0, 12).join(', ')}`
  throw new ToolRefusal('live_only', `view ${word} is about the present only: leave out at${advice}`)
}

function missing(name: string, { schema, example }: TakenArgument, { word }: View): ToolRefusal {
  const meaning = schema.description === undefined ? '' : `: ${schema.description}`
  const written = typeof example === 'string' ? example : JSON.stringify(example)
  return new ToolRefusal('missing_argument', `view ${word} needs ${name}${meaning}. Example: ${written}`)
}

/** A value as the text of a parameter. A list is joined by commas. */
function textOf(name: string, value: unknown): string {
  const list = Array.isArray(value) ? value : [value]
  const isPlain = list.every((each) => ['string', 'number', 'boolean'].includes(typeof each))
  const text = isPlain ? list.join(',') : ''
  if (!isPlain) throw new ToolRefusal('invalid_argument', `${name} must be a text or a number`)
  if (text.length > MAX_TEXT)
    throw new ToolRefusal('invalid_argument', `${name} must have at most ${MAX_TEXT} characters`)
  return text
}

/** A text that stays one segment of a path: neither empty nor a step to another folder. */
function pathPart(name: string, text: string): string {
  if (text !== '' && !/^\.+$/.test(text) && !/\p{Surrogate}/u.test(text)) return text
  throw new ToolRefusal('invalid_argument', `${name} must be a ticker or an id`)
}

function readShape(given: ReadonlyMap<string, unknown>): Shape {
  const detail = given.get('detail') ?? 'brief'
  if (detail !== 'brief' && detail !== 'full') throw new ToolRefusal('invalid_detail', 'detail must be brief or full')
  const rows = readWhole(given, 'rows', 1, MAX_ROWS)
  const fromRow = readWhole(given, 'from_row', 0, 1_000_000)
  const part = given.get('part')
  const isPart = part === undefined || (typeof part === 'string' && part.length <= 200)
  if (!isPart) throw new ToolRefusal('invalid_part', 'part must be the name of a field, such as strikes[640]')
  return { detail, rows, fromRow, part: part === '' ? undefined : part }
}

function readWhole(given: ReadonlyMap<string, unknown>, name: string, least: number, most: number): number | undefined {
  const value = given.get(name)
  if (value === undefined) return undefined
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  if (Number.isInteger(number) && (number as number) >= least && (number as number) <= most) return number as number
  throw new ToolRefusal(`invalid_${name}`, `${name} must be a whole number from ${least} to ${most}`)
}
