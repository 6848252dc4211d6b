import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { inject } from 'vitest'
import { poolAt } from '../../src/accounts/postgres.ts'
import { freePort } from './free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What may not be left out for want of a program, separated by commas. */
    readonly required: string
    /** Address of a PostgreSQL server that is there already. */
    readonly postgres?: string
  }
}

const given = inject('postgres')
const isRequired = inject('required').split(',').includes('postgres')

/** Folder with the programs of the newest PostgreSQL that is installed; undefined if none is. */
function programs(): string | undefined {
  const folders = '/usr/lib/postgresql'
  const versions = existsSync(folders) ? readdirSync(folders).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(folders, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
}

/** PostgreSQL refuses to run as root, so there its own user runs it. */
function asUser(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  if (process.getuid?.() !== 0) return [program, args]
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', program, ...args]]
}

/** Whether there is a server to test with, or one can be started. */
export const hasPostgres = given !== undefined || programs() !== undefined
if (!hasPostgres) {
  if (isRequired) throw new Error('GAMMAWALL_TEST_REQUIRE names postgres, but no PostgreSQL is installed')
  console.log('skipped: the tests of accounts on a server need PostgreSQL (apt-get install postgresql)')
}

export interface PostgresServer {
  /** Address of a new empty database. */
  database(): Promise<string>
  stop(): Promise<void>
}

/** Starts a PostgreSQL server on a free port with an empty folder, or uses the one that is given. */
export async function startPostgres(): Promise<PostgresServer> {
  if (given !== undefined) return { database: () => newDatabase(given), stop: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-postgres-'))
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  const bin = programs()!
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
    database: () => newDatabase(address),
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

/** Connections that wait for as long as a loaded machine may take. */
export const patientPool = (address: string) => poolAt(address, 120_000)

let made = 0

async function newDatabase(address: string): Promise<string> {
  const name = `gammawall_${process.pid}_${Date.now()}_${++made}`
  const client = new Client(address)
  await client.connect()
  // Texts are in the order of a language, as on most servers.
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'`)
  await client.end()
  const of = new URL(address)
  of.pathname = `/${name}`
  return of.href
}
