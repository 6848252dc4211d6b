import type { Setting } from '../connectors/port/setting.ts'

/** Settings of a service that is a member of several. */
export const memberSettings = {
  shared: {
    value: 'address',
    help: 'Redis or Valkey server over which members share chains, redis://host:6379 or rediss://user:password@host:6379'
  },
  roles: {
    value: 'names',
    help: 'what this member does: collect (ask the source and record), serve (answer clients from what is shared) or both, separated by commas; all for a service that shares no chains',
    fallback: 'all'
  }
} as const satisfies Record<string, Setting>

/** The work of a service among others, and the server over which it shares chains with them. */
export interface Membership {
  /** Address of a Redis or Valkey server; undefined for a service that shares no chains. */
  readonly shared: string | undefined
  /** Whether it asks the source itself and records. */
  readonly collects: boolean
  /** Whether it answers clients. */
  readonly serves: boolean
  /** Sentences about what is missing for such a service. Commands that start none take no notice of them. */
  readonly problems: readonly string[]
}

export function readSharedAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname } = new URL(text)
  return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '' ? text : undefined
}

export function readRoles(text: string): Pick<Membership, 'collects' | 'serves'> | undefined {
  if (text === 'all') return { collects: true, serves: true }
  const names = text.split(',').map((name) => name.trim())
  if (!names.every((name) => name === 'collect' || name === 'serve')) return undefined
  return { collects: names.includes('collect'), serves: names.includes('serve') }
}

interface Stores {
  readonly roles: Pick<Membership, 'collects' | 'serves'>
  /** Whether roles were given other than `all`. */
  readonly isMember: boolean
  readonly shared: string | undefined
  readonly accounts: string | undefined
  readonly history: string
}

export function membership({ roles, isMember, shared, accounts, history }: Stores): Membership {
  if (!isMember) {
    const problems = shared === undefined ? [] : ['--shared has no effect without --roles: say collect, serve or both']
    return { shared: undefined, collects: true, serves: true, problems }
  }
  const problems: string[] = []
  if (shared === undefined) problems.push('--roles needs --shared, the server over which members share chains')
  if (accounts === undefined) problems.push('--roles needs --accounts, the server of the accounts of all members')
  if (history === 'embedded')
    problems.push('--roles needs --history, the address of a ClickHouse server that all members read, or off')
  return { shared, ...roles, problems }
}
