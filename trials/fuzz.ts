import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { metric, projectRoot } from '../test/support/started-service.ts'
import { Chance } from './chance.ts'
import { agent, exchange, exchangeBytes, type HostileRequest, type Response, responsesIn } from './exchange.ts'
import { type FuzzedService, type Host, startFuzzed } from './fuzzed-service.ts'
import { hostileBytes } from './hostile-bytes.ts'
import { hostileFrame } from './hostile-frames.ts'
import { hostileRequest, soundRequest } from './hostile-requests.ts'
import { type FrameCheck, frameCheck, StreamConnection } from './stream-connections.ts'
import { Tally } from './tally.ts'

// Hostile requests to all three hosts of a running service, made from its own OpenAPI documents and from the schema of the
// stream's frames. A fault is an answer that was not declared, a status of 500 and above save a declared 502 or 503, a body that
// does not fit its schema, silence, a connection that is lost, or memory that goes on growing.
//
//   npm run fuzz -- --requests 200000          as many as wanted; 10,000 of them run in npm test
//   npm run fuzz -- --seed 7 --first 1234 --requests 1     a single one again, by the numbers of a counterexample

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  /** Number of the first request: those before it are left out. */
  readonly first?: number
  readonly onProgress?: (done: number) => void
}

export interface Fuzzed {
  readonly tally: Tally
  /** Operations, by host, method and path, that were asked at least once. */
  readonly asked: ReadonlySet<string>
  /** Every operation there is. */
  readonly operations: readonly string[]
  /**
   * Memory of the service at rest, once it is warm and at the end; undefined for a run that is too short to tell growth from
   * warming up.
   */
  readonly memory: { readonly early: Memory; readonly late: Memory } | undefined
  /** Whether frames were checked against the contract's schema, which lies next to the project. */
  readonly framesChecked: boolean
}

/** MB. */
interface Memory {
  /** Memory of the whole service: all threads, the archive's engine, and what allocators keep for later. */
  readonly resident: number
  /** Heap of the thread that serves. */
  readonly heap: number
}

/** Concurrent requests. */
const CONCURRENCY = 12
/** Requests until the store of answers and most of what allocators keep have found their size. */
const WARM_AFTER = 8000
/** Collections of garbage before memory is judged, one a second. */
const COLLECTIONS = 5
/**
 * MB that a warm service may grow by until the end. Resident memory goes up to 1060 to 1200 MB, whether 8,000 requests are asked
 * or 24,000; from 8,000 to 10,000 it grew by 33. The heap holds 100 to 127 MB.
 */
const MAX_GROWTH: Memory = { resident: 160, heap: 60 }
/** The schema of the stream's frames. */
const frameSchema = join(projectRoot, '../shared/contract/streaming.schema.json')

const nameOf = (host: Host, { method, path }: Host['operations'][number]) => `${host.name} ${method} ${path}`

export async function fuzz({ requests, seed, first = 0, onProgress = () => {} }: FuzzOptions): Promise<Fuzzed> {
  const fuzzed = await startFuzzed()
  const { service, hosts, listeners } = fuzzed
  const framesChecked = existsSync(frameSchema)
  const check: FrameCheck = framesChecked ? frameCheck(frameSchema) : () => undefined
  const connections = listeners.map((key) => new StreamConnection(service.stream, key, check))
  const tally = new Tally(seed)
  const asked = new Set<string>()
  const run: Run = { fuzzed, connections, tally, asked, seed }
  const askFrom = async (start: number, end: number) => {
    let next = start
    const worker = async () => {
      while (next < end) {
        const k = next++
        await one(run, first + k)
        onProgress(k + 1)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  }

  try {
    if (first === 0) await askEverything(run) // what is loaded once is loaded, so that memory can be compared
    let memory: Fuzzed['memory']
    await askFrom(0, Math.min(WARM_AFTER, requests))
    if (requests > WARM_AFTER) {
      const early = await memoryAtRest(service)
      await askFrom(WARM_AFTER, requests)
      memory = { early, late: await memoryAtRest(service) }
      if (!hasKept(memory.early, memory.late)) {
        tally.fault('memory goes on growing', memoryShown(memory), '', 0)
      }
    }
    if (service.child.exitCode !== null || service.child.signalCode !== null) {
      tally.fault('the service ended', service.stderr().slice(-4000), '', first + requests)
    }
    return {
      tally,
      asked,
      operations: hosts.flatMap((host) => host.operations.map((operation) => nameOf(host, operation))),
      memory,
      framesChecked
    }
  } finally {
    for (const connection of connections) connection.close()
    agent.destroy()
    await service.stop()
  }
}

interface Run {
  readonly fuzzed: FuzzedService
  readonly connections: readonly StreamConnection[]
  readonly tally: Tally
  readonly asked: Set<string>
  readonly seed: number
}

/** Asks every operation as its document has it. */
async function askEverything(run: Run): Promise<void> {
  const { fuzzed, asked, seed } = run
  for (const host of fuzzed.hosts) {
    for (const [i, operation] of host.operations.entries()) {
      if (operation.method === 'DELETE') continue
      asked.add(nameOf(host, operation))
      const key = fuzzed.service.keys.enterprise ?? ''
      await send(run, host, operation, soundRequest(operation, host.known, key, new Chance(seed, -1 - i)), -1 - i)
    }
  }
}

/** Request k of a seed: always the same, whatever ran before it, except for ids that the service issues. */
async function one(run: Run, k: number): Promise<void> {
  const { fuzzed, connections, asked, seed } = run
  const { hosts, service, metrics } = fuzzed
  const chance = new Chance(seed, k)
  const draw = chance.next()
  if (draw < 0.17) {
    const frame = hostileFrame(metrics, hosts[0].known, chance)
    const { reply, fault } = await chance.pick(connections).exchange(frame)
    run.tally.met(`stream frame: ${reply}`)
    if (fault !== undefined) run.tally.fault(fault, shown(frame.data), reply, k)
    return
  }
  if (draw < 0.24) return sendBytes(run, chance.pick(hosts), chance, k)
  const host = draw < 0.66 ? hosts[0] : draw < 0.95 ? hosts[1] : hosts[2]
  const operation = chance.pick(host.operations)
  asked.add(nameOf(host, operation))
  await send(run, host, operation, hostileRequest(operation, host.known, service.keys, chance), k)
}

async function send(
  { tally }: Run,
  host: Host,
  operation: Host['operations'][number],
  request: HostileRequest,
  k: number
) {
  const what = `${host.name} ${request.method} ${request.target}\n${JSON.stringify(request.headers)}\n${shown(request.body ?? '')}`
  let response: Response
  try {
    response = await exchange(host.base, request)
  } catch (error) {
    tally.met(`${host.name}: no answer`)
    const { message, rawPacket } = error as Error & { readonly rawPacket?: Buffer } // what Node's client could not read
    tally.fault(`no answer: ${message}`, what, shown(rawPacket ?? ''), k)
    return
  }
  tally.met(`${host.name}: ${response.status}`)
  const fault = faultOf(host, operation, request, response)
  if (fault !== undefined) tally.fault(fault, what, answerShown(response), k)
}

function faultOf(
  { document }: Host,
  operation: Host['operations'][number],
  { method, target }: HostileRequest,
  { status, headers, text }: Response
): string | undefined {
  const contentType = String(headers['content-type'] ?? '')
  if (method === 'HEAD')
    return text !== ''
      ? 'a body to HEAD'
      : status >= 500 && ![502, 503].includes(status)
        ? `status ${status}`
        : undefined
  if (method === 'OPTIONS' && status === 204) return undefined
  // The document declares the plain shape of an answer.
  if (status === 200 && new URL(target, 'http://host').searchParams.get('shape') === 'compatible') return undefined
  const received = { status, contentType, text }
  // With another method, or with a segment that makes another path, the response does not belong to the intended
  // operation.
  if (status >= 400 && status < 500 && document.faultOfRefusal(received) === undefined) return undefined
  // An empty last segment asks for the path above it.
  const path = target.split('?')[0].replace(/\/+$/, '')
  const above = document.operations.find((other) => other.path === path && other.method === method)
  if (above !== undefined) return document.faultOf(above, received)
  if (method !== operation.method) {
    const other = document.operations.find(({ path, method: its }) => path === operation.path && its === method)
    return other === undefined ? `status ${status} to a method that is not declared` : document.faultOf(other, received)
  }
  return document.faultOf(operation, received)
}

async function sendBytes({ fuzzed, tally }: Run, host: Host, chance: Chance, k: number): Promise<void> {
  const { kind, bytes } = hostileBytes(chance, fuzzed.service.keys.enterprise ?? '')
  let responses: readonly Response[]
  try {
    responses = responsesIn(await exchangeBytes(host.base, bytes))
  } catch (error) {
    tally.met(`${host.name} bytes: no answer`)
    tally.fault(`${kind}: ${(error as Error).message}`, shown(bytes), '', k)
    return
  }
  tally.met(`${host.name} bytes: ${responses.map(({ status }) => status).at(0) ?? 'closed'}`)
  for (const response of responses) {
    const { status, headers, text } = response
    const received = { status, contentType: String(headers['content-type'] ?? ''), text }
    const fault =
      status >= 500 ? `status ${status}` : status >= 400 ? host.document.faultOfRefusal(received) : undefined
    if (fault !== undefined) tally.fault(`${kind}: ${fault}`, shown(bytes), answerShown(response), k)
  }
}

const shown = (data: string | Buffer) =>
  (typeof data === 'string' ? data : JSON.stringify(data.toString('latin1'))).slice(0, 4000)
const answerShown = ({ status, headers, text }: Response) =>
  `${status} ${JSON.stringify(headers)}\n${text.slice(0, 3000)}`

const hasKept = (early: Memory, late: Memory) =>
  late.resident - early.resident <= MAX_GROWTH.resident && late.heap - early.heap <= MAX_GROWTH.heap

/** Memory after all requests have ended and every thread has collected its garbage: the least of several readings. */
async function memoryAtRest(service: FuzzedService['service']): Promise<Memory> {
  let [resident, heap] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const read = async (name: string) => ((await metric(service, name).catch(() => undefined)) ?? Number.NaN) / 2 ** 20 // it has ended
  for (let k = 0; k < COLLECTIONS; k++) {
    service.child.kill('SIGUSR2') // heard by collect-garbage.cjs
    await new Promise((resolve) => setTimeout(resolve, 1000))
    resident = Math.min(resident, await read('process_resident_memory_bytes'))
    heap = Math.min(heap, await read('nodejs_heap_size_used_bytes'))
  }
  return { resident, heap }
}

/** Describes the memory of the service during a run. */
export function memoryShown(memory: Fuzzed['memory']): string {
  if (memory === undefined) return `memory was not judged: a service is warm after ${WARM_AFTER} requests`
  const sizes = ({ resident, heap }: Memory) =>
    `${resident.toFixed(0)} MB, ${heap.toFixed(0)} of them held by the thread that serves,`
  return `memory ${sizes(memory.early)} when warm; ${sizes(memory.late)} at the end`
}

/** The command: returns its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      first: { type: 'string', default: '0' }
    }
  })
  const [requests, seed, first] = [values.requests, values.seed, values.first].map(Number)
  if (![requests, seed, first].every(Number.isSafeInteger) || requests < 1) {
    console.error('--requests, --seed and --first must be whole numbers')
    return 2
  }
  console.log(`${requests} requests, seed ${seed}`)
  const startedAt = performance.now()
  const tenth = Math.max(1, Math.floor(requests / 10))
  const onProgress = (done: number) => done % tenth === 0 && console.log(`  ${done}`)
  const { tally, asked, operations, memory, framesChecked } = await fuzz({ requests, seed, first, onProgress })
  console.log(tally.report())
  console.log(`${asked.size} of ${operations.length} operations asked`)
  if (!framesChecked) console.log('frames of the stream were not checked: ../shared/contract is not beside the project')
  console.log(memoryShown(memory))
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s; ${tally.faults} faults`)
  return tally.faults === 0 ? 0 : 1
}
