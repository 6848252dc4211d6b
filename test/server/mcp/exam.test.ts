import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../../src/endpoints/index.ts'
import { type Attempt, attempt } from './exam-client.ts'
import { type ExamQuestion, examQuestions } from './exam-questions.ts'
import { heldOutQuestions } from './held-out-questions.ts'
import { mcpService } from './mcp-service.ts'

// Questions of traders, answered by a client that knows only what the tools say of themselves. The figures that are
// expected come from REST.

type Host = Awaited<ReturnType<typeof mcpService>>
let host: Host
beforeAll(async () => {
  host = await mcpService()
})
afterAll(() => host.close())

const MOST_MISSED = 0.05

/** The figure of REST that answers a question. */
async function expectedOf({ rest, given, figure }: ExamQuestion): Promise<unknown> {
  const [method, url] = rest.startsWith('POST ') ? ['POST' as const, rest.slice(5)] : ['GET' as const, rest]
  const sent = method === 'POST' ? { method, payload: given as object } : {}
  const dated = given['at'] === undefined ? undefined : `${url}?at=${given['at']}`
  const answer = await (dated === undefined ? host.ask(url, host.key, sent) : host.past(dated, { with: host.key }))
  expect([rest, answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([rest, 200, ''])
  return valueAt(answer.json(), figure)
}

function valueAt(answer: unknown, path: string): unknown {
  let value = answer as never
  for (const [, name, row] of path.matchAll(/\.?(\w+)|\[([^\]]+)\]/g)) {
    if (row === undefined) value = value?.[name as never]
    else if (!Array.isArray(value)) return undefined
    else if (row === 'last') value = (value as readonly unknown[]).at(-1) as never
    else if (!row.includes('=')) value = value[Number(row) as never]
    else {
      const [key, wanted] = row.split('=')
      value = (value as readonly Record<string, unknown>[]).find((each) => String(each[key]) === wanted) as never
    }
  }
  return value
}

/** Names of bars in rows, which REST shortens. */
const inRows: Readonly<Record<string, string>> = { c: 'rows.close' }

function isAnswered({ calls }: Attempt, { figure }: ExamQuestion, expected: unknown): boolean {
  const bare = figure.replace(/\[[^\]]*\]/g, '')
  const path = inRows[bare] ?? bare
  return calls.some(({ figures }) => figures.some((each) => each.path === path && each.value === expected))
}

const exams = [
  { name: 'a hundred', questions: examQuestions, count: 100 },
  { name: 'thirty held-out', questions: heldOutQuestions, count: 30 }
]

test.each(exams)('$name different questions are asked, without words that only the service uses', (exam) => {
  expect(new Set(exam.questions.map(({ ask }) => ask)).size).toBe(exam.count)
  for (const { ask } of exam.questions) {
    for (const { id } of endpoints) expect(ask).not.toContain(id)
    expect(ask).not.toMatch(/\w_\w/)
  }
})

test.each(exams)('95 % of $name questions are answered within three calls of 20 KB', async ({ questions, count }) => {
  const { call } = await host.connect()
  const missed: string[] = []
  for (const question of questions) {
    const expected = await expectedOf(question)
    expect([question.ask, expected ?? 'none']).not.toEqual([question.ask, 'none'])
    const made = await attempt(question.ask, question.given, call)
    for (const { bytes } of made.calls) expect(bytes).toBeLessThanOrEqual(20 * 1024)
    expect(made.calls.length).toBeLessThanOrEqual(3)
    if (!isAnswered(made, question, expected)) {
      missed.push(
        `${question.ask} ${question.rest} ${question.figure} = ${expected}: ${made.calls.map((each) => each.call).join(', ')}`
      )
    }
  }
  const most = Math.floor(count * MOST_MISSED)
  expect(missed.slice(0, missed.length > most ? undefined : 0)).toEqual([])
  expect(missed.length).toBeLessThanOrEqual(most)
}, 600_000)
