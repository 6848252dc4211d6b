import { Drop } from '../../parts/drop.tsx'
import { SET_NAMES } from '../../parts/expiration-words.ts'
import { useFocus } from '../../parts/focus-context.ts'
import { newYork } from '../../state/day/time.ts'
import { go } from '../../state/page/address.ts'
import { CALENDAR_SETS } from '../../state/page/expiration-set.ts'
import { isTicker, type Place } from '../../state/page/place.ts'
import { isOfPageOnly, KINDS, type Kind, LINKED, LINKS, type PanelSpec } from '../../state/workspace/layouts.ts'
import { setPanel, turnGreen, turnPanel } from '../../state/workspace/workspace-state.ts'
import { KIND_NAMES, LINK_NAMES } from './workspace-words.ts'

interface Props {
  readonly at: number
  readonly spec: PanelSpec
  /** The symbol that is shown. */
  readonly symbol: string
}

/** Fields for the symbol of a panel, its link and its kind. */
export function TileSubject({ at, spec, symbol }: Props) {
  const { kind, link } = spec
  const isFollowing = spec.symbol === LINKED
  const isBound = isOfPageOnly(kind)
  return (
    <Drop
      name={
        <>
          <i class={`link-mark ${link}`} aria-hidden="true" />
          <b>{symbol}</b>
          <span class="hidden">
            , {KIND_NAMES[kind]}, link {link}: change
          </span>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const typed = String(new FormData(event.currentTarget).get('symbol')).trim().toUpperCase()
          if (isTicker(typed)) choose(at, spec, typed)
        }}
      >
        <label>
          Symbol
          <input
            name="symbol"
            aria-label="Symbol"
            defaultValue={symbol}
            key={symbol}
            autocomplete="off"
            spellcheck={false}
            size={8}
          />
          <button type="submit" class="chip">
            Show
          </button>
        </label>
      </form>
      <label>
        <input
          type="checkbox"
          checked={isFollowing}
          disabled={isBound || link === 'none'}
          onChange={() => setPanel(at, { symbol: isFollowing ? symbol : LINKED })}
        />
        Symbol of its link
      </label>
      <label>
        Link
        <select
          aria-label="Link"
          value={link}
          disabled={isBound}
          onChange={({ currentTarget }) => {
            const next = LINKS.find((each) => each === currentTarget.value)!
            setPanel(at, { link: next, ...(next === 'none' && { symbol }) })
          }}
        >
          {LINKS.map((each) => (
            <option key={each} value={each}>
              {LINK_NAMES[each]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Panel
        <select
          aria-label="Panel"
          value={kind}
          onChange={({ currentTarget }) => setPanel(at, { kind: currentTarget.value as Kind })}
        >
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {KIND_NAMES[each]}
            </option>
          ))}
        </select>
      </label>
      {isBound && <small>Shows the symbol of the page.</small>}
      {link !== 'blue' && <OwnMoment at={at} isGreen={link === 'green'} />}
    </Drop>
  )
}

/** A symbol for a panel; where it follows its link, for all that follow it. */
function choose(at: number, { symbol, link }: PanelSpec, typed: string): void {
  if (symbol !== LINKED) setPanel(at, { symbol: typed })
  else if (link === 'green') turnGreen({ symbol: typed })
  else go({ symbol: typed, expiry: undefined, range: undefined, legs: undefined })
}

/** Expirations and moment of a panel that does not take those of the page. */
function OwnMoment({ at, isGreen }: { readonly at: number; readonly isGreen: boolean }) {
  const { subject, day } = useFocus()
  const { at: wall, expirations } = subject.place.value
  const turn = (change: Partial<Place>) => (isGreen ? turnGreen(change) : turnPanel(at, change))
  return (
    <>
      <label>
        Expirations
        <select
          aria-label="Expirations"
          value={expirations ?? ''}
          onChange={({ currentTarget }) => turn({ expirations: currentTarget.value || undefined })}
        >
          <option value="">All</option>
          {CALENDAR_SETS.map((each) => (
            <option key={each} value={each}>
              {SET_NAMES[each]}
            </option>
          ))}
        </select>
      </label>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const given = String(new FormData(event.currentTarget).get('moment'))
          turn({ at: given === '' ? undefined : given })
        }}
      >
        <label>
          Moment
          <input
            name="moment"
            aria-label="Moment"
            type="datetime-local"
            key={wall}
            defaultValue={(wall ?? (day.moment.value === undefined ? '' : newYork(day.moment.value))).slice(0, 16)}
          />
          <button type="submit" class="chip">
            Hold
          </button>
        </label>
        {wall !== undefined && (
          <button type="button" class="chip" onClick={() => turn({ at: undefined })}>
            Back to live
          </button>
        )}
      </form>
    </>
  )
}
