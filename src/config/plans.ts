import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultPlans, type Plans } from '../api/plan.ts'
import { PlansError, parsePlans } from '../api/plan-file.ts'
import { entryLines, parseJsonText } from './json-lines.ts'

/** Reads the operator's plans from a file; the default plans if there is no file. Adds mistakes to `problems`. */
export function readPlans(path: string | undefined, data: string, problems: string[]): Plans {
  const file = path ?? join(data, 'plans.json')
  if (path === undefined && !existsSync(file)) return defaultPlans
  let lines: readonly number[] = []
  try {
    const text = readFileSync(file, 'utf8')
    const json = parseJsonText(text)
    lines = entryLines(text)
    return parsePlans(json)
  } catch (error) {
    const placed = (problem: string) =>
      problem.replace(/^plan (\d+)/, (plan, number) => `line ${lines[number - 1]}: ${plan}`)
    if (error instanceof PlansError) problems.push(...error.problems.map((problem) => `${file}: ${placed(problem)}`))
    else problems.push(`the plans file ${file} cannot be read: ${error instanceof Error ? error.message : error}`)
    return defaultPlans
  }
}
