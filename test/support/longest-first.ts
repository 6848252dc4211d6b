import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longestFiles } from './slow-files.ts'

/**
 * Sorts files, since vitest knows no durations in a fresh clone. The dashboard's come first: they have workers of their own, which
 * would end the others in the middle of a run. The slow files follow, the longest before all others, then the other pages; many
 * small files at the end keep all cores at work until it comes.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  if (project.name === 'dashboard') return -1
  const rank = longestFiles.findIndex((file) => moduleId.endsWith(`/${file}`))
  if (rank >= 0) return rank
  return longestFiles.length + (moduleId.includes('/dashboard/test/pages/') ? 0 : 1)
}
