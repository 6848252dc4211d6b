import { relative } from 'node:path'
import type { UserConsoleLog } from 'vitest'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/**
 * Ends a run with one list of what was not tested and why: the reasons that tests print as `skipped: …`, each once, and the files
 * with skipped tests. A reason is printed once for all files of a process, so the two do not belong to each other line by line.
 */
export class NotTested implements Reporter {
  readonly #reasons = new Set<string>()
  /** Whether tests were chosen by name: then the others are left out on purpose. */
  #chosen = false

  onInit({ config }: Vitest): void {
    this.#chosen = config.testNamePattern !== undefined
  }

  onUserConsoleLog({ content }: UserConsoleLog): void {
    for (const [, reason] of content.matchAll(/^skipped: (.*)$/gm)) this.#reasons.add(reason)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => {
      const count = [...module.children.allTests('skipped')].filter(({ options }) => options.mode === 'skip').length
      return count > 0 ? [`${relative(process.cwd(), module.moduleId)} (${count})`] : []
    })
    if (this.#chosen || (this.#reasons.size === 0 && skipped.length === 0)) return
    console.log('\nNot tested here:')
    for (const reason of [...this.#reasons].sort()) console.log(`  ${reason}`)
    if (skipped.length > 0) console.log(`Files with skipped tests: ${skipped.sort().join(', ')}`)
  }
}
