import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figure.ts'

/** File that a measured service loads into each of its threads. */
export const memoryProbe = fileURLToPath(new URL('memory-probe.mjs', import.meta.url))

/** Memory of a process in MB, by kind and thread. Native memory is what neither a heap nor an array buffer explains. */
export interface MemoryUse {
  readonly resident: number
  readonly anonymous: number
  readonly native: number
  readonly files: number
  /** Pages of the history engine, which are part of `files`. */
  readonly engine: number
  readonly threads: readonly ThreadMemory[]
}

interface ThreadMemory {
  readonly thread: string
  /** Memory of the JavaScript heap, and the part that holds objects. */
  readonly heap: number
  readonly used: number
  readonly external: number
  /**
   * Array buffers that the thread made, shared ones included. Up to 72 MB of them are the ballast of
   * `memory/shared-memory.ts`, which takes no memory, so that `native` comes out too low by as much.
   */
  readonly arrayBuffers: number
}

const MEGABYTE = 2 ** 20

/** Measures a service that was forked with the probe. Linux only. */
export async function memoryOf(service: ChildProcess): Promise<MemoryUse> {
  service.send('measure')
  const [sent] = (await once(service, 'message')) as [readonly ThreadMemory[]]
  const threads = sent.map(({ thread, heap, used, external, arrayBuffers }) => ({
    thread,
    heap: heap / MEGABYTE,
    used: used / MEGABYTE,
    external: external / MEGABYTE,
    arrayBuffers: arrayBuffers / MEGABYTE
  }))
  const pages = readFileSync(`/proc/${service.pid}/smaps`, 'utf8')
  let [resident, anonymous, engine, name] = [0, 0, 0, '']
  for (const line of pages.split('\n')) {
    const mapping = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)$/.exec(line)
    if (mapping !== null) name = mapping[1]
    const [, field, kilobytes] = /^(Rss|Anonymous): +(\d+) kB$/.exec(line) ?? []
    if (field === 'Anonymous') anonymous += Number(kilobytes) / 1024
    if (field !== 'Rss') continue
    resident += Number(kilobytes) / 1024
    if (name.includes('chdb')) engine += Number(kilobytes) / 1024
  }
  const explained = threads.reduce((sum, { heap, arrayBuffers }) => sum + heap + arrayBuffers, 0)
  return { resident, anonymous, native: anonymous - explained, files: resident - anonymous, engine, threads }
}

/** Figures of one measurement; `atMost` bounds resident memory, MB. */
export function memoryFigures(when: string, use: MemoryUse, atMost: number | undefined): readonly Figure[] {
  const { resident, anonymous, native, files, engine, threads } = use
  const figure = (what: string, value: number): Figure => ({ name: `${when}: ${what}`, value, unit: 'MB' })
  return [
    { ...figure('resident', resident), ...(atMost !== undefined && { atMost }) },
    figure('  pages of files', files),
    figure('    of them the history engine', engine),
    figure('  anonymous', anonymous),
    ...threads.flatMap(({ thread, heap, used, arrayBuffers, external }) => [
      figure(`    ${thread}: heap`, heap),
      figure(`      of it objects`, used),
      figure(`    ${thread}: array buffers`, arrayBuffers),
      figure(`    ${thread}: other external`, external)
    ]),
    figure('    native and unexplained', native)
  ]
}
