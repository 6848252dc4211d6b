// Asks the registry for published weaknesses of the packages that the service runs, those of the pinned engine among
// them. Without a network, or of a registry that does not answer such questions, nothing is known: that is said and is no
// failure. A weakness of level high or critical is one.
//
//   npm run audit
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNpm } from './npm.mjs'
import { pinnedFolder } from './pinned.mjs'

const LEVEL = 'high'
const root = fileURLToPath(new URL('../', import.meta.url))
const audited = [
  ['the packages of the service', root, ['--omit=dev']],
  ['the engine', join(pinnedFolder, 'engine'), ['--legacy-peer-deps']]
]

for (const [name, folder, flags] of audited) {
  const { stdout, stderr } = runNpm(
    ['audit', '--json', '--package-lock-only', '--fetch-timeout=20000', ...flags],
    folder
  )
  const report = reportOf(stdout)
  if (report?.metadata === undefined) {
    console.log(`audit of ${name}: skipped, ${reasonOf(report, stderr)}`)
    continue
  }
  const { high, critical, total } = report.metadata.vulnerabilities
  console.log(`audit of ${name}: ${total} known weaknesses, ${high + critical} of level ${LEVEL} or above`)
  for (const { name, severity, range } of Object.values(report.vulnerabilities))
    console.log(`  ${name} ${range}: ${severity}`)
  if (high + critical > 0) process.exitCode = 1
}

function reportOf(stdout) {
  try {
    return JSON.parse(stdout)
  } catch {
    return undefined
  }
}

function reasonOf(report, stderr) {
  const said = report?.message ?? report?.error?.summary ?? stderr.trim().split('\n')[0]
  return `the registry gave no answer${said ? `: ${said}` : ''}`
}
