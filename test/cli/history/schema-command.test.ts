import { expect, test } from 'vitest'
import { clusterStatements } from '../../../src/archive/clickhouse/schema/cluster.ts'
import { schemaVersion } from '../../../src/archive/clickhouse/schema/migrations.ts'
import { main } from '../../../src/cli/main.ts'

async function run(...argv: string[]) {
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  const code = await main(['history', 'schema', ...argv], { out: write, err: write, env: {} })
  return { code, text: lines.join('\n') }
}

test('the statements for a cluster are printed one after the other, each with its end', async () => {
  const { code, text } = await run('--cluster', 'main')
  expect(code).toBe(0)
  expect(text.split(';\n').map((statement) => statement.trim())).toEqual([...clusterStatements('main'), ''])
  expect((await run('--cluster', 'main', '--from', String(schemaVersion))).text).not.toContain('option_images')
})

test('what cannot be a cluster or a version is refused', async () => {
  const { code, text } = await run('--from', 'x')
  expect(code).toBe(1)
  expect(text).toContain('needs --cluster')
  expect(text).toContain(`--from must be a whole number from 0 to ${schemaVersion}`)
  expect((await run('--cluster', "a' b")).code).toBe(1)
})
