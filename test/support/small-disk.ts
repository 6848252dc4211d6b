import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small file system that can be filled up and made read-only. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves no room at all. */
  fill(): void
  /** Gives the room back. */
  free(): void
  readOnly(): void
  remove(): void
}

const quiet = { stdio: 'ignore' } as const

/** Mounts a disk of so many megabytes; undefined where this user or system may not mount one. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-disk-'))
  const filler = join(folder, 'filler')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder], quiet)
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  return {
    folder,
    fill() {
      try {
        // In small pieces: one large write would leave what does not fill a piece.
        for (let k = 0; ; k++) writeFileSync(filler, Buffer.alloc(4096), { flag: k === 0 ? 'w' : 'a' })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    free: () => rmSync(filler, { force: true }),
    readOnly: () => void execFileSync('mount', ['-o', 'remount,ro', folder], quiet),
    remove() {
      execFileSync('umount', ['--lazy', folder], quiet)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Whether this user may mount disks here; tests of a real full disk say that they need it. */
export const canMount = (() => {
  const disk = smallDisk(1)
  disk?.remove()
  return disk !== undefined
})()
