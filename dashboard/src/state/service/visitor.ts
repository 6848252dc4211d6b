import { ApiError } from 'gammawall/client'

/** The reader of the page, as the service knew them when it sent the page. */
interface Visitor {
  readonly signed_in: boolean
  readonly plan?: string
  /** Details of refusals on a plan that shows the last close. */
  readonly closing?: Readonly<Record<string, unknown>>
  readonly stream?: boolean
  /** Paths that the plan does not open, by the name of the least plan that does. */
  readonly lacks?: Readonly<Record<string, readonly string[]>>
}

const meta = document.querySelector<HTMLMetaElement>('meta[name=visitor]')

/** The reader of this page. A page that a worker kept names none: its reader counts as signed in until the service refuses. */
export const visitor: Visitor = meta === null ? { signed_in: true } : JSON.parse(meta.content)

const leastPlans = new Map(
  Object.entries(visitor.lacks ?? {}).flatMap(([plan, paths]) => paths.map((path) => [path, plan] as const))
)

/** A path of a symbol that the plan does not open; undefined without one. */
export const lackedPath = [...leastPlans.keys()].find((path) => /^[^{]*\{symbol\}$/.test(path))

/** The refusal that the service would answer, if the plan does not open a path. */
export function knownRefusal(path: string): ApiError | undefined {
  const required = leastPlans.get(path)
  if (required === undefined) return undefined
  const detail = { current_plan: visitor.plan, required_plan: required }
  return new ApiError('tier_restricted', `this needs the ${required} plan`, { status: 403, detail })
}
