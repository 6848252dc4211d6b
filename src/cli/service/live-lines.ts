import type { Screen } from '../terminal.ts'

const HIDE_CURSOR = '\x1b[?25l'
const SHOW_CURSOR = '\x1b[?25h'
const CLEAR_BELOW = '\x1b[J'
const up = (lines: number) => (lines === 0 ? '\r' : `\r\x1b[${lines}A`)

/** Terminal lines that are rewritten in place, such as a live table. All lines are written at once to avoid flicker. */
export interface LiveLines {
  show(lines: readonly string[]): void
  /** Leaves the last lines on the screen and shows the cursor below them. */
  leave(): void
}

export function liveLines(screen: Screen): LiveLines {
  let shown = 0
  return {
    show(lines) {
      const before = shown === 0 ? HIDE_CURSOR : up(shown)
      screen.write(`${before}${CLEAR_BELOW}${lines.join('\n')}\n`)
      shown = lines.length
    },
    leave() {
      screen.write(SHOW_CURSOR)
    }
  }
}
