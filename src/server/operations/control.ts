import { timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { comesFromPage, plain } from './operations.ts'

/** The client that requested a job. It receives progress notes. `signal` aborts when it disconnects. */
export interface ControlListener {
  readonly onNote: (note: object) => Promise<void>
  readonly signal: AbortSignal
}

export interface ControlOptions {
  /** Secret text that clients must send. It is in the file service.json of the data folder. */
  readonly token: string
  /**
   * Reads a job from JSON and returns the function that runs it. If the job cannot be done, throws an error whose
   * message the client may see.
   */
  readonly prepare: (document: unknown) => (listener: ControlListener) => Promise<object>
}

/** Maximum size of a body, bytes: room for the names of thousands of files. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

/**
 * Adds POST /control/work to the operator's port. Commands on the same machine send imports, exports and backfills
 * there. The response is a stream of JSON lines: progress notes, and finally `{"kind":"done"}` or `{"kind":"failed"}`.
 * One job runs at a time. It is stopped cleanly when its client disconnects or the service stops. The returned function
 * resolves once no job is running.
 */
export function mountControl(app: FastifyInstance, { token, prepare }: ControlOptions): () => Promise<void> {
  let running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined
  app.addHook('preClose', async () => running?.stop.abort())
  app.post('/control/work', { bodyLimit: MAX_BODY_BYTES }, (request, reply) => {
    if (comesFromPage(request)) return plain(reply, 403, 'a web page may not request this')
    if (!hasToken(request, token)) return plain(reply, 401, 'the token is not that of this service')
    if (running !== undefined) return plain(reply, 409, 'the service is at another import, export or backfill')
    let work: ReturnType<ControlOptions['prepare']>
    try {
      work = prepare(request.body)
    } catch (error) {
      return plain(reply, 400, messageOf(error))
    }
    const stop = new AbortController()
    reply.hijack()
    const ended = follow(reply.raw, work, stop).finally(() => {
      running = undefined
    })
    running = { stop, ended }
    return reply
  })
  return async () => {
    await running?.ended
  }
}

async function follow(
  response: ServerResponse,
  work: ReturnType<ControlOptions['prepare']>,
  stop: AbortController
): Promise<void> {
  response.once('close', () => stop.abort())
  response.on('error', () => stop.abort())
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
  response.flushHeaders()
  const onNote = (note: object) => writeLine(response, note)
  try {
    const outcome = await work({ onNote, signal: stop.signal })
    await onNote({ kind: 'done', outcome })
  } catch (error) {
    await onNote({ kind: 'failed', reason: messageOf(error) })
  }
  response.end()
}

/**
 * Writes one line of the response. Resolves once there is room for the next, so a client that reads slowly slows the
 * job down.
 */
async function writeLine(response: ServerResponse, note: object): Promise<void> {
  if (response.destroyed || response.write(`${JSON.stringify(note)}\n`)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const given = Buffer.from(String(headers['x-control-token'] ?? ''))
  const expected = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
