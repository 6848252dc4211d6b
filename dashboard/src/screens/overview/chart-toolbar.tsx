import type { ComponentChildren } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useState } from 'preact/hooks'
import { Drop } from '../../parts/drop.tsx'
import { alertDraft, beginAlert } from '../../state/chart/alert-draft.ts'
import { period, step } from '../../state/chart/chart-state.ts'
import { fits } from '../../state/chart/period.ts'
import { go, place, turn } from '../../state/page/address.ts'
import { PERIODS, type Period, STEPS, type Step } from '../../state/page/place.ts'

const PERIOD_NAMES: Readonly<Record<Period, string>> = {
  '1d': '1d',
  '5d': '5d',
  '20d': '20d',
  '3m': '3m',
  all: 'All'
}

interface Switch {
  readonly name: string
  /** Shown instead of the name. */
  readonly word?: string
  readonly hint: string
  readonly isOn: () => boolean
  readonly act: () => void
}

const SWITCHES: readonly Switch[] = [
  {
    name: 'Gamma map',
    word: 'Map',
    hint: 'Gamma map behind the price (m)',
    isOn: () => place.value.map,
    act: () => turn({ map: !place.value.map })
  },
  {
    name: 'Strikes',
    hint: 'Gamma by strike',
    isOn: () => place.value.strikes,
    act: () => turn({ strikes: !place.value.strikes })
  },
  {
    name: 'Expected move',
    word: 'Move',
    hint: 'The move that options price',
    isOn: () => place.value.cone,
    act: () => turn({ cone: !place.value.cone })
  },
  {
    name: 'Root scale',
    word: '√',
    hint: 'Root or linear scale of the strikes (k)',
    isOn: () => place.value.scale === 'root',
    act: () => turn({ scale: place.value.scale === 'root' ? 'linear' : 'root' })
  },
  {
    name: 'Today only',
    word: '◧',
    hint: 'Only options that expire today (d)',
    isOn: () => place.value.today,
    act: () => turn({ today: !place.value.today })
  }
]

/** Period, length of a bar, and what is drawn. */
export function ChartToolbar({ children }: { readonly children?: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys
    <div class="chart-tools" role="toolbar" aria-label="Chart" tabIndex={0}>
      <Choice
        label="Period"
        hint="shift+1 to 5"
        names={PERIODS.map((each) => [each, PERIOD_NAMES[each]])}
        chosen={period.value}
        choose={(each) => go({ period: each, every: undefined, from: undefined, to: undefined })}
      />
      <Choice
        label="Bars"
        hint="b"
        names={STEPS.filter((each) => fits(period.value, each)).map((each) => [each, each === '1d' ? '1D' : each])}
        chosen={step.value}
        choose={(each) => go({ every: each, from: undefined, to: undefined })}
      />
      <span class="group">
        {SWITCHES.map(({ name, word, hint, isOn, act }) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-label={name}
            aria-pressed={isOn()}
            title={hint}
            onClick={act}
          >
            {word ?? name}
          </button>
        ))}
      </span>
      <ListDrop name="Candles" />
      <ListDrop name="Levels" />
      <ListDrop name="Panes" />
      <ListDrop name="Compare" kind="chip compare" hint="Other symbols in percent (c)" />
      <button
        type="button"
        class="chip"
        aria-pressed={alertDraft.value !== undefined}
        aria-label="Alert line"
        title="Tell me when the price gets to a line (a)"
        onClick={() => {
          if (alertDraft.value === undefined) beginAlert()
          else alertDraft.value = undefined
        }}
      >
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" stroke="currentColor">
          <path d="M3 11.5h10l-1.5-2V6.75a3.5 3.5 0 0 0-7 0V9.5zM6.5 13.5h3" />
        </svg>
      </button>
      <ListDrop name="Export" />
      {children}
    </div>
  )
}

/** Loaded when they are first opened. */
const ChartList = lazy(() => import('./chart-lists.tsx'))
const ExportLevels = lazy(() => import('./export-levels.tsx'))

interface ListDropProps {
  readonly name: 'Candles' | 'Levels' | 'Panes' | 'Compare' | 'Export'
  readonly kind?: string
  readonly hint?: string
}

/** A list whose contents are there while it is open. */
function ListDrop({ name, kind, hint }: ListDropProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Drop name={name} kind={kind} hint={hint} onToggle={setOpen}>
      {isOpen && <Suspense fallback={null}>{name === 'Export' ? <ExportLevels /> : <ChartList of={name} />}</Suspense>}
    </Drop>
  )
}

interface ChoiceProps<Word extends string> {
  readonly label: string
  /** Its key. */
  readonly hint: string
  readonly names: readonly (readonly [word: Word, name: string])[]
  readonly chosen: Word
  readonly choose: (word: Word) => void
}

function Choice<Word extends Period | Step>({ label, hint, names, chosen, choose }: ChoiceProps<Word>) {
  return (
    <fieldset class="group" aria-label={label} title={`${label} (${hint})`}>
      {names.map(([word, name]) => (
        <button key={word} type="button" class="chip" aria-pressed={word === chosen} onClick={() => choose(word)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
