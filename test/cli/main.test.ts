import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { ensureDemoKeys } from '../../src/accounts/demo-keys.ts'
import { isWellFormed } from '../../src/accounts/key.ts'
import { openDatabase } from '../../src/accounts/sqlite.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { main } from '../../src/cli/main.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

let data: string

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  return () => rmSync(data, { recursive: true, force: true })
})

async function type(line: string, env: Readonly<Record<string, string>> = {}, ask?: Terminal['ask']) {
  const written = { out: [] as string[], err: [] as string[] }
  const out = (text: string) => written.out.push(text)
  const err = (text: string) => written.err.push(text)
  const code = await main(line.split(' ').filter(Boolean), {
    out,
    err,
    env: { GAMMAWALL_DATA: data, ...env },
    ...(ask !== undefined && { ask })
  })
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

describe('a key', () => {
  test('with an end shows it when it is made and in the list', async () => {
    const made = await type('keys create --plan free --email a@b.c --until 2199-01-31')
    expect(made.err).toContain('It works until 2199-02-01T00:00:00.000Z.')
    expect((await type('keys list')).out).toContain('2199-02-01T00:00:00.000Z')
    expect((await asJson('keys list'))[0]).toMatchObject({ ends_at: '2199-02-01T00:00:00.000Z', role: 'user' })
    expect((await type('keys create --email a@b.c --until 2020-01-01')).err).toContain('must not be over')
  })

  test('of an operator is made here and shown as one', async () => {
    const made = await type('keys create --plan free --email a@b.c --role operator')
    expect([made.code, made.err]).toEqual([0, expect.stringContaining('(free, operator)')])
    expect((await asJson('keys list'))[0].role).toBe('operator')
    expect(await type('keys create --email a@b.c --role root')).toMatchObject({
      code: 1,
      err: '--role must be user or operator; it is "root"'
    })
  })

  test('that is rotated works for a day more, or not at all with --now', async () => {
    const { hint } = await asJson('keys create --plan free --email a@b.c --name laptop')
    const first = await type(`keys rotate ${hint}`)
    expect([first.code, isWellFormed(first.out)]).toEqual([0, true])
    expect(first.err).toMatch(new RegExp(`The old key \\(\\.\\.\\.${hint}\\) works until 2\\d{3}-.*Z\\.$`))
    const second = await asJson(`keys rotate ${first.out.slice(-4)} --now`)
    expect(second).toMatchObject({
      name: 'laptop',
      replaced: { hint: first.out.slice(-4), revoked_at: expect.any(String) }
    })
    const database = openDatabase(data)
    onTestFinished(() => database.close())
    const accounts = new Accounts(database, defaultPlans)
    expect([accounts.find(first.out), accounts.find(second.key)?.email]).toEqual([undefined, 'a@b.c'])
  })
})

describe('users remove', () => {
  const left = async () => (await asJson('users list')).length

  test('asks first and says what would go', async () => {
    await type('keys create --plan alpha --email a@b.c')
    const asked: string[] = []
    const answering = (answer: string) => async (question: string) => {
      asked.push(question)
      return answer
    }
    for (const answer of ['', 'n', 'yesterday']) {
      const refused = await type('users remove a@b.c', {}, answering(answer))
      expect([refused.code, refused.out, refused.err, await left()]).toEqual([1, '', 'nothing was changed', 1])
    }
    expect(asked[0]).toBe(
      'Remove a@b.c (plan alpha, 1 key, 0 requests today) with every key and count? This cannot be undone. [y/N] '
    )
    expect((await type('users remove a@b.c', {}, answering('Y'))).out).toBe('removed a@b.c')
    expect(await left()).toBe(0)
  })

  test('needs --yes where nobody can answer', async () => {
    await type('users create --plan alpha --email a@b.c')
    expect(await type('users remove a@b.c')).toMatchObject({
      code: 1,
      err: 'users remove asks first, and nobody is here to answer: give --yes as well'
    })
    expect(await left()).toBe(1)
    expect((await type('users remove nobody@b.c')).err).toBe('there is no user nobody@b.c')
  })
})

test('demo remove takes the demo users away and says so', async () => {
  const database = openDatabase(data)
  await ensureDemoKeys(new Accounts(database, defaultPlans), data)
  await database.close()
  expect((await type('demo remove')).out).toContain('removed demo-free@gammawall.local, demo-basic')
  expect(await asJson('users list')).toEqual([])
  expect((await type('demo remove')).out).toBe('there were no demo users')
})

describe('usage export', () => {
  const today = new Date().toISOString().slice(0, 10)
  const count = async () => {
    await type('users create --plan alpha --email a,b@b.c')
    const [{ id }] = await asJson('users list')
    const database = openDatabase(data)
    const row = { user_id: id, count: 7, panel_count: 2 }
    for (const day of ['2020-01-01', today]) {
      await database.batch((tx) =>
        tx
          .insertInto('usage')
          .values({ ...row, day })
          .execute()
      )
    }
    await database.close()
    return id
  }

  test('writes the last 90 days of every user as CSV, cells quoted where they have to be', async () => {
    const id = await count()
    const { code, out } = await type('usage export --csv')
    expect([code, out.split('\n')]).toEqual([
      0,
      ['date,email,user_id,plan,requests,of_panels', `${today},"a,b@b.c",${id},alpha,7,2`]
    ])
  })

  test('writes other days, a table, JSON, or a file', async () => {
    const id = await count()
    const row = { date: '2020-01-01', email: 'a,b@b.c', user_id: id, plan: 'alpha', requests: 7, of_panels: 2 }
    expect(await asJson('usage export --from 2019-12-31 --to 2020-01-02')).toEqual([row])
    expect((await type('usage export')).out).toMatch(/^DATE +EMAIL +USER_ID +PLAN +REQUESTS +OF_PANELS\n/)
    const file = join(data, 'usage.csv')
    expect((await type(`usage export --csv --from 2020-01-01 --out ${file}`)).out).toBe('')
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4)
  })

  test.each([
    ['--from 2020-13-01', '--from must be a date, yyyy-MM-dd; it is "2020-13-01"'],
    ['--from 2020-02-01 --to 2020-01-01', '--from must not be after 2020-01-01'],
    ['--csv --json', '--csv or --json, not both']
  ])('%s fails with a sentence', async (flags, sentence) => {
    const { code, out, err } = await type(`usage export ${flags}`)
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(sentence)])
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
    'keys rotate',
    'usage export',
    'demo remove',
    'users list',
    'users create',
    'users set-plan',
    'bundles grant',
    'bundles revoke',
    'bundles list',
    'watch'
  ])('%s --help names the command and its settings, and does nothing else', async (name) => {
    const { code, out, err } = await type(`${name} --help`)
    expect(await type(`help ${name}`)).toEqual({ code, out, err })
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`Usage: gammawall ${name}`)
    expect(out).toContain('--data <folder>')
  })

  test('--help lists every command, keys --help those about keys, --version the version', async () => {
    expect((await type('--help')).out).toContain('users set-plan <email or id> <plan>')
    expect(await type('help')).toEqual(await type('--help'))
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
  ['keys list --jsno', '--jsno is an unknown setting: did you mean --json?'],
  ['serve --trsut-proxy', '--trsut-proxy is an unknown setting: did you mean --trust-proxy?'],
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

test('a variable that does not exist is answered with the nearest one', async () => {
  const { err } = await type('keys list', { GAMMAWALL_LOG_LEVLE: 'info', GAMMAWALL_COLOUR: 'red' })
  expect(err.split('\n')).toEqual([
    'GAMMAWALL_LOG_LEVLE is an unknown setting: did you mean GAMMAWALL_LOG_LEVEL?',
    'GAMMAWALL_COLOUR is an unknown setting'
  ])
})

test('serve tells every bad flag and variable at once', async () => {
  const { code, err } = await type('serve --port x --rate 5 --bogus', { GAMMAWALL_SEED: 'y', GAMMAWALL_PROT: '1' })
  expect(code).toBe(1)
  expect(err.split('\n')).toHaveLength(5)
})
