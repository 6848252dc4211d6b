import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { launch, projectRoot, type Service } from './started-service.ts'

const script = join(projectRoot, '../shared/contract/check.mjs')

/** Whether the contract's own check is available; it lies in a neighbouring folder and is not part of the project. */
export const hasContract = existsSync(script)
if (!hasContract) console.log('skipped: the check against the contract needs ../shared/contract beside the project')

export interface Checked {
  readonly code: number | null
  /** Operations that fall short, as the check names them: part of the contract, method, path. */
  readonly failures: readonly string[]
  readonly passed: number
  /** All output of the check. */
  readonly output: string
}

/**
 * What the service does otherwise than the contract: it takes no key in the address of account and administration routes,
 * since addresses end up in logs, and the check asks for the account so.
 */
const knownDifferences: ReadonlySet<string> = new Set(['gate key in the query'])

/** Runs some parts of the contract's own check against a service; with `at` all of it against its historical host. */
export async function contractCheck(
  service: Service,
  symbol: string,
  at?: string,
  parts = 'exposure'
): Promise<Checked> {
  const part = at === undefined ? ['--only', parts] : ['--only', 'replay', '--replay', service.replay, '--at', at]
  const keys = join(service.data, 'demo-keys.json')
  const flags = ['--base', service.base, '--keys', keys, '--symbol', symbol, ...part]
  const { code, stdout, stderr } = await launch(process.execPath, [script, ...flags]).ended
  const failed = [...stdout.matchAll(/^FAIL +(.+)$/gm)].map(([, name]) => name)
  const failures = failed.filter((name) => !knownDifferences.has(name))
  const isOnlyKnown = failed.length > 0 && failures.length === 0
  const [, passed] = /^(\d+) passed, \d+ failed$/m.exec(stdout) ?? [undefined, '0']
  return {
    code: isOnlyKnown ? 0 : code,
    failures,
    passed: Number(passed) + failed.length - failures.length,
    output: stdout + stderr
  }
}
