import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inflateRawSync } from 'node:zlib'

/** Folder of recorded minute data next to the project; undefined, with a printed reason, if there is none. */
export function recordedMinutes(): string | undefined {
  const folder = join(resolve(import.meta.dirname, '../..'), '../shared/data/minute')
  if (existsSync(folder)) return folder
  console.log('skipped: the tests with recorded minute data need ../shared/data beside the project')
  return undefined
}

/** The files of a zip by name, read by its directory and cut by plain string functions: nothing of the importer. */
export function filesInZip(path: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const bytes = readFileSync(path)
  const files = new Map<string, readonly (readonly string[])[]>()
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const packed = bytes.readUInt32LE(at + 20)
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset))
    const local = bytes.readUInt32LE(at + 42)
    const data = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const text = inflateRawSync(bytes.subarray(data, data + packed)).toString()
    const lines = text.split(/\r?\n/).filter((line) => line !== '')
    files.set(
      bytes.toString('utf8', at + 46, at + 46 + name),
      lines.map((line) => line.split(','))
    )
    at += 46 + name + extra + comment
  }
  return files
}
