import { nearest } from '../../api/nearest.ts'
import { printable } from '../../api/params.ts'
import { type AnswerField, fieldsOf } from './fields.ts'
import type { ToolArguments } from './question.ts'
import { fitting, refusedCall, resultOf, type ToolResult } from './result.ts'
import { argumentsOf, type TakenArgument } from './tool-schema.ts'
import type { Tool, View } from './toolbox.ts'

const fieldCounts = [400, 250, 150, 100, 60, 30, 0]

/** Says what the views of a tool answer, or all about one: its arguments, figures, units and least plan. */
export function describe(tools: readonly Tool[], { tool: name, view: word, part }: ToolArguments): ToolResult {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) {
    const names = tools.map((each) => each.name)
    const [near] = nearest(String(name ?? ''), names, 1)
    const advice = near === undefined ? '' : `did you mean ${near}? `
    return refusedCall('invalid_tool', `${advice}tool must be one of ${names.join(', ')}`)
  }
  if (word === undefined || word === null) return resultOf(overview(tool))
  const view = tool.views.find((each) => each.word === word || each.operation.id === word)
  if (view === undefined) {
    const words = tool.views.map((each) => each.word).join(', ')
    return refusedCall('invalid_view', `${tool.name} has no view '${printable(String(word))}': take one of ${words}`)
  }
  return whole(tool, view, typeof part === 'string' ? part : '')
}

function overview({ name, title, description, views }: Tool) {
  return {
    tool: name,
    title,
    description,
    views: Object.fromEntries(views.map(({ word, operation }) => [word, operation.summary])),
    how: 'describe with a view says its arguments and figures'
  }
}

function whole({ name }: Tool, { word, operation }: View, part: string): ToolResult {
  const { method, path, summary, description, plan, replay, writes, body } = operation
  const all = fieldsOf(operation.response).filter((field) => field.path.startsWith(part))
  return fitting(fieldCounts, (count) => ({
    tool: name,
    view: word,
    summary,
    ...(description !== '' && { description }),
    plan,
    past: replay,
    ...(writes && { changes: true }),
    arguments: Object.fromEntries(
      [...argumentsOf(operation)].map(([argument, taken]) => [argument, argumentText(taken)])
    ),
    ...(body !== undefined && { example: body.example }),
    figures: Object.fromEntries(all.slice(0, count).map((field) => [field.path, figureText(field)])),
    ...(all.length > count && {
      more: `${all.length - count} further figures: give part, the beginning of their path`
    }),
    rest: `${method} ${path}`
  }))
}

function argumentText({ required, schema, example }: TakenArgument): string {
  const { description = '', enum: words } = schema
  const text = [required ? 'needed' : '', description, words === undefined ? '' : `one of ${words.join(', ')}`]
  const shown = typeof example === 'string' ? `for example ${example}` : ''
  return [...text, shown].filter((each) => each !== '').join('; ')
}

function figureText({ description, unit }: AnswerField): string {
  return [unit === undefined ? '' : `[${unit}]`, description.slice(0, 160)].filter((each) => each !== '').join(' ')
}
