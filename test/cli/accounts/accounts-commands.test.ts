import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'

async function type(line: string, env: Readonly<Record<string, string>> = {}) {
  const written = { out: [] as string[], err: [] as string[] }
  const out = (text: string) => written.out.push(text)
  const err = (text: string) => written.err.push(text)
  const code = await main(line.split(' '), { out, err, env })
  return { code, out: written.out.join('\n'), err: written.err.join('\n') }
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test.each(['migrate', 'copy', 'usage'])('accounts %s names the address that it needs', async (command) => {
  const { code, err } = await type(`accounts ${command}`, { GAMMAWALL_DATA: dataFolder() })
  expect(code).not.toBe(0)
  expect(err).toContain(`accounts ${command} needs --accounts, the address of a PostgreSQL server`)
})

describe.runIf(hasPostgres)('a move to a server and back', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  test('keeps users and keys, and says what to do next', async () => {
    const [data, address] = [dataFolder(), await server.database()]
    const inFolder = { GAMMAWALL_DATA: data }
    const onServer = { ...inFolder, GAMMAWALL_ACCOUNTS: address }
    await type('keys create --email a@b.c --plan alpha', inFolder)
    await type('accounts migrate', onServer)
    const copied = await type('accounts copy', onServer)
    expect(copied.out).toBe('copied 1 users, 1 keys, 2 audit')
    expect(copied.err).toContain('run gammawall accounts usage')
    expect((await type('accounts copy', onServer)).out).toMatch(/^these accounts were copied at .*Z already$/)
    expect((await type('accounts usage', onServer)).out).toBe('added 0 requests')
    expect((await type('users list', onServer)).out).toContain('a@b.c')
    const refused = await type('users create --email b@b.c --plan free', inFolder)
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('have moved to another database')])
    expect((await type('users create --email b@b.c --plan free', onServer)).code).toBe(0)

    const other = { ...onServer, GAMMAWALL_DATA: dataFolder() }
    expect((await type('accounts copy --back', other)).out).toBe('copied 2 users, 1 keys, 3 audit')
    const { out } = await type('users list', { GAMMAWALL_DATA: other.GAMMAWALL_DATA })
    expect(out).toMatch(/a@b\.c[\s\S]*b@b\.c/)

    expect((await type('accounts reopen', inFolder)).out).toBe('the accounts take changes again')
    expect((await type('users create --email c@b.c --plan free', inFolder)).code).toBe(0)
  })

  test('needs accounts in the folder', async () => {
    const address = await server.database()
    await type('accounts migrate', { GAMMAWALL_ACCOUNTS: address })
    const { code, err } = await type('accounts copy', { GAMMAWALL_DATA: dataFolder(), GAMMAWALL_ACCOUNTS: address })
    expect([code, err]).toEqual([1, expect.stringContaining('has no accounts: --data names another one')])
  })
})
