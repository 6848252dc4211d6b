import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { slowFiles } from './slow-files.ts'

/** Projects in the order they begin: many small files at the end keep all cores at work until it comes. */
const order = ['slow', 'pages', 'dashboard', 'fast']

/** The order of vitest, which knows no durations in a fresh clone, with the slow files first and the longest before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rankOf = ({ moduleId }: TestSpecification) => slowFiles.findIndex((file) => moduleId.endsWith(`/${file}`))
    const placeOf = ({ project }: TestSpecification) => order.indexOf(project.name)
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b) || rankOf(a) - rankOf(b))
  }
}
