import type { MaybePromise } from '../api/maybe-promise.ts'
import type { WindowsFound } from '../api/source.ts'
import type { NewestSample, PastViewName, ViewName, ViewRequest, Views } from '../flow/views.ts'
import type { TapeKind } from '../market/print.ts'
import type { Instant } from '../market/units.ts'
import type { Tapes } from '../tape/tapes.ts'

export interface LiveFlowOptions {
  /** Undefined: the service keeps no tapes. */
  readonly tapes?: Tapes | undefined
  readonly wallNow: () => Instant
}

/** What the tapes show, as the live market gives it out. */
export class LiveFlow {
  readonly #options: LiveFlowOptions

  constructor(options: LiveFlowOptions) {
    this.#options = options
  }

  view<Name extends ViewName>(request: ViewRequest<Name>, _maxAge: number): MaybePromise<Views[Name] | undefined> {
    const { tapes } = this.#options
    tapes?.keep(request.symbol)
    return tapes?.view(request)
  }

  pastViews<Name extends PastViewName>(_: ViewRequest<Name>, _from: Instant): MaybePromise<readonly Views[Name][]> {
    return none as readonly Views[Name][]
  }

  windowTotals(kind: TapeKind, from: Instant, _maxAge: number): MaybePromise<WindowsFound | undefined> {
    return this.#options.tapes?.windowTotals(kind, from)
  }

  newestSamples(): MaybePromise<readonly NewestSample[]> {
    return this.#options.tapes?.newestSamples() ?? (none as readonly NewestSample[])
  }
}

const none: readonly unknown[] = []
