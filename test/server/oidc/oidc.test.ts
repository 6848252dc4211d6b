import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultPlans } from '../../../src/api/plan.ts'
import { mountOidc, type OidcRoutesOptions } from '../../../src/server/oidc/oidc-routes.ts'
import { type StandInProvider, standInProvider } from '../../support/identity-provider.ts'
import { service } from '../../support/service.ts'

type Service = ReturnType<typeof service>

let provider: StandInProvider
let running: Service
let logged: { readonly code: string; readonly reason: string }[]

beforeEach(async () => {
  provider = await standInProvider()
  logged = []
})
afterEach(async () => {
  await running.close()
  await provider.close()
})

/** A service whose users sign in by the stand-in. */
function serving(settings: Partial<OidcRoutesOptions['settings']> = {}, trustProxy = false): void {
  running = service({ trustProxy })
  const { app, accounts, secrets, sessions, isOwnHost } = running
  mountOidc(app, {
    settings: {
      issuer: provider.issuer,
      client: provider.client.id,
      secret: provider.client.secret,
      scope: 'openid email',
      claim: 'groups',
      allow: ['@desk.example'],
      plan: 'growth',
      plans: new Map(),
      trustEmail: false,
      ...settings
    },
    accounts,
    plans: defaultPlans,
    secrets,
    sessions,
    isOwnHost,
    trustProxy,
    log: { warn: (fields: unknown) => void logged.push(fields as never), error: () => {} } as never,
    now: Date.now
  })
}

const HOST = 'dash.example'
const ask = (url: string, headers: Record<string, string> = {}) =>
  running.ask(url, undefined, { headers: { host: HOST, ...headers } })
type Answer = Awaited<ReturnType<typeof ask>>

function cookieOf(answer: Answer, name: string): string | undefined {
  const all = [answer.headers['set-cookie'] ?? []].flat()
  return all.find((each) => each.startsWith(`${name}=`) && !each.includes('Max-Age=0'))?.split(';')[0]
}

/** Begins a sign-in and lets the stand-in send the browser back. */
async function begun(path = '/session/oidc', headers: Record<string, string> = {}) {
  const answer = await ask(path, headers)
  const to = answer.headers.location!
  if (!to.startsWith(provider.issuer)) return { answer, to, cookie: '', back: to }
  const sent = await fetch(to, { redirect: 'manual' })
  const back = new URL(sent.headers.get('location')!)
  return { answer, to, cookie: cookieOf(answer, 'gw_oidc')!, back: back.pathname + back.search }
}

async function signedIn(path?: string, headers: Record<string, string> = {}) {
  const { cookie, back } = await begun(path, headers)
  return ask(back, { cookie })
}

const accountOf = (answer: Answer) => {
  const cookie = cookieOf(answer, 'gw_session')
  return cookie === undefined ? undefined : running.sessions.accountOf({ cookie, host: HOST })
}

describe('a sign-in', () => {
  test('sends the browser to the provider with code flow, PKCE, state and nonce', async () => {
    serving()
    const { answer, to } = await begun()
    const asked = new URL(to).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'gammawall',
      redirect_uri: `http://${HOST}/session/oidc/callback`,
      scope: 'openid email',
      code_challenge_method: 'S256'
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)!.length).toBeGreaterThanOrEqual(43)
    expect(answer.statusCode).toBe(303)
    expect(answer.headers['set-cookie']).toMatch(
      /^gw_oidc=[\w-]+; HttpOnly; SameSite=Lax; Path=\/session\/oidc; Max-Age=600$/
    )
    expect(answer.headers['set-cookie']).not.toContain(asked.get('state'))
  })

  test('makes a user and a session of the same kind as a key does, and finds the user again', async () => {
    serving()
    const first = await signedIn()
    expect([first.statusCode, first.headers.location]).toEqual([303, '/'])
    expect([first.headers['set-cookie']].flat().join()).toMatch(
      /gw_session=[\w-]+\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\//
    )
    expect(accountOf(first)).toMatchObject({ email: 'ann@desk.example', plan: { id: 'growth' }, role: 'user' })
    provider.manners = { claims: { email: 'married@desk.example' } }
    const again = await signedIn()
    expect(accountOf(again)?.userId).toBe(accountOf(first)!.userId)
    expect(await running.accounts.users.list()).toHaveLength(1)
    expect(provider.tokenRequests.map(({ authorization }) => authorization?.startsWith('Basic '))).toEqual([true, true])
  })

  test('ends with the user, and with the key behind it', async () => {
    serving()
    const answer = await signedIn()
    const { keyId, userId } = accountOf(answer)!
    await running.accounts.keys.revoke(keyId, 'test')
    expect(accountOf(answer)).toBe(undefined)
    const again = await signedIn()
    expect(accountOf(again)).toBeDefined()
    await running.accounts.users.remove(userId, 'test')
    expect(accountOf(again)).toBe(undefined)
  })

  test('behind a proxy comes back by https, with cookies for https alone', async () => {
    serving({}, true)
    const headers = { 'x-forwarded-proto': 'https' }
    const { answer, to, cookie, back } = await begun('/session/oidc', headers)
    expect(new URL(to).searchParams.get('redirect_uri')).toBe(`https://${HOST}/session/oidc/callback`)
    expect(answer.headers['set-cookie']).toMatch(/; Secure$/)
    expect(accountOf(await ask(back, { cookie, ...headers }))).toBeDefined()
  })

  test('sends the secret in the body where the provider wants it there', async () => {
    serving()
    provider.manners = { methods: ['client_secret_post'] }
    await signedIn()
    expect(provider.tokenRequests[0]!.authorization).toBe(undefined)
    expect(provider.tokenRequests[0]!.body.get('client_secret')).toBe(provider.client.secret)
  })

  test('is for own hosts alone', async () => {
    serving()
    expect((await ask('/session/oidc', { host: 'evil.example' })).statusCode).toBe(421)
    expect(provider.asked).toEqual([])
  })
})

describe('nobody is signed in', () => {
  const refused = async (answer: Answer, code: string) => {
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/?trouble=${code}`])
    expect(accountOf(answer)).toBe(undefined)
    expect(await running.accounts.users.list()).toEqual([])
    expect(logged.at(-1)?.code).toBe(code)
    expect(JSON.stringify(logged)).not.toContain(provider.client.secret)
  }

  test.each([
    ['a wrong nonce', { claims: { nonce: 'of another' } }, 'untrusted'],
    ['no nonce', { claims: { nonce: undefined } }, 'untrusted'],
    ['another audience', { claims: { aud: 'another client' } }, 'untrusted'],
    ['another issuer', { claims: { iss: 'https://login.example' } }, 'untrusted'],
    ['an ID token that is over', { claims: { exp: 1_000_000_000 } }, 'untrusted'],
    ['an ID token without a subject', { claims: { sub: undefined } }, 'untrusted'],
    ['a subject without end', { claims: { sub: 'x'.repeat(256) } }, 'untrusted'],
    ['an unsigned ID token', { alg: 'none' }, 'untrusted'],
    ['an ID token signed by the public key', { alg: 'HS256' }, 'untrusted'],
    ['a signature of another key', { isForged: true }, 'untrusted'],
    ['keys that cannot be read', { broken: { '/jwks': { status: 500, body: {} } } }, 'down'],
    ['a token endpoint that is down', { broken: { '/token': { status: 503, body: {} } } }, 'down'],
    ['a token endpoint that hangs up', { broken: { '/token': { status: 200 } } }, 'down'],
    [
      'a token endpoint that knows no such client',
      { broken: { '/token': { status: 401, body: { error: 'invalid_client' } } } },
      'refused'
    ],
    ['a token endpoint that speaks HTML', { broken: { '/token': { status: 200, body: '<html>' } } }, 'untrusted'],
    ['an address that is not verified', { claims: { email_verified: false } }, 'unverified'],
    ['an address that may be verified or not', { claims: { email_verified: undefined } }, 'unverified'],
    ['an address of others', { claims: { email: 'ann@desk.example.evil' } }, 'outsider'],
    ['no address', { claims: { email: undefined } }, 'outsider']
  ] as const)('by %s', async (_what, manners, code) => {
    serving()
    provider.manners = manners
    await refused(await signedIn(), code)
  })

  test.each([
    ['is down', { broken: { '/.well-known/openid-configuration': { status: 503, body: {} } } }, 'down'],
    ['hangs up', { broken: { '/.well-known/openid-configuration': { status: 200 } } }, 'down'],
    [
      'is another',
      { broken: { '/.well-known/openid-configuration': { status: 200, body: { issuer: 'https://x' } } } },
      'untrusted'
    ]
  ] as const)('while the provider %s; once it is back, signing in works', async (_what, manners, code) => {
    serving()
    provider.manners = manners
    await refused(await ask('/session/oidc'), code)
    provider.manners = {}
    expect(accountOf(await signedIn())).toBeDefined()
  })

  test('by the state of another sign-in, without the cookie, with a changed one, or a second time', async () => {
    serving()
    const { cookie, back } = await begun()
    const other = await begun()
    await refused(await ask(other.back, { cookie }), 'over')
    await refused(await ask(back), 'over')
    await refused(await ask(back, { cookie: `${cookie.slice(0, -2)}AA` }), 'over')
    await refused(await ask(back, { cookie: `${cookie}; ${other.cookie}` }), 'over')
    expect(provider.tokenRequests).toEqual([])
    expect(accountOf(await ask(back, { cookie }))).toBeDefined()
    expect((await ask(back, { cookie })).headers.location).toBe('/?trouble=refused')
  })

  test('who cancels at the provider', async () => {
    serving()
    const { cookie, back } = await begun()
    const state = new URL(back, 'http://x').searchParams.get('state')
    await refused(await ask(`/session/oidc/callback?error=access_denied&state=${state}`, { cookie }), 'cancelled')
  })

  test('by more attempts than an address may make', async () => {
    serving()
    for (let i = 0; i < 30; i++) await ask('/session/oidc/callback?code=x&state=y')
    await refused(await ask('/session/oidc'), 'busy')
  })
})

describe('who may sign in', () => {
  test('an address alone, or whomever the provider knows', async () => {
    serving({ allow: ['ben@desk.example'] })
    expect((await signedIn()).headers.location).toBe('/?trouble=outsider')
    await running.close()
    serving({ allow: '*' })
    expect(accountOf(await signedIn())).toBeDefined()
  })

  test('is asked each time: who has left is out', async () => {
    serving()
    expect(accountOf(await signedIn())).toBeDefined()
    provider.manners = { claims: { email: 'ann@elsewhere.example' } }
    expect((await signedIn()).headers.location).toBe('/?trouble=outsider')
  })

  test('a provider may be trusted with addresses of which it does not say whether it checked them', async () => {
    serving({ trustEmail: true })
    provider.manners = { claims: { email_verified: false } }
    expect((await signedIn()).headers.location).toBe('/?trouble=unverified')
    provider.manners = { claims: { email_verified: undefined } }
    expect(accountOf(await signedIn())).toBeDefined()
  })

  test('address and groups come from the user info where the ID token lacks them, of the same subject alone', async () => {
    serving({ plans: new Map([['desk', 'alpha']]) })
    const userInfo = { email: 'ann@desk.example', email_verified: true, groups: ['desk'] }
    const claims = { email: undefined, email_verified: undefined }
    provider.manners = { claims, userInfo: { ...userInfo, sub: 'ben-1' } }
    expect((await signedIn()).headers.location).toBe('/?trouble=untrusted')
    provider.manners = { claims, userInfo }
    expect(accountOf(await signedIn())).toMatchObject({ plan: { id: 'alpha' } })
  })

  test('is verified by the user info only if that is about the same address', async () => {
    serving()
    const claims = { email_verified: undefined, groups: undefined }
    provider.manners = { claims, userInfo: { email: 'ben@desk.example', email_verified: true, groups: [] } }
    expect((await signedIn()).headers.location).toBe('/?trouble=unverified')
    provider.manners = { claims, userInfo: { email: 'ann@desk.example', email_verified: true, groups: [] } }
    expect(accountOf(await signedIn())).toBeDefined()
  })
})

describe('plans', () => {
  test('follow the groups at each sign-in, the highest of them, else that of new users', async () => {
    serving({
      plans: new Map([
        ['desk', 'alpha'],
        ['research', 'basic']
      ]),
      plan: 'free'
    })
    const planWith = async (groups: unknown) => {
      provider.manners = { claims: { groups } }
      return accountOf(await signedIn())?.plan.id
    }
    expect(await planWith(['research', 'desk'])).toBe('alpha')
    expect(await planWith('research')).toBe('basic')
    expect(await planWith(['others'])).toBe('free')
    expect(await planWith(undefined)).toBe('free')
    expect(await planWith([7, { desk: true }])).toBe('free')
  })

  test('without a table stay as the operator sets them', async () => {
    serving()
    const { userId } = accountOf(await signedIn())!
    await running.accounts.users.setPlan(userId, 'alpha', 'test')
    provider.manners = { claims: { groups: ['free'] } }
    expect(accountOf(await signedIn())?.plan.id).toBe('alpha')
  })

  test('off makes no user: who has none links their own', async () => {
    serving({ plan: undefined })
    expect((await signedIn()).headers.location).toBe('/?trouble=stranger')
    expect(await running.accounts.users.list()).toEqual([])
  })
})

describe('linking', () => {
  const sessionOf = async () => {
    const key = running.keyOn('alpha')
    const answer = await running.app.inject({
      method: 'POST',
      url: '/session',
      headers: { host: HOST, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' },
      payload: { key }
    })
    return { cookie: cookieOf(answer, 'gw_session')!, userId: running.accounts.find(key)!.userId }
  }

  test('gives a signed-in user the identity, which then signs in without a key', async () => {
    serving({ plan: undefined })
    const { cookie, userId } = await sessionOf()
    await signedIn('/session/oidc?link=1', { cookie })
    expect(accountOf(await signedIn())).toMatchObject({ userId, plan: { id: 'alpha' } })
  })

  test('is for a signed-in page of this service, not for one of another site', async () => {
    serving()
    const { cookie } = await sessionOf()
    expect((await ask('/session/oidc?link=1')).headers.location).toBe('/')
    const foreign = await ask('/session/oidc?link=1', { cookie, 'sec-fetch-site': 'cross-site' })
    expect(foreign.headers.location).toBe('/')
  })

  test('takes no identity that somebody else has', async () => {
    serving()
    await signedIn()
    const { cookie } = await sessionOf()
    expect((await signedIn('/session/oidc?link=1', { cookie })).headers.location).toBe('/?trouble=linked')
  })

  test('is what an existing user with the same address is sent to: an address is no identity', async () => {
    serving()
    await running.accounts.users.create({ email: 'ann@desk.example', plan: 'enterprise' }, 'test')
    expect((await signedIn()).headers.location).toBe('/?trouble=taken')
  })
})
