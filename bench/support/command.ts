import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface CommandRun {
  /** Seconds from the start of the command to its exit. */
  readonly seconds: number
  /** Largest resident memory, MB; NaN where the system does not tell it. */
  readonly peak: number
  readonly status: number | null
  readonly output: string
}

const LOOK = 50
const { scripts } = createRequire(import.meta.url)('../../package.json') as {
  readonly scripts: { readonly gammawall: string }
}
/** Memory settings with which npm starts the command. */
const memory = Object.fromEntries(
  [...scripts.gammawall.matchAll(/(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value])
)

/** Runs the command line as a user does and waits for its exit. */
export async function runCommand(args: readonly string[]): Promise<CommandRun> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['scripts/gammawall.mjs', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...memory, ...process.env }
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => void (output += text))
  let peak = Number.NaN
  const look = setInterval(() => {
    peak = peakOf(child.pid!) ?? peak
  }, LOOK)
  const [status] = (await once(child, 'close')) as [number | null]
  clearInterval(look)
  return { seconds: (performance.now() - startedAt) / 1000, peak, status, output }
}

/** Largest resident memory of a process so far, MB. Linux only. */
function peakOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}
