import { fixed, level, percent, usd } from '../../parts/format.ts'
import { Contents } from '../../parts/panel.tsx'
import { Sentences } from '../../parts/sentence.tsx'
import { dayOf } from '../../state/day/time.ts'
import type { Explained as ExplainedCard } from '../../state/page/place.ts'
import { explain } from '../../state/screens/card-state.ts'
import { AssumedWords } from './assumed-words.tsx'
import { type BarRow, BarRows } from './bar-rows.tsx'
import { changeText } from './card-names.ts'
import { leftOutWords, sourceWords, spreadWords } from './rests-words.ts'
import { crossingWords, type Explained, leadWords, missingWords } from './why-words.ts'

/** Contracts or candidates behind a figure, and the quotes behind them. */
export function RestsTab({ card }: { readonly card: ExplainedCard }) {
  return (
    <Contents of={[explain]}>
      <Rests card={card} />
    </Contents>
  )
}

function Rests({ card }: { readonly card: ExplainedCard }) {
  const answer = explain.answer.value
  if (answer === undefined) return null
  const { candidates, contributions, crossings, rests_on: basis } = answer
  const sentences = [
    missingWords(card, answer.null_reason),
    candidates === null ? undefined : leadWords(card, candidates),
    ...crossingWords(crossings ?? [])
  ]
  return (
    <>
      <AssumedWords of={[explain]} />
      <Sentences of={sentences} />
      {candidates !== null && (
        <BarRows
          title="Candidates"
          note={CANDIDATES[card] ?? ''}
          rows={card === 'max_pain' ? painRows(candidates.rows) : gammaRows(candidates.rows)}
          isPlain={card === 'max_pain'}
        />
      )}
      {contributions !== null && <Contributions card={card} parts={contributions} />}
      <Sentences of={[sourceWords(basis), spreadWords(basis), leftOutWords(basis)]} />
    </>
  )
}

/** Figures by which candidates are ranked. */
const CANDIDATES: Readonly<Partial<Record<ExplainedCard, string>>> = {
  call_wall: 'call gamma',
  put_wall: 'put gamma',
  magnet: "net gamma of today's options",
  max_pain: 'paid to holders, and how much more than at the first'
}

type Candidates = NonNullable<Explained['candidates']>['rows']

const gammaRows = (rows: Candidates): readonly BarRow[] =>
  rows.map(({ strike, value }) => ({ name: level(strike), value, text: usd(value) }))

/** Payouts differ little from strike to strike, so that only the first is told as it is. */
const painRows = (rows: Candidates): readonly BarRow[] =>
  rows.map(({ strike, value }, i) => {
    const more = value - rows[0]!.value
    return { name: level(strike), value: more, text: i === 0 ? usd(value) : usd(more, 'signed') }
  })

interface ContributionsProps {
  readonly card: ExplainedCard
  readonly parts: NonNullable<Explained['contributions']>
}

function Contributions({ card, parts }: ContributionsProps) {
  const row = (name: string, value: number): BarRow => ({ name, value, text: changeText(card, value) })
  const rest = (value: number) => (value === 0 ? [] : [row('All others', value)])
  const [calls, puts] = parts.by_right
  return (
    <>
      <BarRows title="Calls and puts" rows={[row('Calls', calls!.value), row('Puts', puts!.value)]} />
      <BarRows
        title="By expiration"
        rows={[
          ...parts.by_expiration.map(({ expiration, value }) => row(dayOf(expiration), value)),
          ...rest(parts.remainder.by_expiration)
        ]}
      />
      <BarRows
        title="By strike"
        rows={[
          ...parts.by_strike.map(({ strike, value }) => row(level(strike), value)),
          ...rest(parts.remainder.by_strike)
        ]}
      />
      <table class="card-rows contracts">
        <caption>
          Largest contracts <small>open interest, share of all sizes</small>
        </caption>
        <tbody>
          {parts.by_contract.map(({ expiration, strike, right, open_interest, share, value }) => (
            <tr key={`${expiration}${strike}${right}`}>
              <th scope="row">
                <b class={right}>
                  {level(strike)} {right}
                </b>{' '}
                {dayOf(expiration)}
              </th>
              <td class="n">
                {fixed(open_interest, 0)} <small>{percent(100 * Math.abs(share), 'plain')}</small>
              </td>
              <td class="n">{changeText(card, value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
