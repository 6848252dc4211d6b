import { type ApiReply, type Backend, ToolRefusal } from './backend.ts'
import { describe } from './describe.ts'
import type { Finder } from './find.ts'
import { readCall, type ToolArguments } from './question.ts'
import { refusedCall, type ToolResult } from './result.ts'
import { answerOf } from './tool-answer.ts'
import type { Tool } from './toolbox.ts'

export interface Calling {
  readonly tools: readonly Tool[]
  readonly finder: Finder
  readonly ask: Backend
  /** Whether only past moments are answered about. */
  readonly isPast: boolean
}

export interface ToolOutcome {
  readonly result: ToolResult
  /** Requests of the account that the call used. */
  readonly cost: number
}

/** What to do about a refusal, beside what its message says. */
const advice: Readonly<Record<string, string>> = {
  symbol_not_found: 'The tool market has views universe and tickers with the symbols that are known.',
  loading: 'Call again in a few seconds.',
  data_loading: 'Call again in a few seconds.',
  overloaded: 'Call again in a few seconds.',
  no_snapshot: 'The moment may lie before the first recording.',
  history_off: 'Leave out at to ask about now.'
}

/** Calls a tool. What cannot be answered is a refusal that says why; only a fault of our own rejects. */
export async function callTool(name: string, sent: ToolArguments, calling: Calling): Promise<ToolOutcome> {
  const { tools, finder, ask, isPast } = calling
  let cost = 0
  try {
    if (name === 'find') return free(finder.find(sent['words']))
    if (name === 'describe') return free(describe(tools, sent))
    const tool = tools.find((each) => each.name === name)
    if (tool === undefined)
      return free(
        refusedCall(
          'invalid_tool',
          `there is no such tool; there are find, describe, ${tools.map((each) => each.name).join(', ')}`
        )
      )
    const { view, question, shape } = readCall(tool, sent, isPast)
    const reply = await ask(question)
    cost = costOf(reply)
    if (reply.status >= 400) return { result: refusalOf(reply), cost }
    return { result: answerOf(`${name}.${view.word}`, view.operation, reply, shape), cost }
  } catch (error) {
    if (error instanceof ToolRefusal) return { result: refusedCall(error.code, error.message), cost }
    throw error
  }
}

const free = (result: ToolResult): ToolOutcome => ({ result, cost: 0 })

/** Refusals by plan, and faults of the service, are not counted. */
const costOf = ({ status }: ApiReply) => (status === 401 || status === 403 || status === 429 || status >= 500 ? 0 : 1)

function refusalOf({ text }: ApiReply): ToolResult {
  const { error, title, message, detail } = errorIn(text)
  const code = String(error ?? title ?? 'refused')
  const said = String(message ?? detail ?? title ?? 'the service refused this')
  const more = advice[code]
  return refusedCall(code, more === undefined ? said : `${said}. ${more}`)
}

function errorIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
