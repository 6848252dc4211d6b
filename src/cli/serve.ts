import type { Config } from '../config.ts'
import { settings } from '../settings.ts'
import type { Command } from './command.ts'

/** A started service. */
export interface Running {
  stop(): Promise<void>
}

export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
}

export const serveCommand: Command = {
  name: 'serve',
  positionals: [],
  summary: 'run the service until it is stopped',
  flags: {},
  settings,
  async run({ config }) {
    await runUntilStopped(() => start(config), process)
  }
}

async function start(config: Config): Promise<Running> {
  const { serve } = await import('../main.ts') // loaded here, so that the other commands start quickly
  return serve(config)
}

/**
 * Starts a service and stops it in order at the first SIGTERM or SIGINT, one during the start included. Further
 * signals change nothing: Ctrl-C under npm arrives twice.
 */
export async function runUntilStopped(start: () => Promise<Running>, signals: Signals): Promise<void> {
  let ask = () => {}
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  signals.on('SIGTERM', ask)
  signals.on('SIGINT', ask)
  try {
    const running = await start()
    await asked
    await running.stop()
  } finally {
    signals.off('SIGTERM', ask)
    signals.off('SIGINT', ask)
  }
}
