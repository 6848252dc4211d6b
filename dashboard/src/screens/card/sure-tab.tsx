import type { ComponentChildren } from 'preact'
import { percent } from '../../parts/format.ts'
import { Contents } from '../../parts/panel.tsx'
import { Sentence } from '../../parts/sentence.tsx'
import type { Explained } from '../../state/page/place.ts'
import { bands, isNet, models } from '../../state/screens/card-state.ts'
import { AssumedWords } from './assumed-words.tsx'
import { BarRows } from './bar-rows.tsx'
import { figureText } from './card-names.ts'
import { RangeRows } from './range-rows.tsx'
import {
  type Bands,
  calibrationWords,
  flipRanges,
  flipWords,
  modelRows,
  modelWords,
  rangesOf,
  rangeWords,
  regimeWords,
  wallWords
} from './sure-words.ts'

/** How uncertain a figure is, and which dealer models agree. */
export function SureTab({ card }: { readonly card: Explained }) {
  if (card === 'max_pain') return <p>No band is computed for max pain.</p>
  if (card === 'magnet') return <p>No band is computed for the magnet.</p>
  // One refusal of the plan is told for both answers.
  const isRefused = bands.answer.value === undefined && bands.trouble.value?.code === 'tier_restricted'
  return (
    <>
      <Contents of={[bands]}>
        <Certainty card={card} />
      </Contents>
      {card === 'net_dex' ? (
        <p>Net delta counts all open options, whoever holds them.</p>
      ) : (
        !isRefused && (
          <Contents of={[models]}>
            <Agreement card={card} />
          </Contents>
        )
      )}
    </>
  )
}

function Certainty({ card }: { readonly card: Exclude<Explained, 'magnet' | 'max_pain'> }) {
  const answer = bands.answer.value
  if (answer === undefined) return null
  return (
    <>
      <AssumedWords of={[bands]} />
      <Ranges card={card} answer={answer} />
    </>
  )
}

interface RangesProps {
  readonly card: Exclude<Explained, 'magnet' | 'max_pain'>
  readonly answer: Bands
}

function Ranges({ card, answer }: RangesProps): ComponentChildren {
  if (card === 'call_wall' || card === 'put_wall') {
    const isCall = card === 'call_wall'
    const odds = isCall ? answer.walls.call : answer.walls.put
    return (
      <>
        <p>
          <b>
            <Sentence text={wallWords(isCall ? 'call wall' : 'put wall', odds)} />
          </b>
        </p>
        <BarRows
          title="Share of draws"
          rows={odds.map(({ strike, probability }) => ({
            name: figureText(card, strike),
            value: probability,
            text: percent(100 * probability, 'plain')
          }))}
          isPlain
        />
      </>
    )
  }
  if (!isNet(card)) {
    const { value, combined } = answer.gamma_flip
    return (
      <>
        <p>
          <b>
            <Sentence text={flipWords(combined)} />
          </b>
        </p>
        <RangeRows card={card} value={value} ranges={flipRanges(answer.gamma_flip)} />
        <p>{regimeWords(answer.regime)}</p>
      </>
    )
  }
  const band = answer[card]
  return (
    <>
      <p>
        <b>
          <Sentence text={rangeWords(card, band.combined)} />
        </b>
      </p>
      <RangeRows card={card} value={band.value} ranges={rangesOf(card, band)} />
      {card === 'net_gex' && <p>{regimeWords(answer.regime)}</p>}
      <p>{calibrationWords(band.calibration)}</p>
    </>
  )
}

function Agreement({ card }: { readonly card: Exclude<Explained, 'net_dex' | 'magnet' | 'max_pain'> }) {
  const answer = models.answer.value
  if (answer === undefined) return null
  return (
    <>
      <p>{modelWords(answer)}</p>
      <table class="card-rows models">
        <caption>By dealer model</caption>
        <tbody>
          {modelRows(card, answer).map(({ id, name, value, reason }) => (
            <tr key={id}>
              <th scope="row">
                {name}
                {reason !== undefined && <small>{reason}</small>}
              </th>
              <td class="n">{reason === undefined ? figureText(card, value) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
