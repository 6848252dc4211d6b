import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ChainImage, HistoryStore } from '../../src/history/store.ts'
import { createIntake, type Intake, type Note, type Rejection, type Tally } from '../../src/imports/intake.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import type { Chain } from '../../src/market/chain.ts'

/** Everything an import handed over. */
export interface Taken {
  readonly images: readonly ChainImage[]
  readonly bars: readonly (readonly [symbol: string, bar: DailyBar])[]
  readonly rejections: readonly Rejection[]
  readonly notes: readonly Note[]
  readonly tally: Tally
}

/** Lets an import run to its end, or until `signal`, and returns what it handed to the archive. */
export async function take(
  run: (intake: Intake) => Promise<void>,
  { signal = new AbortController().signal, onImage = () => {} }: { signal?: AbortSignal; onImage?: () => void } = {}
): Promise<Taken> {
  const images: ChainImage[] = []
  const bars: [string, DailyBar][] = []
  const notes: Note[] = []
  const store: Pick<HistoryStore, 'writeImages' | 'writeBars'> = {
    writeImages: async (batch) => void images.push(...batch),
    writeBars: async (symbol, batch) => {
      for (const bar of batch) bars.push([symbol, bar])
    }
  }
  const intake = createIntake({ store, signal, tell: (note) => void notes.push(note) })
  const watched: Intake = {
    ...intake,
    async image(image) {
      await intake.image(image)
      onImage()
    }
  }
  await run(watched)
  const tally = await intake.finish()
  const rejections = notes.flatMap((note) => (note.kind === 'rejected' ? note.rejections : []))
  return { images, bars, rejections, notes, tally }
}

/** A folder with these files that goes with the test. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-imports-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

/** The slot of a contract in a chain. */
export function slotOf(chain: Chain, expiration: string, strike: number, right: number, root?: string): number {
  const listed = chain.expirations.find((each) => each.date === expiration && (root ?? each.root) === each.root)!
  for (let i = listed.start; i < listed.end; i++) if (chain.strike[i] === strike && chain.right[i] === right) return i
  throw new Error(`there is no ${strike} of ${expiration}`)
}

export const iso = (instant: number) => new Date(instant).toISOString()
