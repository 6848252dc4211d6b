import type { Config } from '../config/config.ts'
import { settings } from '../config/settings.ts'
import type { Command } from './command.ts'
import { listenForStop, type Signals } from './signals.ts'

/** A started service. */
export interface Running {
  stop(): Promise<void>
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
  const { serve } = await import('../app/serve.ts') // loaded here, so that the other commands start quickly
  return serve(config)
}

/**
 * Starts a service and stops it in order at the first SIGTERM or SIGINT, one during the start included. Further
 * signals change nothing: Ctrl-C under npm arrives twice.
 */
export async function runUntilStopped(start: () => Promise<Running>, signals: Signals): Promise<void> {
  const { asked, forget } = listenForStop(signals)
  try {
    const running = await start()
    await asked
    await running.stop()
  } finally {
    forget()
  }
}
