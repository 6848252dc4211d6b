import type { Running } from '../app/serve.ts'
import type { Config } from '../config/config.ts'
import { settings } from '../config/settings.ts'
import type { Command } from './command.ts'
import { listenForStop, type Signals } from './signals.ts'

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
  const { begin } = await import('../app/begin.ts')
  // A source that lacks its key is refused before the rest of the program is loaded and a data folder is made.
  const begun = begin(config)
  const { serve } = await import('../app/serve.ts') // loaded here, so that the other commands start quickly
  return serve(config, begun)
}

/**
 * Starts a service and stops it in order at the first SIGTERM or SIGINT, one during the start included. SIGINT comes from
 * a person at the keyboard, whom no balancer makes wait. Further signals change nothing: Ctrl-C under npm arrives twice.
 */
export async function runUntilStopped(start: () => Promise<Running>, signals: Signals): Promise<void> {
  const { asked, forget } = listenForStop(signals)
  try {
    const running = await start()
    const signal = await asked
    await running.stop({ draining: signal === 'SIGTERM' })
  } finally {
    forget()
  }
}
