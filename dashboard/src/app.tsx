import type { ComponentType } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { Announcer } from './parts/announcer.tsx'
import { Banner } from './parts/banner.tsx'
import { Head } from './parts/head.tsx'
import { listenToKeys } from './parts/key-presses.ts'
import { PhoneTabs } from './parts/phone-tabs.tsx'
import { PrintFooter } from './parts/print-footer.tsx'
import { Timeline } from './parts/timeline.tsx'
import { Upgrade } from './parts/upgrade.tsx'
import { Overview } from './screens/overview/overview-screen.tsx'
import { session } from './state/day/day.ts'
import { screen } from './state/page/address.ts'
import { closing, isLocked } from './state/page/closing.ts'
import { areStepsOpen } from './state/page/first-steps.ts'
import { areKeysOpen, embeddedPanel, isGoing } from './state/page/open-dialogs.ts'
import { isPaletteOpen } from './state/page/palette.ts'
import { SCREENS, type Screen } from './state/page/screens.ts'
import { followPlan } from './state/service/follow-plan.ts'
import { isSignedIn } from './state/service/sign-in.ts'
import { startLink } from './state/stream/live-figures.ts'

/** Loaded when they are first opened. */
const Palette = lazy(() => import('./screens/reader/palette.tsx'))
const KeyList = lazy(() => import('./parts/key-list.tsx'))
const GoList = lazy(() => import('./screens/reader/go-list.tsx'))
const EmbedDialog = lazy(() => import('./parts/embed-dialog.tsx'))

/** Nobody who is signed in loads it. */
const SignInPage = lazy(() => import('./parts/sign-in-page.tsx'))

/** Loaded after the page: what the service keeps of its reader. */
const KeptNotes = lazy(() => import('./screens/reader/kept-notes.tsx'))
const FirstSteps = lazy(() => import('./screens/reader/first-steps.tsx'))

const Expirations = lazy(() => import('./screens/expirations/expirations-screen.tsx'))
const ZeroDte = lazy(() => import('./screens/zero-dte/zero-dte-screen.tsx'))
const Volatility = lazy(() => import('./screens/volatility/volatility-screen.tsx'))
const Hedging = lazy(() => import('./screens/hedging/hedging-screen.tsx'))
const Flow = lazy(() => import('./screens/flow/flow-screen.tsx'))
const Ideas = lazy(() => import('./screens/ideas/ideas-screen.tsx'))
const Premium = lazy(() => import('./screens/premium/premium-screen.tsx'))
const Lab = lazy(() => import('./screens/lab/lab-screen.tsx'))
const Screener = lazy(() => import('./screens/screener/screener-screen.tsx'))
const Alerts = lazy(() => import('./screens/alerts/alerts-screen.tsx'))
const Account = lazy(() => import('./screens/account/account-screen.tsx'))
const Workspace = lazy(() => import('./screens/workspace/workspace-screen.tsx'))
const Status = lazy(() => import('./screens/status-screen.tsx'))

const COMPONENTS: Readonly<Record<Screen, ComponentType>> = {
  overview: Overview,
  expirations: Expirations,
  'zero-dte': ZeroDte,
  volatility: Volatility,
  hedging: Hedging,
  premium: Premium,
  lab: Lab,
  screener: Screener,
  flow: Flow,
  ideas: Ideas,
  workspace: Workspace,
  alerts: Alerts,
  account: Account,
  status: Status
}

/** Shows notifications of fired alerts on every screen if the browser allows them. */
function notifyOfAlerts(): (() => void) | undefined {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return undefined
  const following = import('./state/screens/alerts-state.ts').then(({ follow }) => follow())
  return () => void following.then((stop) => stop())
}

/** A dialog that is loaded when it opens. Each waits for itself, so that one that loads takes no open one off the page. */
function OnDemand({ isOpen, dialog: Shown }: { readonly isOpen: boolean; readonly dialog: ComponentType }) {
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <Shown />
    </Suspense>
  )
}

/** Stands for a screen that the plan lacks, and asks for nothing. */
function Locked() {
  return (
    <main class="waiting locked">
      <h1>{SCREENS[screen.value].title} is not in your plan</h1>
      <p>
        {closing.value?.note}
        <Upgrade />
      </p>
    </main>
  )
}

export function App() {
  useEffect(() => followPlan(), [])
  useEffect(() => session.start(), [])
  useEffect(() => startLink(), [])
  useEffect(() => listenToKeys(), [])
  useEffect(() => (!isSignedIn.value ? undefined : notifyOfAlerts()), [isSignedIn.value])
  if (!isSignedIn.value) return <OnDemand isOpen dialog={SignInPage} />
  const Shown = isLocked.value ? Locked : COMPONENTS[screen.value]
  return (
    <div class="shell">
      <Head />
      <div class="middle">
        <Banner />
        <Suspense fallback={null}>
          <KeptNotes />
        </Suspense>
        <Suspense fallback={<main class="waiting" aria-busy="true" />}>
          <Shown />
        </Suspense>
      </div>
      <Timeline />
      <PhoneTabs />
      <Announcer />
      <PrintFooter />
      <OnDemand isOpen={isPaletteOpen.value} dialog={Palette} />
      <OnDemand isOpen={areKeysOpen.value} dialog={KeyList} />
      <OnDemand isOpen={isGoing.value} dialog={GoList} />
      <OnDemand isOpen={embeddedPanel.value !== undefined} dialog={EmbedDialog} />
      <OnDemand isOpen={areStepsOpen.value} dialog={FirstSteps} />
    </div>
  )
}
