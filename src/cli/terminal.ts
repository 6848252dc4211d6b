import { createInterface } from 'node:readline/promises'

/** Output of a command: results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Replaces the line written last; an empty line ends it. Absent unless stderr is a terminal. */
  readonly rewrite?: (line: string) => void
  /** Asks the user and resolves to the line that was typed. Absent if no user is at the terminal. */
  readonly ask?: (question: string) => Promise<string>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Resolves once the reader of the results has closed the pipe. */
  readonly left?: Promise<void>
  /** Present if stdout is a terminal. */
  readonly screen?: Screen | undefined
}

/** A terminal whose lines can be rewritten. */
export interface Screen {
  readonly write: (text: string) => void
  /** Current width in characters; it changes with the window. */
  readonly columns: number
  readonly lines: number
}

export function thisTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  return {
    out: (line) => stdout.write(`${line}\n`),
    err: (line) => stderr.write(`${line}\n`),
    ...(stderr.isTTY && { rewrite: rewriteLine }),
    ...(stdin.isTTY && stderr.isTTY && { ask: askHere }),
    env,
    left: outliveReaders(stdout, stderr),
    screen: stdout.isTTY ? thisScreen() : undefined
  }
}

/** Rewrites the current line of stderr, cut to the width of the terminal: a line that wraps could not be rewritten. */
function rewriteLine(line: string): void {
  process.stderr.write(`\r\u001b[2K${line.slice(0, (process.stderr.columns || 80) - 1)}`)
}

/** Asks on stderr, because results may be piped elsewhere. End of input counts as an empty line. */
async function askHere(question: string): Promise<string> {
  const { stdin: input, stderr: output } = process
  const lines = createInterface({ input, output })
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    return await Promise.race([lines.question(question), ended])
  } finally {
    lines.close()
  }
}

function thisScreen(): Screen {
  return {
    write: (text) => process.stdout.write(text),
    get columns() {
      return process.stdout.columns || 80
    },
    get lines() {
      return process.stdout.rows || 24
    }
  }
}

/** The part of an output stream that we need. */
export interface Output {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

/**
 * Keeps a command running when the reader of its output closes the pipe, as `head` does; later output is lost. Resolves
 * once the reader of `results` has closed.
 */
export function outliveReaders(results: Output, messages: Output): Promise<void> {
  return new Promise((resolve) => {
    results.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error
      resolve()
    })
    messages.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error
    })
  })
}
