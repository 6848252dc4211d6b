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

/** Every source of references there is. */
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

/** The sources that were chosen for each capability, and their settings, as plain data. */
export interface ReferenceSettings {
  readonly sources: Readonly<Record<ReferenceCapability, readonly string[]>>
  readonly values: SettingValues
  /** The folder in which raw answers are kept, secrets masked; none are where undefined. */
  readonly capture: CapturePlace | undefined
}

/** Why a reference cannot be created from the settings, as a sentence for the operator. Undefined where all can. */
export function referenceRefusal(settings: ReferenceSettings): string | undefined {
  return chosen(settings)
    .map(({ declaration }) => declaration.refusal?.(settings.values as never))
    .find((sentence) => sentence !== undefined)
}

/** The references that the settings name, each once, ready to be read. `listen` is told of every answer over HTTP. */
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
      // The values of its settings were read by those settings.
      return declaration.create(values as never, { capabilities, onAnswer })
    })
  )
}

/** The references that supply anything, with what they are asked for. */
function chosen({ sources }: Pick<ReferenceSettings, 'sources'>) {
  return references.flatMap((declaration) => {
    const capabilities = declaration.provides.filter((capability) => sources[capability].includes(declaration.name))
    return capabilities.length === 0 ? [] : [{ declaration, capabilities }]
  })
}
