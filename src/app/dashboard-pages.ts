import type { FastifyInstance } from 'fastify'
import type { SigningSecrets } from '../accounts/secrets.ts'
import type { Config } from '../config/config.ts'
import { pathInPackage } from '../config/package.ts'
import { type PageFiles, readPageFiles } from '../server/dashboard/dashboard-files.ts'
import { mountPages } from '../server/dashboard/pages.ts'
import type { VisitorOf } from '../server/dashboard/visitor.ts'
import { withoutWorker } from '../server/dashboard/without-worker.ts'
import { mountEmbedPages } from '../server/embed/embed-routes.ts'
import type { EmbedPanels, EmbedTokens } from '../server/embed/tokens.ts'
import { AddressLimit, KeyRefusals } from '../server/http/address-limit.ts'
import { mountOidc } from '../server/oidc/oidc-routes.ts'
import { troubles } from '../server/oidc/trouble.ts'
import { OpenLink } from '../server/sessions/open-link.ts'
import { type IsOwnHost, isLoopback } from '../server/sessions/own-host.ts'
import { mountSessions, signInFailureRate } from '../server/sessions/session-routes.ts'
import type { Sessions } from '../server/sessions/sessions.ts'
import type { Foundations } from './foundations.ts'

/**
 * Reads the files of the built dashboard. Undefined if the dashboard is switched off or was not built. If it was not
 * built, `say` gets a sentence for the log.
 */
export function readDashboard(
  { dashboard, dashboardWorker }: Pick<Config, 'dashboard' | 'dashboardWorker'>,
  say: (sentence: string) => void,
  folder = pathInPackage('dist/dashboard')
): PageFiles | undefined {
  if (!dashboard) return undefined
  const files = readPageFiles(folder)
  if (files === undefined) say('the dashboard was not built, so it is not served; all else is')
  return files === undefined || dashboardWorker ? files : withoutWorker(files)
}

/** Reads the pages of the documentation. Undefined if they were not built. */
export function readDocs(folder = pathInPackage('dist/docs')): PageFiles | undefined {
  return readPageFiles(folder)
}

type DashboardFoundations = Pick<Foundations, 'accounts' | 'demoKeys' | 'brand' | 'plans' | 'log'> & {
  readonly secrets: SigningSecrets
}

export interface DashboardOptions {
  readonly files: PageFiles | undefined
  readonly sessions: Sessions
  readonly isOwnHost: IsOwnHost
  readonly embedTokens: EmbedTokens
  readonly visitorOf?: VisitorOf
}

/**
 * Adds the routes for browser sessions and, if built, the dashboard's pages. Returns a link that opens the dashboard
 * without a key. Undefined if `open` is off, the host is not a loopback address, or there is no demo key of the Alpha
 * plan.
 */
export function mountDashboard(
  rest: FastifyInstance,
  { host, open, trustProxy, embedOrigin, oidc }: Config,
  { accounts, demoKeys, brand: kept, plans, secrets, log }: DashboardFoundations,
  { files, sessions, isOwnHost, embedTokens, visitorOf }: DashboardOptions
): OpenLink | undefined {
  const failures = new KeyRefusals(new AddressLimit({ ...signInFailureRate, now: Date.now }), trustProxy)
  mountSessions(rest, { accounts, sessions, isOwnHost, failures, trustProxy, wallNow: Date.now })
  if (oidc !== undefined) {
    const ofSignIn = { settings: oidc, accounts, plans, secrets, sessions, isOwnHost, trustProxy }
    mountOidc(rest, { ...ofSignIn, log, now: Date.now })
  }
  if (files === undefined) return undefined
  const brand = () => kept.current
  const keyId = open && isLoopback(host) && demoKeys?.keys.alpha && accounts.find(demoKeys.keys.alpha)?.keyId
  const link = keyId ? new OpenLink(Date.now) : undefined
  mountPages(rest, {
    files,
    isOwnHost,
    accounts,
    sessions,
    open: link && keyId ? { link, keyId } : undefined,
    trustProxy,
    brand,
    provider: oidc && { label: oidc.label, troubles },
    visitorOf
  })
  const page = files.get('embed.html')
  if (page !== undefined) mountEmbedPages(rest, { page, tokens: embedTokens, isOwnHost, origins: embedOrigin, brand })
  return link
}

/** Dashboard panels that other sites may embed, with the endpoints that each panel reads besides market.session. */
const drawnFrom: EmbedPanels = {
  ladder: [
    'exposure.summary',
    'exposure.gex',
    'exposure.levels',
    'exposure.zero_dte',
    'exposure.matrix',
    'series.current'
  ],
  levels: ['exposure.levels', 'exposure.zero_dte'],
  reading: ['exposure.narrative'],
  today: ['exposure.zero_dte'],
  hedging: ['exposure.zero_dte'],
  profile: ['exposure.profile', 'exposure.levels'],
  expirations: ['exposure.term_structure'],
  matrix: ['exposure.matrix', 'exposure.levels', 'exposure.term_structure'],
  pain: ['maxpain.current', 'exposure.matrix'],
  smile: ['adv_volatility.current', 'optionquote.current'],
  surface: ['adv_volatility.current'],
  terms: ['adv_volatility.current'],
  skew: ['volatility.skew_term']
}

/** The endpoints of each panel with market.session added, because every panel shows price and session hours. */
export const embedPanels: EmbedPanels = Object.fromEntries(
  Object.entries(drawnFrom).map(([panel, endpoints]) => [panel, ['market.session', ...endpoints]])
)
