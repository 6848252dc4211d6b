import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { features } from '../../src/api/feature.ts'
import { endpointsWith } from '../../src/endpoints/index.ts'

const folder = join(import.meta.dirname, '../../src/endpoints')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

const isEndpoint = (value: unknown): value is { readonly id: string } =>
  typeof value === 'object' && value !== null && 'id' in value && 'path' in value && 'answer' in value

test('every endpoint that a file declares stands in the list', async () => {
  const declared: string[] = []
  for (const file of files) {
    const exported = Object.values((await import(join(folder, file))) as Record<string, unknown>)
    declared.push(...exported.filter(isEndpoint).map(({ id }) => id))
  }
  expect(declared.length).toBeGreaterThan(90)
  const listed = new Set(endpointsWith(features).map(({ id }) => id))
  expect(declared.filter((id) => !listed.has(id))).toEqual([])
})
