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
  /** Resident memory in which a page that several processes map counts in equal parts for each of them. */
  readonly proportional: number
  readonly anonymous: number
  readonly native: number
  /**
   * The heap of the C library's allocator and its arenas, which also hold array buffers below its threshold of mappings.
   * If V8 has mapped its code behind the heap, as on Node 20, the allocator maps pieces of a megabyte instead. They look like
   * other nameless mappings, so they do not count here.
   */
  readonly allocator: number
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
  /** Memory that V8 takes beside the heap, mostly while it compiles. */
  readonly compiler: number
  readonly external: number
  /**
   * Array buffers that the thread made, shared ones included. Up to 72 MB of them are the ballast of
   * `memory/shared-memory.ts`, which takes no memory, so that `native` comes out too low by as much.
   */
  readonly arrayBuffers: number
}

const MEGABYTE = 2 ** 20
const ARENA = 64 * MEGABYTE

/** Measures a service that was forked with the probe. Linux only. */
export async function memoryOf(service: ChildProcess): Promise<MemoryUse> {
  service.send('measure')
  const [sent] = (await once(service, 'message')) as [readonly ThreadMemory[]]
  const threads = sent.map(({ thread, heap, used, compiler, external, arrayBuffers }) => ({
    thread,
    heap: heap / MEGABYTE,
    used: used / MEGABYTE,
    compiler: compiler / MEGABYTE,
    external: external / MEGABYTE,
    arrayBuffers: arrayBuffers / MEGABYTE
  }))
  const pages = readFileSync(`/proc/${service.pid}/smaps`, 'utf8')
  let [resident, proportional, anonymous, engine, allocator, name, isArena] = [0, 0, 0, 0, 0, '', false]
  for (const line of pages.split('\n')) {
    const mapping = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \d+ *(.*)$/.exec(line)
    if (mapping !== null) {
      const [, from, to] = mapping
      name = mapping[3]
      isArena = name === '[heap]' || (name === '' && isArenaMapping(Number.parseInt(from, 16), Number.parseInt(to, 16)))
    }
    const [, field, kilobytes] = /^(Rss|Pss|Anonymous): +(\d+) kB$/.exec(line) ?? []
    if (field === 'Pss') proportional += Number(kilobytes) / 1024
    if (field === 'Anonymous') anonymous += Number(kilobytes) / 1024
    if (field === 'Anonymous' && isArena) allocator += Number(kilobytes) / 1024
    if (field !== 'Rss') continue
    resident += Number(kilobytes) / 1024
    if (name.includes('chdb')) engine += Number(kilobytes) / 1024
  }
  const explained = threads.reduce((sum, { heap, arrayBuffers }) => sum + heap + arrayBuffers, 0)
  const native = anonymous - explained
  return { resident, proportional, anonymous, native, allocator, files: resident - anonymous, engine, threads }
}

/** Whether a nameless mapping is an arena of glibc: each begins at a multiple of 64 MB and is no longer. */
const isArenaMapping = (from: number, to: number) => from % ARENA === 0 && to - from <= ARENA

/** Processor time that a process has used so far, user and system together. Linux only, with its usual 100 ticks a second. */
export function processorSeconds({ pid }: ChildProcess): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(afterName[11]) + Number(afterName[12])) / 100
}

/** Figures of one measurement; `atMost` bounds resident memory, MB. */
export function memoryFigures(when: string, use: MemoryUse, atMost: number | undefined): readonly Figure[] {
  const { resident, proportional, anonymous, native, allocator, files, engine, threads } = use
  const figure = (what: string, value: number): Figure => ({ name: `${when}: ${what}`, value, unit: 'MB' })
  return [
    { ...figure('resident', resident), ...(atMost !== undefined && { atMost }) },
    figure('  in proportion to the processes that share its pages', proportional),
    figure('  pages of files', files),
    figure('    of them the history engine', engine),
    figure('  anonymous', anonymous),
    figure('    of them in arenas of the allocator', allocator),
    ...threads.flatMap(({ thread, heap, used, compiler, arrayBuffers, external }) => [
      figure(`    ${thread}: heap`, heap),
      figure(`      of it objects`, used),
      figure(`    ${thread}: V8 beside its heap`, compiler),
      figure(`    ${thread}: array buffers`, arrayBuffers),
      figure(`    ${thread}: other external`, external)
    ]),
    figure('    native and unexplained', native)
  ]
}
