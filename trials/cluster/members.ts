import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

const program = new URL('./member.ts', import.meta.url)
const hooks = new URL('../../scripts/typescript.mjs', import.meta.url).href

/** A service of a trial: a process of its own with the accounts of one database. */
export interface Member {
  readonly process: ChildProcess
  /** Has the member do a task, and returns what comes of it. */
  run<Result>(task: string, options?: object): Promise<Result>
  end(): Promise<void>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function startMembers(address: string, count: number, onNews?: (news: unknown) => void): Promise<Member[]> {
  return Promise.all(Array.from({ length: count }, (_, k) => startMember(address, `member-${k}`, onNews)))
}

export async function startMember(
  address: string,
  name: string,
  onNews: (news: unknown) => void = () => {}
): Promise<Member> {
  const child = fork(program, [address, name], { execArgv: ['--import', hooks] })
  running.add(child)
  const ended = once(child, 'exit').then(() => void running.delete(child))
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  let calls = 0
  const ready = Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`${name} ended at its start`)))
  ])
  await ready
  child.on('message', ({ id, result, error, news }: Answered) => {
    if (news !== undefined) return onNews(news)
    const call = waiting.get(id!)
    waiting.delete(id!)
    if (error === undefined) call?.resolve(result as never)
    else call?.reject(new Error(`${name}: ${error}`))
  })
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended`))
  })
  return {
    process: child,
    run: (task, options = {}) =>
      new Promise((resolve, reject) => {
        waiting.set(++calls, { resolve, reject })
        child.send({ id: calls, task, options })
      }),
    async end() {
      child.kill('SIGKILL')
      await ended
    }
  }
}

interface Answered {
  readonly id?: number
  readonly result?: unknown
  readonly error?: string
  readonly news?: unknown
}
