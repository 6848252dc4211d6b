import type { Identities } from '../../accounts/identities.ts'
import { AccountError, type User } from '../../accounts/users.ts'
import type { Plans } from '../../api/plan.ts'
import type { Claims } from './provider.ts'
import { SignInTrouble } from './trouble.ts'

export interface AdmissionTerms {
  /** Addresses and domains, @desk.example, in lower case. */
  readonly allow: '*' | readonly string[]
  /** Plan of a new user; undefined if a sign-in makes none. */
  readonly plan: string | undefined
  /** Plans by group; empty: a sign-in changes no plan. */
  readonly plans: ReadonlyMap<string, string>
  readonly trustEmail: boolean
}

/**
 * The user whom an identity may sign in as, with the plan that the groups give now. `link` is the id of the signed-in
 * user with whom it is to be linked. Throws a SignInTrouble.
 */
export async function admit(
  claims: Claims,
  link: string | undefined,
  terms: AdmissionTerms,
  identities: Pick<Identities, 'find' | 'link' | 'signUp' | 'setPlan'>,
  sold: Plans
): Promise<User> {
  requireAllowed(claims, terms)
  const plan = planOf(claims, terms, sold)
  const user = await userOf(claims, link, plan ?? terms.plan, terms, identities)
  if (plan === undefined) return user
  return (await identities.setPlan(user, plan)) ?? user
}

function requireAllowed(claims: Claims, { allow, trustEmail }: AdmissionTerms): void {
  if (allow === '*') return
  const { email } = claims
  if (email === undefined) throw new SignInTrouble('outsider', 'the identity provider gave no email address')
  if (!isVerified(claims, trustEmail)) throw new SignInTrouble('unverified')
  const domain = email.slice(email.lastIndexOf('@'))
  if (!allow.includes(email) && !allow.includes(domain)) throw new SignInTrouble('outsider')
}

/** Whether the provider vouches for the address. One that it calls unverified is never taken. */
function isVerified({ isVerified: said }: Claims, trustEmail: boolean): boolean {
  return said ?? trustEmail
}

/** The highest plan of the groups. Without one the plan of new users; undefined where groups decide nothing. */
function planOf({ groups }: Claims, { plans, plan }: AdmissionTerms, sold: Plans): string | undefined {
  if (plans.size === 0) return undefined
  const named = new Set(groups.map((group) => plans.get(group)))
  return sold.all.findLast(({ id }) => named.has(id))?.id ?? plan
}

async function userOf(
  claims: Claims,
  link: string | undefined,
  plan: string | undefined,
  { trustEmail }: AdmissionTerms,
  identities: Pick<Identities, 'find' | 'link' | 'signUp'>
): Promise<User> {
  const { issuer, subject, email } = claims
  const identity = { issuer, subject }
  if (link !== undefined) {
    const user = await identities.link(identity, link).catch((error: unknown) => {
      throw error instanceof AccountError ? new SignInTrouble('over', error.message) : error
    })
    if (user === undefined) throw new SignInTrouble('linked')
    return user
  }
  const known = await identities.find(identity)
  if (known !== undefined) return known
  if (plan === undefined) throw new SignInTrouble('stranger')
  if (email === undefined || !isVerified(claims, trustEmail)) throw new SignInTrouble('unverified')
  try {
    return await identities.signUp(identity, { email, plan })
  } catch (error) {
    if (error instanceof AccountError && /exists already/.test(error.message)) throw new SignInTrouble('taken')
    throw error
  }
}
