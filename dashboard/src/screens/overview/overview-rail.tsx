import { Fragment } from 'preact'
import { AllExpirationsWord, AnswerWords, DefaultWords, fileWords } from '../../parts/answer-words.tsx'
import { CardButton } from '../../parts/card-button.tsx'
import { useFocus } from '../../parts/focus-context.ts'
import { level, percent, price, short } from '../../parts/format.ts'
import { Caption, Contents, Panel, stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { figureOfLevel, type Mark } from '../../state/day/level-marks.ts'
import { type Focus, PAGE_FOCUS } from '../../state/screens/focus.ts'
import { levels, marks, openInterest } from '../../state/screens/overview-state.ts'
import { CardPlace } from '../card/card-place.tsx'
import { sigmaText } from './sigma-text.ts'

/** Levels, changes of open interest, and the narrative of the service; instead of the latter two an open card. */
export function Rail() {
  return (
    <section class="panel rail" aria-label="Levels and reading" {...stateOf([levels])}>
      <Caption title="Levels" method="key-levels">
        <AnswerWords of={[levels]} />
        <PanelMenu
          name="levels"
          title="Levels"
          table={() => levelTable(PAGE_FOCUS, marks.value)}
          embed="levels"
          words={fileWords([levels])}
        />
      </Caption>
      <Contents of={[levels]} method="key-levels">
        <Levels marks={marks.value} />
      </Contents>
      <CardPlace>
        <Rest />
      </CardPlace>
    </section>
  )
}

function Rest() {
  return (
    <>
      <Caption title="Open interest since yesterday" method="open-interest-change">
        <AllExpirationsWord />
      </Caption>
      <Contents
        of={[openInterest]}
        way={['Import its past', '/docs/import']}
        empty={
          openInterest.answer.value?.prior_snapshot_available === false
            ? 'The previous session was not recorded.'
            : undefined
        }
      >
        <Changes />
      </Contents>
      <Caption title="Reading">
        <DefaultWords />
      </Caption>
      <Contents of={[PAGE_FOCUS.exposures.narrative]}>
        <Reading />
      </Contents>
    </>
  )
}

/** The levels as a panel, for other pages. */
export function LevelsPanel() {
  const focus = useFocus()
  const { levels, marks } = focus.exposures
  return (
    <Panel
      name="rail"
      title="Levels"
      method="key-levels"
      embed="levels"
      of={[levels]}
      table={() => levelTable(focus, marks.value)}
    >
      <Levels marks={marks.value} />
    </Panel>
  )
}

/** The narrative as a panel, for other pages. */
export function ReadingPanel() {
  const { narrative } = useFocus().exposures
  return (
    <Panel name="rail" title="Reading" embed="reading" of={[narrative]} actions={<DefaultWords />}>
      <Reading />
    </Panel>
  )
}

/** Levels from the highest, with spot among them. */
function rowsOf(all: readonly Mark[], now: number | undefined) {
  const rows = all.map((mark) => ({ mark, value: mark.value }))
  const here = now === undefined ? [] : [{ mark: undefined, value: now }]
  return [...rows, ...here].sort((a, b) => b.value - a.value)
}

/** Distance of a level from spot: percent, and standard deviations of the rest of the day. */
function distance({ day, exposures }: Focus, value: number) {
  const now = day.spot.value
  const move = exposures.today.value?.expected_move.remaining_1sd_dollars
  const away = now === undefined ? undefined : (value / now - 1) * 100
  const sigmas = now === undefined || !move ? undefined : (value - now) / move
  return { away, sigmas }
}

interface LevelsProps {
  readonly marks: readonly Mark[]
  /** The expirations that the levels are of; undefined: those of the page. */
  readonly set?: string
}

export function Levels({ marks, set }: LevelsProps) {
  const { spot } = useFocus().day
  return (
    <table class="levels">
      <thead>
        <tr>
          <th scope="col">Level</th>
          <th scope="col" class="n">
            Price
          </th>
          <th scope="col" class="n">
            Away
          </th>
          <th scope="col" class="n">
            <abbr title="standard deviations of the move that is left today">σ</abbr>
          </th>
        </tr>
      </thead>
      <tbody>
        {rowsOf(marks, spot.value).map(({ mark, value }) =>
          mark === undefined ? <Here key="spot" value={value} /> : <Row key={mark.names[0]} mark={mark} set={set} />
        )}
      </tbody>
    </table>
  )
}

interface RowProps {
  readonly mark: Mark
  readonly set: string | undefined
}

/** A level with its other names. The price opens the card of the first name that has one, other names their own. */
function Row({ mark: { names, value, tone, dash }, set }: RowProps) {
  const figures = names.map((name) => ({ name, of: figureOfLevel(name, set) }))
  const main = figures.find(({ of }) => of !== undefined)
  const { away, sigmas } = distance(useFocus(), value)
  const style = dash.length === 0 ? '' : dash[0]! > 2 ? 'dashed' : 'dotted'
  return (
    <tr>
      <th scope="row">
        <i class={`key ${tone} ${style}`} />
        {names[0]}
        {names.length > 1 && (
          <small>
            {figures.slice(1).map((each, i, others) => (
              <Fragment key={each.name}>
                <span>
                  <CardButton of={each === main ? undefined : each.of} name={each.name} value={level(value)}>
                    {each.name}
                  </CardButton>
                  {i + 1 < others.length && ' ·'}
                </span>{' '}
              </Fragment>
            ))}
          </small>
        )}
      </th>
      <td class="n">
        <CardButton of={main?.of} name={main?.name ?? ''} value={level(value)} />
      </td>
      <td class="n">{percent(away)}</td>
      <td class="n">{sigmaText(sigmas)}</td>
    </tr>
  )
}

function Here({ value }: { readonly value: number }) {
  return (
    <tr class="here">
      <th scope="row">
        <i class="key price" />
        Spot
      </th>
      <td class="n">{price(value)}</td>
      <td />
      <td />
    </tr>
  )
}

/** Most changes to list. */
const MOST = 5

function Changes() {
  const rows = (openInterest.answer.value?.top_oi_changes ?? []).slice(0, MOST)
  return (
    <table class="facts">
      <tbody>
        {rows.map((each) => (
          <tr key={`${each.strike}${each.type}${each.expiry}`}>
            <th scope="row">
              <b class={each.type === 'C' ? 'call' : 'put'}>
                {level(each.strike)} {each.type === 'C' ? 'call' : 'put'}
              </b>{' '}
              {each.expiry}
            </th>
            <td class="n">{short(each.oi_change, 'signed')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Reading() {
  const { narrative } = useFocus().exposures
  const words = narrative.answer.value?.narrative
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys
    <div class="scroll words" tabIndex={0}>
      <p>{words?.outlook}</p>
      <p>{words?.gex_change}</p>
      <p>{words?.vanna}</p>
      <p>{words?.charm}</p>
    </div>
  )
}

export function levelTable(focus: Focus, marks: readonly Mark[]) {
  return {
    columns: ['level', 'price (USD)', 'away (%)', 'standard deviations'],
    rows: marks.map(({ names, value }) => {
      const { away, sigmas } = distance(focus, value)
      return [names.join(' / '), value, away ?? null, sigmas ?? null]
    })
  }
}
