import { inputSchemaOf } from './tool-schema.ts'
import type { Tool } from './toolbox.ts'

const reading = { readOnlyHint: true, openWorldHint: false } as const
const writing = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false } as const

/** The tools as a client lists them, `find` and `describe` first. The list is the same for every caller. */
export function listedTools(tools: readonly Tool[], isPast: boolean) {
  const made = tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool, { isPast }),
    annotations: tool.views.some(({ operation }) => operation.writes) ? writing : reading
  }))
  return [findTool, describeTool(tools), ...made]
}

const findTool = {
  name: 'find',
  title: 'Find what answers a question',
  description:
    'Which tool and view answer a question, with the arguments they need and the figures in them. Use it first whenever it is not plain which view has a figure. Give the words of the question: gamma flip, IV crush, who bought calls.',
  inputSchema: {
    type: 'object',
    properties: { words: { type: 'string', description: 'words of the question' } },
    required: ['words'],
    additionalProperties: false
  },
  annotations: reading
} as const

const describeTool = (tools: readonly Tool[]) => ({
  name: 'describe',
  title: 'Describe a view',
  description:
    'What a view takes and answers: arguments with examples, every figure with unit and meaning, least plan, whether past moments are answered. Without view: all views of a tool in a line each. Costs nothing.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', enum: tools.map(({ name }) => name) },
      view: { type: 'string' },
      part: { type: 'string', description: 'figures whose path begins so' }
    },
    required: ['tool'],
    additionalProperties: false
  },
  annotations: reading
})
