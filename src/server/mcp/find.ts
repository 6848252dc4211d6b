import { alsoCalled } from './also-called.ts'
import type { ApiOperation } from './api-operation.ts'
import { type AnswerField, fieldsOf } from './fields.ts'
import { refusedCall, resultOf, type ToolResult } from './result.ts'
import { argumentsOf } from './tool-schema.ts'
import type { Tool, View } from './toolbox.ts'
import { searchWords } from './words.ts'

const MAX_FOUND = 6
const MAX_FIELDS = 4

interface Indexed {
  readonly tool: string
  readonly view: View
  readonly fields: readonly AnswerField[]
  /** Weight of each word in the texts about the view. */
  readonly weights: ReadonlyMap<string, number>
}

/** Words that a question and the texts about an operation have in common, weighted by how rare they are. */
export class Finder {
  readonly #views: readonly Indexed[]
  readonly #rarity = new Map<string, number>()

  constructor(tools: readonly Tool[]) {
    this.#views = tools.flatMap(({ name, views }) => views.map((view) => indexed(name, view)))
    const counts = new Map<string, number>()
    for (const { weights } of this.#views) {
      for (const word of weights.keys()) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    for (const [word, count] of counts) this.#rarity.set(word, Math.log(1 + this.#views.length / count))
  }

  /** The views that fit a question best, with the arguments that they need and the figures in it. */
  find(question: unknown): ToolResult {
    if (typeof question !== 'string' || question.trim() === '' || question.length > 500) {
      return refusedCall(
        'invalid_words',
        'words must be a text of 1 to 500 characters, such as gamma flip or fall of volatility'
      )
    }
    const asked = [...searchWords(question)].map(
      ([word, weight]) => [word, weight * (this.#rarity.get(word) ?? 0)] as const
    )
    const rated = this.#views.map((each) => ({ each, score: scoreOf(each.weights, asked) }))
    const best = rated
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_FOUND)
    if (best.length === 0)
      return resultOf({ found: [], advice: 'nothing has these words: try other ones, or describe a tool' })
    return resultOf({ found: best.map(({ each }) => foundOf(each, asked)) })
  }
}

function indexed(tool: string, view: View): Indexed {
  const { operation } = view
  const fields = fieldsOf(operation.response)
  const weights = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const [word, times] of searchWords(text)) weights.set(word, Math.max(weights.get(word) ?? 0, weight * times))
  }
  // The least telling texts first: a word counts where it tells most.
  for (const { description } of fields) add(description, 0.3)
  for (const name of Object.keys(operation.params)) add(name, 0.5)
  for (const { path } of fields) add(path, path.includes('[]') ? 0.5 : path.includes('.') ? 1 : 2)
  add(operation.description, 2)
  add(operation.summary, 4)
  add(`${operation.id} ${view.word}`, 4)
  add(alsoCalled[operation.id] ?? '', 4)
  return { tool, view, fields, weights }
}

type Asked = readonly (readonly [word: string, weight: number])[]

const scoreOf = (weights: ReadonlyMap<string, number>, asked: Asked) =>
  asked.reduce((sum, [word, weight]) => sum + weight * (weights.get(word) ?? 0), 0)

function foundOf({ tool, view, fields }: Indexed, asked: Asked) {
  const { word, operation } = view
  return {
    tool,
    view: word,
    summary: operation.summary,
    arguments: argumentTexts(operation),
    past: operation.replay,
    plan: operation.plan,
    figures: figuresFor(fields, asked)
  }
}

/** Names of arguments; an asterisk marks those that are needed. */
export function argumentTexts(operation: ApiOperation): readonly string[] {
  return [...argumentsOf(operation)].map(([name, { required }]) => (required ? `${name}*` : name))
}

/** Figures whose name or description has words of the question, best first. */
function figuresFor(fields: readonly AnswerField[], asked: Asked): readonly string[] {
  const rated = fields.map((field) => {
    const weights = new Map([...searchWords(field.description)].map(([word]) => [word, 1]))
    for (const [word] of searchWords(field.path)) weights.set(word, 2)
    return { field, score: scoreOf(weights, asked) }
  })
  const best = rated.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  return best.slice(0, MAX_FIELDS).map(({ field: { path, unit } }) => (unit === undefined ? path : `${path} (${unit})`))
}
