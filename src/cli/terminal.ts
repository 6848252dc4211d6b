import { createInterface } from 'node:readline/promises'

/** Outputs of a command: results go to `out`, all other messages to `err`. */
export interface Terminal {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Replaces the last line that was written with it; an empty line removes it. Absent unless stderr is a terminal. */
  readonly rewrite?: (line: string) => void
  /** Asks the user a question and resolves to the typed line. Absent if no user is at the terminal. */
  readonly ask?: (question: string) => Promise<string>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Resolves once the reader of the results, such as `head`, has closed the pipe. */
  readonly left?: Promise<void>
  /** Window of the terminal; undefined unless stdout is a terminal. */
  readonly screen?: Screen | undefined
}

/** A terminal window whose lines can be rewritten. */
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

/**
 * Rewrites the current line of stderr. The line is cut to the width of the terminal, because a wrapped line could not
 * be rewritten.
 */
function rewriteLine(line: string): void {
  process.stderr.write(`\r\u001b[2K${line.slice(0, (process.stderr.columns || 80) - 1)}`)
}

/** Asks on stderr, because results may be piped to a file or program. End of input counts as an empty line. */
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

/** The part of Node's output streams that this file uses. */
export interface Output {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

/**
 * Keeps a command running when the reader of its output closes the pipe, as `head` does. Later output is lost. The
 * promise resolves once the reader of `results` has closed the pipe.
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
