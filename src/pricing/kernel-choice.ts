let plain = false

/**
 * Has volatilities and greeks computed without WebAssembly on this thread from now on, or with it again: for a bisect
 * (`--plain`), and for tests and measurements that compare the two. What comes of them is the same to the last bit.
 */
export function usePlainKernels(use: boolean): void {
  plain = use
}

export function arePlainKernels(): boolean {
  return plain
}
