import { type Plans, planIds } from '../api/plan.ts'
import type { Setting } from '../connectors/port/setting.ts'
import { type GivenText, readText } from './given-text.ts'
import { fileNameOf, fileSettingOf, readSecret } from './secret.ts'
import { readSwitch } from './setting-parsers.ts'

const ISSUER = 'oidc-issuer'
const SECRET = 'oidc-secret'

const secret = { value: 'text', help: 'client secret at the identity provider', secret: true } as const

/** Settings of signing in by a company's identity provider, by OpenID Connect. */
export const oidcSettings = {
  [ISSUER]: {
    value: 'address',
    help: 'identity provider that signs people in to the dashboard by OpenID Connect, https://login.example (default: none)'
  },
  'oidc-client': { value: 'id', help: 'id of this service at the identity provider' },
  [SECRET]: secret,
  ...(Object.fromEntries([fileSettingOf(SECRET, secret)]) as Record<`${typeof SECRET}-file`, Setting>),
  'oidc-label': {
    value: 'words',
    help: 'words of the button that signs in by the identity provider',
    fallback: 'Sign in with your company'
  },
  'oidc-allow': {
    value: 'whom',
    help: 'who may sign in by the identity provider: addresses and @domains, separated by commas, or * for everybody it knows'
  },
  'oidc-plan': {
    value: 'plan',
    help: 'plan of the user that a first sign-in makes; off: a first sign-in makes none, users link their account themselves',
    fallback: 'off'
  },
  'oidc-claim': {
    value: 'name',
    help: 'claim of the identity provider that names groups or roles',
    fallback: 'groups'
  },
  'oidc-plans': {
    value: 'table',
    help: 'plan of each group, set at each sign-in: traders:alpha,research:growth; the highest counts, and --oidc-plan for whom has none'
  },
  'oidc-scope': {
    value: 'words',
    help: 'what the identity provider is asked for; some give groups only for a scope of their own',
    fallback: 'openid email'
  },
  'oidc-trust-email': {
    help: 'take an address for verified if the identity provider does not say whether it is',
    fallback: 'false'
  }
} as const satisfies Record<string, Setting>

/** How people sign in by a company's identity provider. */
export interface OidcConfig {
  readonly issuer: string
  readonly client: string
  readonly secret: string | undefined
  readonly label: string
  /** Addresses and domains, @desk.example, in lower case. */
  readonly allow: '*' | readonly string[]
  /** Plan of a new user; undefined if a sign-in makes none. */
  readonly plan: string | undefined
  readonly claim: string
  /** Plans by group. Empty: a sign-in changes no plan. */
  readonly plans: ReadonlyMap<string, string>
  readonly scope: string
  readonly trustEmail: boolean
}

type Name = keyof typeof oidcSettings

/** Reads these settings; undefined without an issuer. Adds mistakes to `problems`. */
export function readOidc(
  given: ReadonlyMap<string, GivenText>,
  plans: Plans,
  problems: string[]
): OidcConfig | undefined {
  const stray = Object.keys(oidcSettings).filter((name) => given.has(name) && name !== SECRET)
  if (!given.has(ISSUER)) {
    if (stray.length > 0) problems.push(`${given.get(stray[0]!)!.label} needs --${ISSUER}`)
    return undefined
  }
  const read = <Value>(name: Name, parse: (text: string) => Value | undefined, expected: string) =>
    readText(given.get(name), parse, expected, problems)
  const usual = <Value>(
    name: { [N in Name]: (typeof oidcSettings)[N] extends { fallback: string } ? N : never }[Name],
    parse: (text: string) => Value | undefined,
    expected: string
  ) => read(name, parse, expected) ?? parse(oidcSettings[name].fallback)!
  const needed = <Value>(name: Name, parse: (text: string) => Value | undefined, expected: string) => {
    if (!given.has(name)) problems.push(`--${ISSUER} needs --${name}, ${expected}`)
    return read(name, parse, expected)
  }
  const readPlan = (text: string) => (text === 'off' || plans.byId(text) !== undefined ? text : undefined)
  const plan = usual('oidc-plan', readPlan, `off or a plan: ${plans.all.map(({ id }) => id).join(', ')}`)
  return {
    issuer: read(ISSUER, readIssuer, 'an https address without a query, or http on this machine') ?? '',
    client: needed('oidc-client', readWords, 'the id of this service at the identity provider') ?? '',
    secret: readSecret(given.get(SECRET), given.get(fileNameOf(SECRET)), readWords, 'a text of one line', problems),
    label: usual('oidc-label', (text) => (text.length <= 60 ? readWords(text) : undefined), '1 to 60 characters'),
    allow: needed('oidc-allow', readAllowed, 'addresses and @domains separated by commas, or *') ?? [],
    plan: plan === 'off' ? undefined : plan,
    claim: usual('oidc-claim', readWords, 'the name of a claim'),
    plans:
      read('oidc-plans', planTable(plans), `group:plan pairs, with plans such as ${planIds.join(', ')}`) ?? new Map(),
    scope: usual('oidc-scope', readScope, 'scopes separated by spaces, openid among them'),
    trustEmail: usual('oidc-trust-email', readSwitch, 'true or false')
  }
}

/** Parses the address of a provider. Plain http is for a provider on this machine alone. */
function readIssuer(text: string): string | undefined {
  if (!URL.canParse(text) || text.length > 500) return undefined
  const { protocol, hostname, search, hash, username, password } = new URL(text)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const isPlain = search === '' && hash === '' && username === '' && password === ''
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && isHere)) ? text : undefined
}

function readWords(text: string): string | undefined {
  return text.trim() === '' || text.length > 1000 || /\p{C}/u.test(text) ? undefined : text.trim()
}

function readScope(text: string): string | undefined {
  const scopes = text.trim().split(/\s+/)
  return scopes.includes('openid') && scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
    ? scopes.join(' ')
    : undefined
}

function readAllowed(text: string): '*' | readonly string[] | undefined {
  if (text.trim() === '*') return '*'
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  return names.every((name) => /^[^\s@,*]*@[^\s@,*]+$/.test(name)) ? names : undefined
}

function planTable(plans: Plans): (text: string) => ReadonlyMap<string, string> | undefined {
  return (text) => {
    const table = new Map<string, string>()
    for (const pair of text.split(',')) {
      const at = pair.lastIndexOf(':') // groups may be addresses with colons
      const [group, plan] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
      if (at < 0 || group === '' || plans.byId(plan) === undefined || table.has(group)) return undefined
      table.set(group, plan)
    }
    return table
  }
}
