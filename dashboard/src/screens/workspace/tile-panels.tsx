import type { ComponentType } from 'preact'
import { lazy } from 'preact/compat'
import * as expirations from '../../state/screens/expirations-state.ts'
import type { Exposures } from '../../state/screens/exposures.ts'
import * as hedging from '../../state/screens/hedging-state.ts'
import { levels, term } from '../../state/screens/overview-state.ts'
import * as volatility from '../../state/screens/volatility-state.ts'
import type { Figures } from '../../state/service/figures.ts'
import type { Kind } from '../../state/workspace/layouts.ts'
import { ByExpirationPanel, HedgingPanel, TodayPanel } from '../overview/overview-panels.tsx'
import { LevelsPanel, ReadingPanel } from '../overview/overview-rail.tsx'

type Started = Pick<Figures<never>, 'start'>

interface TilePanel {
  readonly Panel: ComponentType
  /** The figures that it shows, besides the session. */
  readonly figures: (of: Exposures) => readonly Started[]
}

const volatilityPanel = (name: 'SmilePanel' | 'SurfacePanel' | 'TermPanel' | 'SkewPanel') =>
  lazy(() => import('../volatility/volatility-panels.tsx').then((panels) => ({ default: panels[name] })))
const expirationPanel = (name: 'MatrixPanel' | 'PainPanel') =>
  lazy(() => import('../expirations/expirations-panels.tsx').then((panels) => ({ default: panels[name] })))
const profilePanel = lazy(() =>
  import('../hedging/profile-panel.tsx').then(({ GammaProfilePanel }) => ({ default: GammaProfilePanel }))
)

/** The panels of a workspace besides its charts. */
export const TILE_PANELS: Readonly<Record<Exclude<Kind, 'chart'>, TilePanel>> = {
  levels: { Panel: LevelsPanel, figures: (of) => [of.levels, of.zeroDte] },
  today: { Panel: TodayPanel, figures: (of) => [of.zeroDte] },
  hedging: { Panel: HedgingPanel, figures: (of) => [of.zeroDte] },
  expirations: { Panel: ByExpirationPanel, figures: (of) => [of.term] },
  reading: { Panel: ReadingPanel, figures: (of) => [of.narrative] },
  matrix: { Panel: expirationPanel('MatrixPanel'), figures: () => [expirations.answer, levels, term] },
  pain: { Panel: expirationPanel('PainPanel'), figures: () => [expirations.answer, expirations.pain] },
  profile: {
    Panel: profilePanel,
    figures: () => [hedging.settling, hedging.base, hedging.moved, levels]
  },
  smile: {
    Panel: volatilityPanel('SmilePanel'),
    figures: () => [volatility.surface, volatility.quotes, volatility.previousSurface]
  },
  surface: { Panel: volatilityPanel('SurfacePanel'), figures: () => [volatility.surface] },
  terms: { Panel: volatilityPanel('TermPanel'), figures: () => [volatility.surface] },
  skew: { Panel: volatilityPanel('SkewPanel'), figures: () => [volatility.skew] }
}
