import type { IncomingMessage } from 'node:http'
import { request as askOver } from 'node:http'
import type { Note } from '../../imports/import-writer.ts'
import { type Job, JobError } from '../../jobs/job.ts'
import type { JobListener, JobOutcome } from '../../jobs/run-job.ts'
import { isAlive, readServiceFile } from '../../jobs/service-file.ts'
import { remainder } from './job-progress.ts'

/** One line of JSON that the service sends while it runs a job. */
type Line =
  | Note
  | { readonly kind: 'done'; readonly outcome: JobOutcome }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Runs a job inside the service that uses the data folder. Returns undefined if no such service is running. A service
 * file that a crashed service left behind is ignored. When this process closes its connection, the service stops the
 * job, so the job never outlives this process.
 */
export async function runJobInService(job: Job, data: string, listener: JobListener): Promise<JobOutcome | undefined> {
  const service = readServiceFile(data)
  if (service?.address === undefined || !isAlive(service)) return undefined
  const answer = await ask(service.address, service.token, job)
  // The service has ended, and another program listens on its port now.
  if (answer === undefined || answer.statusCode === 401 || answer.statusCode === 404) {
    answer?.destroy()
    return undefined
  }
  if (answer.statusCode !== 200) throw new JobError(await sentenceIn(answer))
  return follow(answer, job, listener)
}

function ask(address: string, token: string, job: Job): Promise<IncomingMessage | undefined> {
  const body = JSON.stringify(job)
  const headers = { 'content-type': 'application/json', 'x-control-token': token }
  return new Promise((resolve, reject) => {
    const asked = askOver(`${address}/control/work`, { method: 'POST', headers }, resolve)
    asked.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(undefined)
      else reject(new JobError(`the service at ${address} does not answer: ${error.message}`))
    })
    asked.end(body)
  })
}

async function follow(answer: IncomingMessage, job: Job, { onNote, signal }: JobListener): Promise<JobOutcome> {
  const hangUp = () => answer.destroy()
  signal.addEventListener('abort', hangUp, { once: true })
  if (signal.aborted) hangUp()
  try {
    for await (const text of linesOf(answer)) {
      const line: Line = JSON.parse(text)
      if (line.kind === 'done') return line.outcome
      if (line.kind === 'failed') throw new JobError(line.reason)
      await onNote(line)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', hangUp)
  }
  const ended = signal.aborted ? 'stopped before the end' : 'the service ended before the work did'
  throw new JobError(`${ended}: ${remainder(job)}`)
}

/** Yields the lines of a response. Throws if the response ends early; node:readline would wait forever. */
async function* linesOf(answer: IncomingMessage): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function sentenceIn(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return text.trim()
}
