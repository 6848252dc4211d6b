/** Where signals arrive; a process is one. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
}

export type StopSignal = 'SIGTERM' | 'SIGINT'

/** `asked` resolves to the first SIGTERM or SIGINT. Until `forget` is called none of them ends the process. */
export function listenForStop(signals: Signals): { readonly asked: Promise<StopSignal>; readonly forget: () => void } {
  let ask: (signal: StopSignal) => void = () => {}
  const asked = new Promise<StopSignal>((resolve) => {
    ask = resolve
  })
  const onTerm = () => ask('SIGTERM')
  const onInterrupt = () => ask('SIGINT')
  signals.on('SIGTERM', onTerm)
  signals.on('SIGINT', onInterrupt)
  const forget = () => {
    signals.off('SIGTERM', onTerm)
    signals.off('SIGINT', onInterrupt)
  }
  return { asked, forget }
}
