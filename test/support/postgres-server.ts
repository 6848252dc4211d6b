import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

/** Folder with the programs of the newest PostgreSQL that is installed; undefined if none is. */
export function postgresPrograms(): string | undefined {
  const folders = '/usr/lib/postgresql'
  const versions = existsSync(folders) ? readdirSync(folders).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(folders, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
}

/** PostgreSQL refuses to run as root, so there its own user runs it. */
function asUser(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  if (process.getuid?.() !== 0) return [program, args]
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', program, ...args]]
}

export interface PostgresServer {
  /** Address of a new database: an empty one, or a copy of the one at an address, to which nothing may be connected. */
  database(copied?: string): Promise<string>
  stop(): Promise<void>
}

/** A server that is there already. */
export function givenServer(address: string): PostgresServer {
  return { database: (copied) => newDatabase(address, copied), stop: async () => {} }
}

/** Starts a PostgreSQL server on a free port with an empty folder. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-postgres-'))
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  const bin = postgresPrograms()!
  const [initdb, initdbArgs] = asUser(join(bin, 'initdb'), [
    ...['--pgdata', data, '--username', 'gammawall', '--auth', 'trust'],
    ...['--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync', '--no-instructions']
  ])
  execFileSync(initdb, initdbArgs, { stdio: 'pipe', cwd: folder })
  const port = await freePort()
  const settings = { fsync: 'off', listen_addresses: '127.0.0.1', port, unix_socket_directories: '' }
  const [postgres, args] = asUser(join(bin, 'postgres'), [
    ...['-D', data],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  ])
  const server = spawn(postgres, args, { stdio: 'ignore', cwd: folder })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const address = `postgres://gammawall@127.0.0.1:${port}/postgres`
  await answers(address, () => server.exitCode ?? undefined)
  return {
    database: (copied) => newDatabase(address, copied),
    async stop() {
      server.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function answers(address: string, exitCode: () => number | undefined): Promise<void> {
  for (;;) {
    const code = exitCode()
    if (code !== undefined) throw new Error(`PostgreSQL ended with code ${code}`)
    const client = new Client(address)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await pause(50)
    }
  }
}

let made = 0

async function newDatabase(address: string, copied?: string): Promise<string> {
  const name = `gammawall_${process.pid}_${Date.now()}_${++made}`
  const client = new Client(address)
  await client.connect()
  // Texts are in the order of a language, as on most servers.
  const template = copied === undefined ? 'template0' : new URL(copied).pathname.slice(1)
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} LOCALE_PROVIDER icu ICU_LOCALE 'en-US'`)
  await client.end()
  const of = new URL(address)
  of.pathname = `/${name}`
  return of.href
}
