import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isLive } from '../../../src/market/clock.ts'
import { easternDate } from '../../../src/market/eastern.ts'
import { asked, type Query } from '../../support/asking.ts'
import type { Market } from '../../support/markets.ts'

/** One answer of an endpoint with what it was asked for. */
export interface Case {
  readonly market: Market
  readonly query: Query
  /** Another endpoint over the same market; undefined where it refuses. */
  readonly other: <Answer>(path: string, query?: Query) => Answer | undefined
}

/** Invariants that the contract states. Each check throws if its invariant is violated. */
export interface Invariants<Answer> {
  readonly queries: (market: Market) => readonly Query[]
  readonly checks: Readonly<Record<string, (answer: Answer, at: Case) => void>>
  /** Invariants beyond those of the contract. */
  readonly further?: Readonly<Record<string, (answer: Answer, at: Case) => void>>
  /** Invariants proven where they can be seen, with the place. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

/** One test for each invariant of an endpoint: it holds in every answer over every market. */
export function proveInvariants<Answer>(
  path: string,
  { queries, checks, further = {}, elsewhere }: Invariants<Answer>,
  markets: () => readonly Market[]
): void {
  for (const [invariant, check] of Object.entries({ ...checks, ...further })) {
    test(`${path}: ${invariant}`, () => {
      let answers = 0
      for (const market of markets()) {
        const other = <Found>(place: string, query: Query = {}) => asked<Found>(place, market, query)
        for (const query of queries(market)) {
          const answer = asked<Answer>(path, market, query)
          if (answer === undefined) continue
          answers++
          try {
            check(answer, { market, query, other })
          } catch (error) {
            throw new Error(`${market.name} ${JSON.stringify(query)}: ${(error as Error).message}`, { cause: error })
          }
        }
      }
      expect(answers).toBeGreaterThan(5)
    })
  }
  test(`${path}: every invariant of the contract has its test`, () => {
    expect(Object.keys({ ...checks, ...elsewhere }).sort()).toEqual(contractInvariants(path) ?? expect.anything())
  })
}

/** Invariants that the contract states for a path, sorted; undefined if the contract is not next to the project. */
export function contractInvariants(path: string): readonly string[] | undefined {
  const folder = resolve(import.meta.dirname, '../../../../shared/contract')
  if (!existsSync(folder)) {
    console.log('skipped: the contract is not beside the project, so the list of invariants is not compared')
    return undefined
  }
  for (const file of [
    'exposure.yaml',
    'market.yaml',
    'volatility.yaml',
    'flow.yaml',
    'strategies.yaml',
    'earnings.yaml',
    'insight.yaml'
  ]) {
    const operation = contractFile(resolve(folder, file)).paths[path]?.get
    if (operation) return [...(operation['x-invariants'] ?? [])].sort()
  }
  throw new Error(`the contract has no ${path}`)
}

interface ContractFile {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly 'x-invariants'?: readonly string[] } } | undefined>
  >
}

const files = new Map<string, ContractFile>()

function contractFile(file: string): ContractFile {
  let found = files.get(file)
  if (found === undefined) files.set(file, (found = parse(readFileSync(file, 'utf8')) as ContractFile))
  return found
}

/** The whole chain, today, and the first, a middle and the last listed date. */
export function scopes({ chain }: Market): readonly Query[] {
  const dates = [...new Set(chain.expirations.map(({ date }) => date))]
  const chosen = new Set([dates[0], dates[dates.length >> 1], dates[dates.length - 1]])
  return [{}, { expiration: '0dte' }, ...[...chosen].map((expiration) => ({ expiration }))]
}

/** Whether the session of the market's day is still to close. */
export function beforeTheClose({ chain }: Market): boolean {
  return isLive(chain.asOf, easternDate(chain.asOf), 'pm')
}

/** The first row that breaks a rule, which must not exist. */
export function expectAll<Row>(rows: readonly Row[], holds: (row: Row, at: number) => boolean): void {
  expect(rows.find((row, at) => !holds(row, at))).toBeUndefined()
}

export const total = <Row>(rows: readonly Row[], figure: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + figure(row), 0)

/** Within a cent for each term that was rounded, and what doubles of this size keep. */
export function expectSum(sum: number, parts: number, terms: number): void {
  expect(Math.abs(sum - parts)).toBeLessThanOrEqual(0.005 * (terms + 1) + 1e-12 * Math.abs(sum) + 1e-9)
}

export const ascending = (values: readonly (number | string)[]) =>
  values.every((value, k) => k === 0 || value > values[k - 1])
