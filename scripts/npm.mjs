import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'

/** Runs npm without a word and without trying again. Returns whether it succeeded. */
export function npm(args, cwd) {
  const path = process.env.npm_execpath ?? ''
  const options = { cwd, stdio: ['ignore', 'ignore', 'ignore'], env: { ...process.env, npm_config_fetch_retries: '0' } }
  const { status } = /^npm-cli\.c?js$/.test(basename(path))
    ? spawnSync(process.execPath, [path, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  return status === 0
}
