import type { Running } from '../app/serve.ts'
import type { Config } from '../config/config.ts'
import { settings } from '../config/settings.ts'
import type { CliCommand } from './command.ts'
import { listenForStop, type SignalSource } from './stop-signal.ts'

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
  // Refuses a source that lacks its key before the rest of the program is loaded and a data folder is created.
  const begun = begin(config)
  const { serve } = await import('../app/serve.ts') // loaded late so that other commands start quickly
  return serve(config, begun)
}

/**
 * Runs a service until the first SIGTERM or SIGINT, even one during the start, then stops it in order. Only SIGTERM
 * lets the service finish its clients first: SIGINT comes from a keyboard, where no load balancer waits. Further
 * signals are ignored, because Ctrl-C under npm arrives twice.
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
