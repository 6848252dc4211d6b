import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** A folder that goes with the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-'))
  folders.push(folder)
  return folder
}

/** Removes all temporary folders, after each test file. A process without the test runner does so when it exits. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
process.once('exit', removeTemporaryFolders)
