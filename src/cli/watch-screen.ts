import type { Screen } from './command.ts'

const HIDE_CURSOR = '\x1b[?25l'
const SHOW_CURSOR = '\x1b[?25h'
const CLEAR_BELOW = '\x1b[J'
const up = (lines: number) => (lines === 0 ? '\r' : `\r\x1b[${lines}A`)

/** Lines of a terminal that are rewritten in place, each time in one write, so that nothing flickers. */
export interface LiveLines {
  show(lines: readonly string[]): void
  /** Leaves the last lines where they are and gives the cursor back, below them. */
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
