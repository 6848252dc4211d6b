/** The part of Node's `process` that sends signals. Tests pass a fake. */
export interface SignalSource {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
}

export type StopSignal = 'SIGTERM' | 'SIGINT'

/**
 * Waits for a request to stop: `requested` resolves at the first SIGTERM or SIGINT. Until `dispose` is called, no such
 * signal ends the process.
 */
export function listenForStop(signals: SignalSource): {
  readonly requested: Promise<StopSignal>
  readonly dispose: () => void
} {
  let stop: (signal: StopSignal) => void = () => {}
  const requested = new Promise<StopSignal>((resolve) => {
    stop = resolve
  })
  const onTerm = () => stop('SIGTERM')
  const onInterrupt = () => stop('SIGINT')
  signals.on('SIGTERM', onTerm)
  signals.on('SIGINT', onInterrupt)
  const dispose = () => {
    signals.off('SIGTERM', onTerm)
    signals.off('SIGINT', onInterrupt)
  }
  return { requested, dispose }
}
