import { trackChart } from '../../charts/track-chart.tsx'
import { AnswerWords, ConventionWord, fileWords } from '../../parts/answer-words.tsx'
import { CardButton } from '../../parts/card-button.tsx'
import { fixed, level, percent } from '../../parts/format.ts'
import { Caption, Contents, stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { PAGE_FOCUS } from '../../state/screens/focus.ts'
import { today, zeroDte } from '../../state/screens/overview-state.ts'
import { marks, pin, shift } from '../../state/screens/zero-dte-state.ts'
import { CardPlace } from '../card/card-place.tsx'
import { Levels, levelTable } from '../overview/overview-rail.tsx'

const PinTrack = trackChart({
  of: pin,
  lines: [{ tone: 'magnet', width: 1.75 }],
  figure: (value) => fixed(value, 0),
  label: 'Pin score through the session',
  range: [0, 100]
})

/** Levels of today, pin risk, and the narrative of the service. */
export function Rail() {
  return (
    <section class="panel rail" aria-label="Levels, pin and reading" {...stateOf([zeroDte])}>
      <Caption title="Levels of today" method="key-levels">
        <AnswerWords of={[zeroDte]} />
        <PanelMenu
          name="levels-0dte"
          title="Levels of today"
          table={() => levelTable(PAGE_FOCUS, marks.value)}
          words={fileWords([zeroDte])}
        />
      </Caption>
      <Contents of={[zeroDte]}>
        <Levels marks={marks.value} set="0dte" />
        <CardPlace>
          <Caption title="Pin" method="pin-risk">
            <ConventionWord of="line" />
            <PanelMenu name="pin-0dte" title="Pin" table={pinTable} words={fileWords([zeroDte])} />
          </Caption>
          <Pin />
          <div class="pin-track">
            <PinTrack />
          </div>
          <Reading />
        </CardPlace>
      </Contents>
    </section>
  )
}

/** The four parts of the pin score. */
const PARTS = [
  ['oi_score', 'Open interest'],
  ['proximity_score', 'Nearness'],
  ['time_score', 'Time passed'],
  ['gamma_score', 'Gamma']
] as const

function Pin() {
  const found = today.value?.pin_risk
  return (
    <dl class="pin">
      <div class="score">
        <dt>Score</dt>
        <dd>
          <b>
            <CardButton of={{ card: 'zero_dte.pin_score' }} name="Pin score" value={fixed(found?.pin_score, 0)} />
          </b>{' '}
          at <CardButton of={{ card: 'magnet' }} name="Magnet" value={level(found?.magnet_strike)} />
          <small>{percent(found?.distance_to_magnet_pct, 'plain', 2)} away</small>
        </dd>
      </div>
      {PARTS.map(([part, name]) => (
        <div key={part}>
          <dt>{name}</dt>
          <dd>
            <i class="gauge" style={{ '--share': `${found?.components[part] ?? 0}%` }} />
            {fixed(found?.components[part], 0)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function pinTable() {
  const found = today.value?.pin_risk
  return {
    columns: ['part', 'score (0 to 100)'],
    rows: [['score', found?.pin_score ?? null], ...PARTS.map(([part, name]) => [name, found?.components[part] ?? null])]
  }
}

function Reading() {
  const found = today.value
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys
    <div class="scroll words" tabIndex={0}>
      {found?.warnings?.map((each) => (
        <p key={each} class="warning">
          {each}
        </p>
      ))}
      <p>{found?.pin_risk.description}</p>
      <p>{found?.decay.charm_description}</p>
      {shift.value !== undefined && (
        <p>
          {shift.value.description} <ConventionWord />
        </p>
      )}
      <p>{found?.decay.description}</p>
      <p>{found?.vol_context.description}</p>
    </div>
  )
}
