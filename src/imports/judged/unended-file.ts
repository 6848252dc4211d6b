import { open } from 'node:fs/promises'
import { packingOf } from '../tables/unpacked-bytes.ts'

const lineEnds: ReadonlySet<number | undefined> = new Set([10, 13])

/** Whether the last line of a file has no line break; false for a file that is packed. */
export async function endsWithinLine(path: string): Promise<boolean> {
  if ((await packingOf(path)) !== undefined) return false
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, Math.max(0, size - 2))
    const [before, last] = bytesRead < 2 ? [undefined, buffer[0]] : buffer
    // Text of two bytes a character may end in a line break and a 0.
    return !lineEnds.has(last === 0 ? before : last)
  } finally {
    await file.close()
  }
}

export const UNENDED = 'its last line has no line break: if the file was cut there, its last figure may be short'
