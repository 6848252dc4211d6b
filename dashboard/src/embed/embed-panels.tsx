import type { ComponentType } from 'preact'
import { lazy } from 'preact/compat'
import { ByExpirationPanel, HedgingPanel, TodayPanel } from '../screens/overview/overview-panels.tsx'
import { LevelsPanel, ReadingPanel } from '../screens/overview/overview-rail.tsx'
import { Stage } from '../screens/overview/overview-stage.tsx'
import type { EmbeddablePanel } from '../state/page/embeddable-panels.ts'
import * as expirations from '../state/screens/expirations-state.ts'
import * as hedging from '../state/screens/hedging-state.ts'
import { gex, levels, map, narrative, series, summary, term, zeroDte } from '../state/screens/overview-state.ts'
import * as volatility from '../state/screens/volatility-state.ts'
import type { Figures } from '../state/service/figures.ts'

type Started = Pick<Figures<never>, 'start'>

interface Embeddable {
  readonly Panel: ComponentType
  /** The figures that the panel shows, besides the session. A token of the panel opens their endpoints only. */
  readonly figures: readonly Started[]
}

const volatilityPanel = (name: 'SmilePanel' | 'SurfacePanel' | 'TermPanel' | 'SkewPanel') =>
  lazy(() => import('../screens/volatility/volatility-panels.tsx').then((panels) => ({ default: panels[name] })))
const expirationPanel = (name: 'MatrixPanel' | 'PainPanel') =>
  lazy(() => import('../screens/expirations/expirations-panels.tsx').then((panels) => ({ default: panels[name] })))

const profilePanel = lazy(() =>
  import('../screens/hedging/profile-panel.tsx').then(({ GammaProfilePanel }) => ({ default: GammaProfilePanel }))
)

/** The embeddable panels, by the names that the service knows. */
export const PANELS: Readonly<Record<EmbeddablePanel, Embeddable>> = {
  ladder: { Panel: Stage, figures: [summary, gex, levels, zeroDte, series, map] },
  levels: { Panel: LevelsPanel, figures: [levels, zeroDte] },
  reading: { Panel: ReadingPanel, figures: [narrative] },
  today: { Panel: TodayPanel, figures: [zeroDte] },
  hedging: { Panel: HedgingPanel, figures: [zeroDte] },
  profile: { Panel: profilePanel, figures: [hedging.settling, hedging.base, hedging.moved, levels] },
  expirations: { Panel: ByExpirationPanel, figures: [term] },
  matrix: { Panel: expirationPanel('MatrixPanel'), figures: [expirations.answer, levels, term] },
  pain: { Panel: expirationPanel('PainPanel'), figures: [expirations.answer, expirations.pain] },
  smile: {
    Panel: volatilityPanel('SmilePanel'),
    figures: [volatility.surface, volatility.quotes, volatility.previousSurface]
  },
  surface: { Panel: volatilityPanel('SurfacePanel'), figures: [volatility.surface] },
  terms: { Panel: volatilityPanel('TermPanel'), figures: [volatility.surface] },
  skew: { Panel: volatilityPanel('SkewPanel'), figures: [volatility.skew] }
}
