import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerTable, answerTables } from '../../../src/api/rows/answer-table.ts'
import { tableForms, writtenTable } from '../../../src/api/rows/forms.ts'
import type { AnswerColumn } from '../../../src/api/rows/table-columns.ts'
import { textLiteral } from '../../../src/archive/clickhouse/database-connection.ts'
import { openEmbedded } from '../../../src/archive/clickhouse/embedded.ts'
import { rowsOf } from '../../../src/archive/codec/native-rows.ts'
import { enginePath } from '../../../src/archive/open.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { hasEngine } from '../../support/engine.ts'
import { exampleUrl } from '../../support/example-url.ts'
import { service } from '../../support/service.ts'

const arrow = tableForms.find(({ name }) => name === 'arrow')!

const column = (name: string, type: AnswerColumn['type'], more: Partial<AnswerColumn> = {}): AnswerColumn => ({
  name,
  type,
  nullable: true,
  unit: undefined,
  description: undefined,
  words: undefined,
  ...more
})

/** A value as text, in one spelling for both readers. */
function spelled(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  const text = String(value)
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ? text.replace('T', ' ').replace('Z', '') : text
}

test.skipIf(!hasEngine)('tables as Arrow hold what another reader of the format reads as the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  const running = service()
  const engine = await openEmbedded(join(folder, 'engine'), enginePath)
  let count = 0

  const readBack = async (bytes: Uint8Array, names: readonly string[]) => {
    const path = join(folder, `${count++}.arrows`)
    writeFileSync(path, bytes)
    const file = `file(${textLiteral(path)}, ArrowStream)`
    const shape = rowsOf(await engine.read(`DESCRIBE ${file}`))
    expect(shape.map(({ name }) => name)).toEqual(names)
    const cells = names.map((name, k) => `CAST(ifNull(toString(\`${name}\`), 'null') AS String) AS c${k}`)
    const rows = rowsOf(await engine.read(`SELECT ${cells.join(', ')} FROM ${file}`))
    return rows.map((row) => names.map((_, k) => String(row[`c${k}`])))
  }
  const spelledOut = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map(spelled))

  try {
    const columns = [
      column('number', 'number', { unit: 'usd' }),
      column('text', 'string'),
      column('word', 'string', { words: ['up', 'down'] }),
      column('flag', 'boolean'),
      column('day', 'date'),
      column('moment', 'timestamp'),
      column('sure', 'number', { nullable: false })
    ]
    for (const length of [0, 1, 7, 8, 9, 1000]) {
      const rows = Array.from({ length }, (_, k) => [
        k % 3 === 0 ? null : k / 7,
        k % 4 === 0 ? null : `Zürich, "${k}"`,
        k % 5 === 0 ? null : ['up', 'down'][k % 2],
        k % 6 === 0 ? null : k % 2 === 0,
        k % 7 === 0 ? null : `2026-07-${String(1 + (k % 28)).padStart(2, '0')}`,
        k % 8 === 0 ? null : new Date(1_785_340_799_000 + k).toISOString(),
        k
      ])
      const names = columns.map(({ name }) => name)
      expect(await readBack(writtenTable(arrow, columns, rows), names)).toEqual(spelledOut(rows))
    }

    const key = running.keyOn('enterprise')
    for (const endpoint of endpoints.filter(({ forms, formWanted }) => forms.length === 0 && !formWanted)) {
      const { url, method, payload } = exampleUrl(endpoint)
      const name = answerTables(endpoint).main
      const asked = `${url}${url.includes('?') ? '&' : '?'}format=arrow&rows=${name}`
      const sent = { method, ...(payload !== undefined && { payload }) } as const
      const [json, table] = [await running.ask(url, key, sent), await running.ask(asked, key, sent)]
      if (json.statusCode !== 200 || endpoint.id === 'account.current') continue
      const { columns, read } = answerTable(endpoint, name)
      const fixed = columns.filter((one) => ['symbol', 'as_of'].includes(one.name)).length
      const values = { symbol: null, at: null, as_of: null }
      const names = columns.map((one) => one.name)
      const rows = await readBack(table.rawPayload, names)
      const behind = (row: readonly string[]) => row.slice(fixed)
      expect(rows.map(behind), endpoint.id).toEqual(spelledOut(read(json.json(), values)).map(behind))
    }
  } finally {
    await engine.close()
    await running.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
