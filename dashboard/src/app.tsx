import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { Announcer } from './parts/announcer.tsx'
import { Banner } from './parts/banner.tsx'
import { Door } from './parts/door.tsx'
import { EmbedDialog } from './parts/embed-dialog.tsx'
import { Head } from './parts/head.tsx'
import { listenToKeys } from './parts/key-presses.ts'
import { KeyList } from './parts/keys.tsx'
import { PrintFooter } from './parts/print-footer.tsx'
import { Timeline } from './parts/timeline.tsx'
import { Overview } from './screens/overview.tsx'
import { screen } from './state/address.ts'
import { session } from './state/day.ts'
import { door } from './state/door.ts'
import { startLink } from './state/link.ts'

const Expirations = lazy(() => import('./screens/expirations.tsx'))
const ZeroDte = lazy(() => import('./screens/zero-dte.tsx'))
const Volatility = lazy(() => import('./screens/volatility.tsx'))
const Hedging = lazy(() => import('./screens/hedging.tsx'))
const Flow = lazy(() => import('./screens/flow.tsx'))
const Premium = lazy(() => import('./screens/premium.tsx'))
const Lab = lazy(() => import('./screens/lab.tsx'))
const Screener = lazy(() => import('./screens/screener.tsx'))
const Alerts = lazy(() => import('./screens/alerts.tsx'))
const Account = lazy(() => import('./screens/account.tsx'))
const Status = lazy(() => import('./screens/status.tsx'))

const SCREENS = {
  overview: Overview,
  expirations: Expirations,
  'zero-dte': ZeroDte,
  volatility: Volatility,
  hedging: Hedging,
  premium: Premium,
  lab: Lab,
  screener: Screener,
  flow: Flow,
  alerts: Alerts,
  account: Account,
  status: Status
}

/** What fires is told on every screen, to who let the browser say it. */
function tellOfAlerts(): (() => void) | undefined {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return undefined
  const following = import('./state/alerts.ts').then(({ follow }) => follow())
  return () => void following.then((stop) => stop())
}

export function App() {
  useEffect(() => session.start(), [])
  useEffect(() => startLink(), [])
  useEffect(() => listenToKeys(), [])
  useEffect(() => (door.value === 'closed' ? undefined : tellOfAlerts()), [door.value])
  if (door.value === 'closed') return <Door />
  const Screen = SCREENS[screen.value]
  return (
    <div class="shell">
      <Head />
      <div class="middle">
        <Banner />
        <Suspense fallback={<main class="waiting" aria-busy="true" />}>
          <Screen />
        </Suspense>
      </div>
      <Timeline />
      <KeyList />
      <Announcer />
      <PrintFooter />
      <EmbedDialog />
    </div>
  )
}
