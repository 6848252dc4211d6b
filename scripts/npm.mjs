import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'

/** How long the registry may take to say that it has a package, milliseconds: without a network nobody waits long. */
const PROBE_TIMEOUT = 10_000

/** Whether the registry answers now and has a package in a version. */
export function canFetch(packageAndVersion, cwd) {
  return npm(['view', packageAndVersion, 'version', `--fetch-timeout=${PROBE_TIMEOUT}`], cwd)
}

/** Runs npm without a word and without trying again. Returns whether it succeeded. */
export function npm(args, cwd) {
  const path = process.env.npm_execpath ?? ''
  const options = { cwd, stdio: ['ignore', 'ignore', 'ignore'], env: { ...process.env, npm_config_fetch_retries: '0' } }
  const { status } = /^npm-cli\.c?js$/.test(basename(path))
    ? spawnSync(process.execPath, [path, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  return status === 0
}
