import { ApiError } from 'gammawall/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ConventionWord } from '../../parts/answer-words.tsx'
import { Empty } from '../../parts/empty.tsx'
import { MethodLink } from '../../parts/method-link.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import { expirations, place } from '../../state/page/address.ts'
import { isTicker } from '../../state/page/place.ts'
import { PROGRAMS } from '../../state/page/programs.ts'
import { changeSettings, settings } from '../../state/page/settings.ts'
import { isPassed, question } from '../../state/service/question.ts'
import { commandOf, requestPath } from '../../state/service/request-text.ts'
import { readText } from '../../state/service/send.ts'

/** How long typing must rest before its levels are requested, milliseconds. */
const REST = 500

/** Outcome of a request: levels as text, or why there are none. */
interface Came {
  readonly path: string
  readonly text?: string
  readonly refusal?: string
}

/** The levels of the page for a charting program, also on another instrument of the same index. */
export default function ExportLevels() {
  const program = settings.value.program ?? PROGRAMS[0][0]
  const [instrument, setInstrument] = useState('')
  const [came, setCame] = useState<Came>()
  const input = useRef<HTMLInputElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** Takes the instrument once it is written, so that none of its first letters alone is requested. */
  const take = (written: string, after = 0) => {
    clearTimeout(resting.current)
    resting.current = setTimeout(() => setInstrument(written.trim().toUpperCase()), after)
  }
  useEffect(() => () => clearTimeout(resting.current), [])
  const { symbol, at } = question.value
  const path = requestPath({
    path: `/v1/exposure/chart-levels/${encodeURIComponent(symbol)}`,
    params: { format: program, ...(isTicker(instrument) && instrument !== symbol && { as: instrument }) },
    at,
    set: expirations.value
  })
  useEffect(() => {
    const gaveUp = new AbortController()
    readText(path, gaveUp.signal).then(
      (levels) => setCame({ path, text: levels }),
      (error) => {
        if (gaveUp.signal.aborted) return
        if (!(error instanceof ApiError)) throw error
        setCame({ path, refusal: sentenceOf(error) })
      }
    )
    return () => gaveUp.abort()
  }, [path])
  // An answer to another request, or about another symbol or moment than that of the page by now, is not shown.
  void place.value
  const shown = came?.path === path && !isPassed(question.value) ? came : undefined
  const copy = (words: string) => {
    // Browsers offer the clipboard on secure pages only. Elsewhere the text is selected instead.
    if (navigator.clipboard !== undefined) void navigator.clipboard.writeText(words)
    else text.current?.select()
  }
  return (
    <form
      class="export-levels"
      onSubmit={(event) => {
        event.preventDefault()
        take(input.current!.value)
      }}
    >
      <label>
        Program
        <select value={program} onChange={({ currentTarget: { value } }) => changeSettings({ program: value })}>
          {PROGRAMS.map(([format, name]) => (
            <option key={format} value={format}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        On the chart of
        <input
          ref={input}
          placeholder={symbol}
          size={10}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => take(value, REST)}
          onBlur={({ currentTarget: { value } }) => take(value)}
        />
      </label>
      {shown?.refusal === undefined ? (
        <textarea ref={text} readOnly aria-label="Levels" aria-busy={shown === undefined} value={shown?.text ?? ''} />
      ) : (
        <Empty method="chart-levels">{shown.refusal}</Empty>
      )}
      <p class="actions">
        <button type="button" class="chip" disabled={shown?.text === undefined} onClick={() => copy(shown?.text ?? '')}>
          Copy levels
        </button>
        <button type="button" class="chip" onClick={() => copy(commandOf(location.origin, path))}>
          Copy command
        </button>
        <MethodLink method="chart-levels">Method</MethodLink> <ConventionWord />
      </p>
    </form>
  )
}
