import type { Running } from '../app/serve.ts'
import { listenForStop, type SignalSource } from '../app/stop-signal.ts'
import type { Config } from '../config/config.ts'
import { settings } from '../config/settings.ts'
import type { CliCommand } from './command.ts'

export const serveCommand: CliCommand = {
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
  // Checks the sources first: a source that lacks its key is refused before the rest of the program loads and a data
  // folder is created.
  const begun = begin(config)
  const { serve } = await import('../app/serve.ts') // loaded late so that other commands start quickly
  return serve(config, begun)
}

/**
 * Runs a service until the first SIGTERM or SIGINT, even one that arrives during the start, and then stops it cleanly.
 * After a SIGTERM the service still handles requests for a while, so that a load balancer can turn away. A SIGINT comes
 * from a keyboard, so the service stops at once. Later signals are ignored, because npm passes Ctrl-C on twice.
 */
export async function runUntilStopped(start: () => Promise<Running>, signals: SignalSource): Promise<void> {
  const { requested, dispose } = listenForStop(signals)
  try {
    const running = await start()
    const signal = await requested
    await running.stop({ draining: signal === 'SIGTERM' })
  } finally {
    dispose()
  }
}
