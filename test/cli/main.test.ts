import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { openDatabase } from '../../src/accounts/database.ts'
import { isWellFormed } from '../../src/accounts/key.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { main } from '../../src/cli/main.ts'

let data: string

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  return () => rmSync(data, { recursive: true, force: true })
})

async function type(line: string, env: Readonly<Record<string, string>> = {}) {
  const written = { out: [] as string[], err: [] as string[] }
  const out = (text: string) => written.out.push(text)
  const err = (text: string) => written.err.push(text)
  const code = await main(line.split(' ').filter(Boolean), { out, err, env: { GAMMAWALL_DATA: data, ...env } })
  return { code, out: written.out.join('\n'), err: written.err.join('\n') }
}

const asJson = async (line: string) => JSON.parse((await type(`${line} --json`)).out)

describe('keys', () => {
  test('create prints nothing but the key, and the key works', async () => {
    const { code, out, err } = await type('keys create --plan alpha --email a@b.c --name laptop')
    expect(code).toBe(0)
    expect(isWellFormed(out)).toBe(true)
    expect(err).toContain('cannot be shown again')
    const database = openDatabase(data)
    onTestFinished(() => database.close())
    expect(new Accounts(database, defaultPlans).find(out)).toMatchObject({ email: 'a@b.c', plan: { id: 'alpha' } })
  })

  test('create --json prints one object; a name of digits stays as it was typed', async () => {
    const made = await asJson('keys create --plan free --email a@b.c --name 007')
    expect(made).toMatchObject({
      email: 'a@b.c',
      plan: 'free',
      name: '007',
      hint: made.key.slice(-4),
      revoked_at: null
    })
  })

  test('create gives a known user another key without asking for the plan again', async () => {
    await type('keys create --plan growth --email a@b.c')
    expect(await asJson('keys create --email A@B.c')).toMatchObject({ plan: 'growth' })
    expect(await asJson('users list')).toHaveLength(1)
  })

  test('create refuses another plan than the one the user is on, and a new user without a plan', async () => {
    await type('keys create --plan growth --email a@b.c')
    expect(await type('keys create --plan alpha --email a@b.c')).toMatchObject({
      code: 1,
      out: '',
      err: 'a@b.c is on growth, not alpha: change that with users set-plan'
    })
    expect((await type('keys create --email new@b.c')).err).toContain('give its --plan as well')
    expect((await type('keys create --plan alpha')).err).toBe('keys create needs --email')
  })

  test('list and revoke know a key by its id and its hint, and never print it', async () => {
    const { key, id, hint } = await asJson('keys create --plan free --email a@b.c')
    const table = await type('keys list')
    expect(table.out).toContain(id)
    expect(table.out).not.toContain(key)
    expect((await type(`keys revoke ${hint}`)).out).toBe(`revoked ${id} (...${hint}) of a@b.c`)
    expect((await asJson('keys list'))[0].revoked_at).toMatch(/Z$/)
    expect(await type(`keys revoke ${id}`)).toMatchObject({ code: 1, err: `the key ${id} was revoked before` })
  })
})

test('users are created, moved, listed and removed', async () => {
  expect((await type('users create --email a@b.c --plan free --subscribed 2026-03-19')).code).toBe(0)
  expect(await asJson('users set-plan a@b.c basic')).toMatchObject({ plan: 'basic', subscribed_on: '2026-03-19' })
  expect(await asJson('users list')).toMatchObject([{ email: 'a@b.c', plan: 'basic', usage_today: 0 }])
  expect((await type('users list')).out.split('\n')).toHaveLength(2)
  expect((await type('users remove a@b.c --yes')).out).toBe('removed a@b.c')
  expect(await asJson('users list')).toEqual([])
  expect((await type('users remove a@b.c --yes')).err).toBe('there is no user a@b.c')
})

test('commands work while another process has the file open', async () => {
  const database = openDatabase(data)
  onTestFinished(() => database.close())
  const accounts = new Accounts(database, defaultPlans)
  const { out: key } = await type('keys create --plan free --email a@b.c')
  expect(accounts.find(key)?.email).toBe('a@b.c')
})

describe('help', () => {
  test.each([
    'serve',
    'keys create',
    'keys list',
    'keys revoke',
    'users list',
    'users create',
    'users set-plan',
    'bundles grant',
    'bundles revoke',
    'bundles list',
    'watch'
  ])('%s --help names the command and its settings, and does nothing else', async (name) => {
    const { code, out, err } = await type(`${name} --help`)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`Usage: gammawall ${name}`)
    expect(out).toContain('--data <folder>')
  })

  test('--help lists every command, keys --help those about keys, --version the version', async () => {
    expect((await type('--help')).out).toContain('users set-plan <email or id> <plan>')
    const keys = (await type('keys --help')).out
    expect(keys).toContain('keys revoke <id or hint>')
    expect(keys).not.toContain('users')
    expect((await type('--version')).out).toMatch(/^\d+\.\d+\.\d+$/)
  })
})

test.each([
  ['', 'name a command: serve'],
  ['dance', 'dance is an unknown command: use serve'],
  ['keys dance', 'keys dance is an unknown command: use keys create'],
  ['keys list extra', 'extra is an unexpected argument'],
  ['keys revoke', 'keys revoke needs <id or hint>'],
  ['keys list --colour red', '--colour is an unknown setting'],
  ['keys list --port 80', '--port is an unknown setting'],
  ['keys list -x', '-x is an unknown setting'],
  ['keys list --__proto__=x', '--__proto__ is an unknown setting'],
  ['keys create --email', '--email needs a value'],
  ['keys create --email --plan alpha', '--email needs a value'],
  ['keys create --plan a --plan b --email a@b.c', '--plan is given more than once'],
  ['users create --email nobody --plan free', 'an email address has the form name@host'],
  ['keys create --email a@b.c --plan gold', 'there is no plan gold: choose one of free'],
  ['keys list --data /dev/null/x', 'the data folder /dev/null/x cannot be written'],
  ['serve --port x --rate 5 --bogus', '--port must be a whole number']
])("'%s' fails with a sentence on stderr and nothing on stdout", async (line, sentence) => {
  const { code, out, err } = await type(line)
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(sentence)
  expect(err).not.toContain('    at ')
})

test('serve tells every bad flag and variable at once', async () => {
  const { code, err } = await type('serve --port x --rate 5 --bogus', { GAMMAWALL_SEED: 'y', GAMMAWALL_PROT: '1' })
  expect(code).toBe(1)
  expect(err.split('\n')).toHaveLength(5)
})
