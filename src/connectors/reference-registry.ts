import { alpacaDividends } from './alpaca/dividends/index.ts'
import { cboeIndexes } from './cboe/indexes/index.ts'
import { fred } from './fred/index.ts'
import { massiveDividends } from './massive/dividends/index.ts'
import { nasdaq } from './nasdaq/index.ts'
import { nyfed } from './nyfed/index.ts'
import { type AnswerListener, captureInto } from './port/capture/capture.ts'
import type { CapturePlace } from './port/capture/capture-place.ts'
import type { SettingValues } from './port/declaration.ts'
import type { ReferenceCapability, ReferenceDeclaration, ReferenceSource } from './port/reference.ts'
import { sec } from './sec/index.ts'
import { treasury } from './treasury/index.ts'

export const references: readonly ReferenceDeclaration[] = [
  treasury,
  nyfed,
  fred,
  cboeIndexes,
  nasdaq,
  sec,
  massiveDividends,
  alpacaDividends
]

/**
 * Reference sources that the operator chose for each capability, with their settings. Plain data, so that it can be
 * sent to a worker.
 */
export interface ReferenceSettings {
  readonly sources: Readonly<Record<ReferenceCapability, readonly string[]>>
  readonly values: SettingValues
  /** Folder in which raw vendor responses are recorded, with secrets masked; undefined to record none. */
  readonly capture: CapturePlace | undefined
}

/**
 * Checks whether all chosen reference sources can be created. Returns the reason why one cannot, as a sentence for the
 * operator; undefined if all can.
 */
export function referenceRefusal(settings: ReferenceSettings): string | undefined {
  return chosen(settings)
    .map(({ declaration }) => declaration.refusal?.(settings.values as never))
    .find((sentence) => sentence !== undefined)
}

/**
 * Creates each reference source that the settings name, once even if it supplies several capabilities. `listen`
 * receives every raw HTTP response.
 */
export function createReferences(
  settings: ReferenceSettings,
  listen?: (source: string, answer: Parameters<AnswerListener>[0]) => void
): Promise<readonly ReferenceSource[]> {
  const { values, capture } = settings
  return Promise.all(
    chosen(settings).map(({ declaration, capabilities }) => {
      const { name } = declaration
      const keep = capture && captureInto(capture, `${name}-reference`)
      const onAnswer: AnswerListener = (answer) => {
        keep?.onAnswer(answer)
        listen?.(name, answer)
      }
      // Each declaration parsed its own settings, which the types cannot express here.
      return declaration.create(values as never, { capabilities, onAnswer })
    })
  )
}

/** Chosen reference sources that supply something, with the capabilities each is used for. */
function chosen({ sources }: Pick<ReferenceSettings, 'sources'>) {
  return references.flatMap((declaration) => {
    const capabilities = declaration.provides.filter((capability) => sources[capability].includes(declaration.name))
    return capabilities.length === 0 ? [] : [{ declaration, capabilities }]
  })
}
