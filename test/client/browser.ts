import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumPath } from '../support/chromium.ts'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]

/** Opens a page in a fresh browser profile. */
export function openPage(address: string, ...more: readonly string[]): { readonly close: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-browser-'))
  const child: ChildProcess = spawn(chromiumPath!, [...flags, `--user-data-dir=${folder}`, ...more, address], {
    stdio: 'ignore',
    detached: true // a group of its own: a browser is many processes
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    async close() {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // It ended by itself meanwhile.
      }
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}
