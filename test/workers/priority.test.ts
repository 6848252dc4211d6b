import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { getPriority } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sources, withTypes } from '../support/run-source.ts'

const priority = `${sources.href}workers/priority.ts`

/** Prints the steps that a thread stands behind the first one: a worker that says so itself, and those that are put there. */
const program = `
  import { Worker } from 'node:worker_threads'
  import { readdirSync } from 'node:fs'
  import { getPriority } from 'node:os'
  const { runBeforeOthers } = await import('${priority}')
  const declared = (kind) => new Promise((resolve) => {
    const code = \`
      import('${priority}').then(async ({ runAfterServing }) => {
        runAfterServing('\${kind}')
        const { readlinkSync } = await import('node:fs')
        const { getPriority } = await import('node:os')
        const { parentPort } = await import('node:worker_threads')
        parentPort.postMessage(getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1))))
      })\`
    new Worker(code, { eval: true }).on('message', (priority) => resolve(priority - getPriority(process.pid)))
  })
  const found = { answering: await declared('answering'), background: await declared('background') }
  const before = getPriority(process.pid)
  runBeforeOthers()
  const others = readdirSync('/proc/self/task').map(Number).filter((thread) => thread !== process.pid)
  console.log(JSON.stringify({
    ...found,
    first: getPriority(process.pid) - before,
    others: others.length > 0 && Math.min(...others.map((thread) => getPriority(thread))) - before
  }))
`

test.runIf(existsSync('/proc/thread-self'))('threads that work stand behind the one that serves', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...withTypes, '--input-type=module', '-e', program])
  const most = 19 - getPriority() // of a process that is last already
  const [answering, background] = [Math.min(5, most), Math.min(10, most)]
  expect(JSON.parse(stdout)).toEqual({ answering, background, first: 0, others: answering })
})

if (!existsSync('/proc/thread-self')) console.log('skipped: this system has no priorities of threads')
