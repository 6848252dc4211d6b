/** Where a program writes; the standard streams of a process are two such. */
export interface Output {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

/**
 * Lets a reader go away before the end, as `head` does: output written afterwards is lost, and the command goes on and
 * keeps its exit code. Resolves once the reader of `results` has gone.
 */
export function outliveReaders(results: Output, messages: Output): Promise<void> {
  return new Promise((resolve) => {
    results.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error
      resolve()
    })
    messages.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error
    })
  })
}
