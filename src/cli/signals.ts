/** Where signals arrive; a process is one. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
}

/** `asked` resolves at the first SIGTERM or SIGINT. Until `forget` is called none of them ends the process. */
export function listenForStop(signals: Signals): { readonly asked: Promise<void>; readonly forget: () => void } {
  let ask = () => {}
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  signals.on('SIGTERM', ask)
  signals.on('SIGINT', ask)
  const forget = () => {
    signals.off('SIGTERM', ask)
    signals.off('SIGINT', ask)
  }
  return { asked, forget }
}
