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
  return runNpm(args, cwd).status === 0
}

/** Runs npm without trying again. Returns its status and what it wrote. */
export function runNpm(args, cwd) {
  const path = process.env.npm_execpath ?? ''
  const env = { ...process.env, npm_config_fetch_retries: '0' }
  const options = { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 }
  return /^npm-cli\.c?js$/.test(basename(path))
    ? spawnSync(process.execPath, [path, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** Unpacks the tarball of a package into a folder. Returns whether it succeeded. */
export function unpack(tarball, folder) {
  const args = ['-xzf', tarball, '-C', folder, '--strip-components=1', '--no-same-owner']
  return spawnSync('tar', args, { stdio: 'ignore' }).status === 0
}
