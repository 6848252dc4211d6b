import { relative } from 'node:path'
import type { UserConsoleLog } from 'vitest'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/**
 * Ends a run with one list of what was not tested and why: the lines that tests print as `skipped: …`, each once. A file that
 * skips tests and prints no such line fails the run, so that nothing is left out without a word.
 */
export class NotTested implements Reporter {
  readonly #reasons = new Map<string, Set<string>>()
  /** Whether tests were chosen by name: then the others are left out on purpose. */
  #chosen = false

  onInit({ config }: Vitest): void {
    this.#chosen = config.testNamePattern !== undefined
  }

  onUserConsoleLog({ content, taskId }: UserConsoleLog): void {
    for (const [, reason] of content.matchAll(/^skipped: (.*)$/gm)) {
      const files = this.#reasons.get(reason) ?? new Set()
      this.#reasons.set(reason, files.add(taskId ?? ''))
    }
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const silent: string[] = []
    let skipped = 0
    for (const module of modules) {
      const left = [...module.children.allTests('skipped')].filter(({ options }) => options.mode === 'skip').length
      skipped += left
      const said = [...this.#reasons.values()].some((files) => [...files].some((id) => id.startsWith(module.id)))
      if (left > 0 && !said && !this.#chosen)
        silent.push(`${relative(process.cwd(), module.moduleId)}: ${left} skipped, no reason printed`)
    }
    if (this.#reasons.size === 0 && silent.length === 0) return
    console.log(`\nNot tested here (${skipped} skipped):`)
    for (const reason of [...this.#reasons.keys()].sort()) console.log(`  ${reason}`)
    for (const line of silent) console.log(`  ${line}`)
    if (silent.length > 0) process.exitCode = 1
  }
}
