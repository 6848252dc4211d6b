import { render } from 'preact'
import { Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { price } from '../parts/format.ts'
import { sentenceOf } from '../parts/sentences.ts'
import { stateNow } from '../parts/state-now.ts'
import { figuresAt, session, spot } from '../state/day/day.ts'
import { clock } from '../state/day/time.ts'
import { place } from '../state/page/address.ts'
import type { EmbeddablePanel } from '../state/page/embeddable-panels.ts'
import { theme } from '../state/page/reader.ts'
import { startAll } from '../state/service/figures.ts'
import { isSynthetic, outage } from '../state/service/freshness.ts'
import { embedToken, isSignedIn } from '../state/service/sign-in.ts'
import { startState } from '../state/start.ts'
import type { Arrival } from './arrival.ts'
import { PANELS } from './embed-panels.tsx'
import { talkTo } from './parent.ts'
import '../style/embed.css'

/** Draws one panel as a page. */
export function show({ panel, token, page, theme: wanted }: Arrival): void {
  startState()
  embedToken.value = token
  if (token === '') isSignedIn.value = false
  if (wanted !== undefined) theme.value = wanted
  render(<Embedded panel={panel} page={page} />, document.querySelector('#app')!)
}

function Embedded({ panel, page }: Pick<Arrival, 'panel' | 'page'>) {
  const { Panel, figures } = PANELS[panel as EmbeddablePanel] // The service answers 404 for other names.
  useEffect(() => (page === undefined ? undefined : talkTo(page)), [page])
  useEffect(() => startAll([session, ...figures]), [figures])
  return (
    <main class="embed" data-panel={panel}>
      <h1 class="hidden">{place.value.symbol}</h1>
      <Suspense fallback={<p class="empty" aria-busy="true" />}>
        <Panel />
      </Suspense>
      <Foot />
    </main>
  )
}

/** Shows symbol, price, state and time, since the page has no head. */
function Foot() {
  const { tone, word, note } = stateNow()
  const refused = outage.value?.error ?? session.trouble.value
  return (
    <div class="foot" role="status">
      <b>{place.value.symbol}</b>
      <span>{price(spot.value)}</span>
      {isSynthetic() && <span class="badge">Synthetic</span>}
      {!isSignedIn.value ? (
        <span class="grow">Waiting for a token from its page</span>
      ) : refused !== undefined ? (
        <span class="grow">{sentenceOf(refused)}</span>
      ) : (
        <span class={`state ${tone}`} title={note}>
          <i class="dot" aria-hidden="true" />
          {word}
        </span>
      )}
      <time>{figuresAt.value === undefined ? '' : `${clock(figuresAt.value)} ET`}</time>
    </div>
  )
}
