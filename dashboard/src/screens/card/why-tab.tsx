import { level, price } from '../../parts/format.ts'
import { Contents } from '../../parts/panel.tsx'
import { Sentence, Sentences } from '../../parts/sentence.tsx'
import { dayOf, newYork } from '../../state/day/time.ts'
import { place, turn } from '../../state/page/address.ts'
import type { Explained } from '../../state/page/place.ts'
import { attribution, explain, isNet, isOfGamma, MEASURES, type Net } from '../../state/screens/card-state.ts'
import { summary } from '../../state/screens/overview-state.ts'
import { AssumedWords } from './assumed-words.tsx'
import { BarRows } from './bar-rows.tsx'
import { CARD_NAMES, changeText } from './card-names.ts'
import {
  CAUSES,
  causeWords,
  crossingWords,
  leadWords,
  missingWords,
  RULES,
  strikeWords,
  thenAndNow,
  unexplainedWords
} from './why-words.ts'

/** Why a net exposure changed, or why a level stands where it does. */
export function WhyTab({ card }: { readonly card: Explained }) {
  if (isNet(card)) return <Change card={card} of={[attribution]} />
  return (
    <>
      <Contents of={[explain]}>
        <Position card={card} />
      </Contents>
      {isOfGamma(card) && <Change card="net_gex" of={explain.trouble.value === undefined ? [attribution] : []} />}
    </>
  )
}

/** Why a level stands where it does. */
function Position({ card }: { readonly card: Explained }) {
  const answer = explain.answer.value
  if (answer === undefined) return null
  const sentences = [
    RULES[card],
    missingWords(card, answer.null_reason),
    answer.candidates === null ? undefined : leadWords(card, answer.candidates),
    ...crossingWords(answer.crossings ?? [])
  ]
  return (
    <>
      <AssumedWords of={[explain]} />
      <Sentences of={sentences} />
    </>
  )
}

interface ChangeProps {
  readonly card: Net
  /** Empty: a refusal is told above already. */
  readonly of: readonly (typeof attribution)[]
}

/** The change of a net exposure since a moment, by its causes. */
function Change({ card, of }: ChangeProps) {
  if (of.length === 0) return null
  const refusal = attribution.trouble.value?.code
  // The last answer is of another moment than the one that is chosen now.
  const isUnrecorded = refusal === 'no_data' && summary.answer.value !== undefined
  return (
    <>
      {(refusal !== 'tier_restricted' || attribution.answer.value !== undefined) && <Since />}
      {isUnrecorded ? (
        <p>{unexplainedWords(place.value.since)}</p>
      ) : (
        <Contents of={of}>
          <Causes card={card} />
        </Contents>
      )}
    </>
  )
}

const momentText = (time: string) => {
  const wall = newYork(Date.parse(time))
  return `${dayOf(wall.slice(0, 10))} ${wall.slice(11, 16)}`
}

function Causes({ card }: { readonly card: Net }) {
  const answer = attribution.answer.value
  if (answer === undefined) return null
  const parts = answer[MEASURES[card]]
  const atStrike = isNet(place.value.card) ? undefined : strikeWords(answer, explain.answer.value?.value)
  return (
    <>
      {isNet(place.value.card) && <AssumedWords of={[attribution]} />}
      <p>
        <b>
          <Sentence text={causeWords(card, parts)} />
        </b>
      </p>
      <Sentences of={[atStrike]} />
      <BarRows
        title={`${CARD_NAMES[card].name} since ${momentText(answer.since)}`}
        note={thenAndNow(card, parts.from, parts.to)}
        rows={CAUSES.map(([cause, name]) => ({ name, value: parts[cause], text: changeText(card, parts[cause]) }))}
      />
      <p class="of">
        Spot {price(answer.underlying_price_since)} → {price(answer.underlying_price)}
      </p>
      {place.value.card === 'net_gex' && (
        <BarRows
          title="Strikes that changed most"
          rows={answer.top_strikes.map(({ strike, from, to }) => ({
            name: level(strike),
            value: to - from,
            text: changeText('net_gex', to - from)
          }))}
        />
      )}
    </>
  )
}

/** Choice of the moment since which a change is explained. */
function Since() {
  const { since } = place.value
  const isPicked = since !== undefined && since !== 'open'
  return (
    <fieldset class="since" aria-label="Since">
      <button type="button" class="chip" aria-pressed={since === undefined} onClick={() => turn({ since: undefined })}>
        Last close
      </button>
      <button type="button" class="chip" aria-pressed={since === 'open'} onClick={() => turn({ since: 'open' })}>
        Open
      </button>
      {isPicked ? (
        <button type="button" class="chip" aria-pressed={true}>
          {dayOf(since.slice(0, 10))} {since.slice(11, 16)}
        </button>
      ) : (
        place.value.screen === 'overview' && <small>or click a moment in the chart</small>
      )}
    </fieldset>
  )
}
