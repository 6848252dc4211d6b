import { write } from 'node:fs'

const BATCH_BYTES = 65_536
const FLUSH_EVERY = 250
/** The most bytes that wait for a reader who is slower than the lines come. */
const MAX_WAITING = 64 * 2 ** 20
/** Milliseconds that a process which is to end waits for a reader that takes nothing. */
const FLUSH_WITHIN = 2000
/** The most bytes that UTF-8 takes for one character of a string. */
const MAX_BYTES_OF_CHARACTER = 3

/** Writes lines to a file descriptor in batches, in the background and in order. */
export interface LineWriter {
  /** Adds a line, its line feed included. It is lost where 64 MB wait already: a log that nobody reads takes no more. */
  add(line: string): void
  /** Writes what is left, at once. Resolves with true when it is written, with false after two seconds where nobody reads. */
  flush(): Promise<boolean>
}

/**
 * A writer for lines that come by the ten thousand a second: a batch costs one system call on another thread. While one is
 * being written the next one grows. Each line is encoded as it comes, into memory that is used again: it takes 0.9 µs of
 * CPU with what it says, where a batch that is joined as text and encoded at its end takes 2.1 and pino some 10 (Node 20).
 * `lost` words the line that tells how many there was no room for, once there is.
 */
export function lineWriter(descriptor: number, lost: (lines: number) => string): LineWriter {
  let batch: Buffer = Buffer.allocUnsafeSlow(BATCH_BYTES)
  let size = 0
  /** Batches that are full and wait for the one before them. */
  const waiting: Buffer[] = []
  let bytesWaiting = 0
  let linesLost = 0
  let spare: Buffer | undefined
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const close = (room: number) => {
    if (size > 0) waiting.push(batch.subarray(0, size))
    bytesWaiting += size
    batch = spare !== undefined && spare.length >= room ? spare : Buffer.allocUnsafeSlow(Math.max(BATCH_BYTES, room))
    spare = undefined
    size = 0
  }
  const send = () => {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeWaiting().finally(() => {
      writing = undefined
      if (waiting.length > 0) send()
      else if (size > 0) later()
    })
  }
  const writeWaiting = async () => {
    if (waiting.length === 0) close(0)
    for (let bytes = waiting.shift(); bytes !== undefined; bytes = waiting.shift()) {
      await new Promise<void>((done) => writeWhole(descriptor, bytes!, done))
      bytesWaiting -= bytes.length
      spare = Buffer.from(bytes.buffer)
    }
  }
  const later = () => {
    timer ??= setTimeout(send, FLUSH_EVERY).unref()
  }
  const put = (line: string) => {
    const most = line.length * MAX_BYTES_OF_CHARACTER
    if (size + most > batch.length) {
      close(most)
      if (waiting.length > 0) send()
    }
    size += batch.write(line, size)
    if (timer === undefined && writing === undefined) later()
  }
  const tellLost = () => {
    if (linesLost === 0) return
    const told = lost(linesLost)
    linesLost = 0
    put(told)
  }
  return {
    add(line) {
      if (bytesWaiting > MAX_WAITING) {
        linesLost++
        return
      }
      tellLost()
      put(line)
    },
    flush() {
      tellLost()
      close(0)
      send() // behind the batch under way, if there is one: the system may take two writes in either order
      return new Promise((done) => {
        const limit = setTimeout(() => done(false), FLUSH_WITHIN)
        writing!.then(() => {
          clearTimeout(limit)
          done(true)
        })
      })
    }
  }
}

/** Writes all bytes, however few the system takes at a time. A reader that has gone loses the lines, not the service. */
function writeWhole(descriptor: number, bytes: Buffer, done: () => void): void {
  write(descriptor, bytes, (error, written) => {
    if (error !== null && (error as NodeJS.ErrnoException).code === 'EAGAIN') {
      setTimeout(() => writeWhole(descriptor, bytes, done), 20).unref()
    } else if (error !== null || written === bytes.length) done()
    else writeWhole(descriptor, bytes.subarray(written), done)
  })
}
