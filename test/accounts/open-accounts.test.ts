import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { openAccounts } from '../../src/accounts/open-accounts.ts'
import { temporaryFolder } from './temporary-accounts.ts'

const sources = resolve(import.meta.dirname, '../../src')

/** Files of the program that load another one as they are loaded themselves. */
const loading = (module: RegExp) =>
  readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => module.test(readFileSync(join(sources, file), 'utf8')))

test('without an address the accounts lie in the folder, and nothing that a server needs is loaded', async () => {
  const database = await openAccounts(temporaryFolder(), undefined)
  expect(await database.read.selectFrom('users').selectAll().execute()).toEqual([])
  await database.close()
  const needPg = loading(/^import (?!type).* from 'pg'/m)
  expect(needPg).toContain('accounts/postgres.ts')
  const ofServer = new Set(needPg.map((file) => file.replace(/^.*\//, '').replace('.', '\\.')))
  const needThose = loading(new RegExp(`^import (?!type).* from '.*/(${[...ofServer].join('|')})'`, 'm'))
  expect(needThose.filter((file) => !needPg.includes(file))).toEqual([])
  expect(loading(/^import (?!type).* from '.*\/postgres\.ts'/m)).toEqual([])
})
