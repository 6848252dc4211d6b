import { readFile } from 'node:fs/promises'
import { crc32, inflateRawSync } from 'node:zlib'
import yauzl from 'yauzl'

/** A zip in memory; its files are unpacked one at a time. */
export interface Zip {
  readonly entries: readonly yauzl.Entry[]
  /** Unpacks a file. Throws if it is damaged, encrypted or larger than declared. */
  read(entry: yauzl.Entry): Promise<Buffer>
}

const STORED = 0
const DEFLATED = 8
/** Maximum size of an unpacked file, bytes. A day of one contract is far smaller. */
const MAX_FILE = 256 * 1024 * 1024

/**
 * Opens a zip and reads it into memory as a whole, because one read per file would take longer than unpacking thousands
 * of small files.
 */
export async function openZip(path: string): Promise<Zip> {
  const bytes = await readFile(path)
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, autoClose: false })
  const entries: yauzl.Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return {
    entries,
    async read(entry) {
      if (entry.isEncrypted()) throw new Error('it is encrypted')
      if (entry.uncompressedSize > MAX_FILE) throw new Error('it is larger than any day of one series')
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
      const packed = bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize)
      const unpacked = unpack(packed, entry)
      if (unpacked.length !== entry.uncompressedSize || crc32(unpacked) !== entry.crc32) {
        throw new Error('it is damaged: its check sum does not fit')
      }
      return unpacked
    }
  }
}

/** Name of the first file in a zip, without reading the rest; undefined if the zip is empty. */
export async function firstNameIn(path: string): Promise<string | undefined> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    for await (const entry of zip.eachEntry()) return entry.fileName
    return undefined
  } finally {
    zip.close()
  }
}

function unpack(packed: Buffer, { compressionMethod, uncompressedSize }: yauzl.Entry): Buffer {
  if (compressionMethod === STORED) return packed
  if (compressionMethod !== DEFLATED) throw new Error('it is packed in a way other than deflate')
  return uncompressedSize === 0 ? Buffer.alloc(0) : inflateRawSync(packed, { maxOutputLength: uncompressedSize })
}
