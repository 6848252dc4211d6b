import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { JobRunner, Work } from './job-runner.ts'
import { plain, refusesOperator } from './operations.ts'

export interface ControlOptions {
  /** Secret text that clients must send. It is in the file service.json of the data folder. */
  readonly token: string
  /**
   * Reads a job from JSON and returns the function that runs it. If the job cannot be done, throws an error whose
   * message the client may see.
   */
  readonly prepare: (document: unknown) => Work
  readonly jobs: JobRunner
}

/** Maximum size of a body, bytes: room for the names of thousands of files. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

/**
 * Adds POST /control/work to the operator's port. Commands on the same machine send imports, exports and backfills
 * there. The response is a stream of JSON lines: progress notes, and finally `{"kind":"done"}` or `{"kind":"failed"}`.
 * One job runs at a time. It is stopped cleanly when its client disconnects or the service stops.
 */
export function mountControl(app: FastifyInstance, { token, prepare, jobs }: ControlOptions): void {
  app.addHook('preClose', () => jobs.stop())
  app.post('/control/work', { bodyLimit: MAX_BODY_BYTES }, (request, reply) => {
    if (refusesOperator(request, reply, token)) return reply
    if (jobs.isBusy) return plain(reply, 409, 'the service is at another import, export or backfill')
    let work: Work
    try {
      work = prepare(request.body)
    } catch (error) {
      return plain(reply, 400, messageOf(error))
    }
    reply.hijack()
    void follow(reply.raw, work, jobs)
    return reply
  })
}

async function follow(response: ServerResponse, work: Work, jobs: JobRunner): Promise<void> {
  const stop = new AbortController()
  response.once('close', () => stop.abort())
  response.on('error', () => stop.abort())
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
  response.flushHeaders()
  const onNote = (note: object) => writeLine(response, note)
  try {
    const outcome = await jobs.run(work, { onNote, signal: stop.signal })
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
