import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Access } from '../http/access.ts'
import type { PageUse } from '../http/page-use.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** Facts about the reader of a page, so that it asks for nothing that would be refused. */
export interface Visitor {
  readonly signed_in: boolean
  /** Name of the plan. */
  readonly plan?: string
  /** Details of every refusal of figures of now, on a plan whose pages end at the last close. */
  readonly closing?: Readonly<Record<string, unknown>>
  /** Whether figures can be streamed. */
  readonly stream?: boolean
  /** Paths that the plan does not open, by the name of the least plan that does. */
  readonly lacks?: Readonly<Record<string, readonly string[]>>
}

export interface VisitorOptions {
  readonly sessions: Pick<Sessions, 'accountOf'>
  readonly access: Pick<Access, 'planRefusal'>
  readonly pageUse: Pick<PageUse, 'refusal'>
  readonly endpoints: readonly Pick<Endpoint, 'path' | 'plan'>[]
  readonly streams: (account: NonNullable<ReturnType<Sessions['accountOf']>>) => boolean
}

export type VisitorOf = (headers: IncomingHttpHeaders) => Visitor

/** Returns what finds out who reads a page, by the session of the browser. */
export function visitors({ sessions, access, pageUse, endpoints, streams }: VisitorOptions): VisitorOf {
  return (headers) => {
    const account = sessions.accountOf(headers)
    if (account === undefined) return { signed_in: false }
    const known = { signed_in: true, plan: account.plan.name, stream: streams(account) }
    if (account.page !== undefined) return { ...known, closing: pageUse.refusal(account, { plan: 'public' }).detail }
    const lacks: Record<string, string[]> = {}
    for (const { path, plan } of endpoints) {
      const least = access.planRefusal(account, plan)?.detail['required_plan']
      if (typeof least !== 'string') continue
      lacks[least] ??= []
      lacks[least].push(path)
    }
    return { ...known, lacks }
  }
}
