import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** Program of a Redis or Valkey server that is installed; undefined if none is. */
export function redisProgram(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':')
  const names = ['redis-server', 'valkey-server'].flatMap((name) => folders.map((folder) => join(folder, name)))
  return names.find((program) => existsSync(program))
}

/** As root, the user of the package runs it. */
function asUser(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  const user = program.endsWith('valkey-server') ? 'valkey' : 'redis'
  if (process.getuid?.() !== 0) return [program, args]
  return ['setpriv', [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', program, ...args]]
}

export interface RedisServer {
  readonly address: string
  readonly port: number
  /** Kills the server; what it held is lost. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

/** Starts an empty server on a free port that keeps nothing on disk. */
export async function startRedisServer(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-redis-'))
  chmodSync(folder, 0o777)
  const port = await freePort()
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder }
  const [program, args] = asUser(
    redisProgram()!,
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`])
  )
  const start = async () => {
    const server = spawn(program, args, { stdio: 'ignore', cwd: folder })
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
    await answers(port, () => server.exitCode ?? undefined)
    const kill = async () => {
      server.kill('SIGKILL')
      await ended
    }
    process.once('exit', () => server.kill('SIGKILL'))
    return kill
  }
  let kill = await start()
  return {
    address: `redis://127.0.0.1:${port}`,
    port,
    kill: () => kill(),
    async startAgain() {
      kill = await start()
    },
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function answers(port: number, exitCode: () => number | undefined): Promise<void> {
  for (;;) {
    const code = exitCode()
    if (code !== undefined) throw new Error(`the Redis server ended with code ${code}`)
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isThere) return
    await pause(50)
  }
}
