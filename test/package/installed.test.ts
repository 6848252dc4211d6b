import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { calledFrom } from '../../src/config/package.ts'
import { hasEngine } from '../support/engine.ts'
import { projectWithPackage } from '../support/installed-package.ts'
import { ask, greeted, launch, projectRoot, temporaryFolder } from '../support/started-service.ts'

let project: string
beforeAll(async () => {
  project = await projectWithPackage()
})

const command = () => join(project, 'node_modules/.bin/gammawall')
const small = ['--port', '0', '--drain', '0', '--universe', 'SPY', '--workers', '1', '--log-level', 'error']

/** Nobody's folder for fetched files, and a registry that does not answer. */
const apart = () => ({ XDG_CACHE_HOME: temporaryFolder(), npm_config_registry: 'http://127.0.0.1:9' })

describe('npx gammawall in an empty folder', () => {
  test('serves without the name of a command, with its data beside it and pages for browsers', async () => {
    const cwd = temporaryFolder()
    const started = launch(process.execPath, [command(), ...small, '--history', 'off'], { cwd, env: apart() })
    const service = await greeted(started, join(cwd, 'gammawall-data'))
    onTestFinished(async () => void (await service.stop()))
    expect(readdirSync(cwd)).toEqual(['gammawall-data'])
    const { status, json } = await service.ask('/v1/exposure/levels/SPY', service.keys.alpha)
    expect([status, json?.['symbol']]).toEqual([200, 'SPY'])
    const page = await ask(`${service.base}/`, undefined, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toContain('text/html')
    expect((await service.stop()).code).toBe(0)
  })

  test('says in one sentence that the engine of the history cannot be fetched, and starts without it', async () => {
    const cwd = temporaryFolder()
    const service = await greeted(launch(process.execPath, [command(), ...small], { cwd, env: apart() }), cwd)
    onTestFinished(async () => void (await service.stop()))
    const engine: { isEngineMadeForHere(): boolean } = await import(
      pathToFileURL(join(projectRoot, 'scripts/engine.mjs')).href
    )
    const sentence = 'gammawall: the engine that keeps history cannot be fetched now'
    expect(
      service
        .stderr()
        .split('\n')
        .filter((line) => line.startsWith(sentence))
    ).toHaveLength(engine.isEngineMadeForHere() ? 1 : 0)
  })

  test.skipIf(!hasEngine)('keeps history with the engine of the cache folder', async () => {
    const { engineVersion }: { engineVersion(): string } = await import(
      pathToFileURL(join(projectRoot, 'scripts/engine.mjs')).href
    )
    const env = apart()
    const place = join(env.XDG_CACHE_HOME, 'gammawall', `engine-${engineVersion()}`)
    mkdirSync(place, { recursive: true })
    symlinkSync(join(projectRoot, '.engine'), join(place, '.engine'))
    const cwd = temporaryFolder()
    const service = await greeted(launch(process.execPath, [command(), 'serve', ...small], { cwd, env }), cwd)
    onTestFinished(async () => void (await service.stop()))
    expect(service.stderr()).not.toContain('engine')
    expect(existsSync(join(cwd, 'gammawall-data/history'))).toBe(true)
  })

  test.each([['--version'], ['--help'], ['keys', '--help']])('%s %s asks for no service', async (...args) => {
    const { code, stdout } = await launch(process.execPath, [command(), ...args], { cwd: project, env: apart() }).ended
    expect(code).toBe(0)
    expect(stdout).not.toContain('try:')
  })

  test('names its own commands and folder in help', async () => {
    const { stdout } = await launch(process.execPath, [command(), 'serve', '--help'], { env: apart() }).ended
    expect(stdout).toContain('./gammawall-data')
  })
})

test('a checkout in a folder of any name is called by its scripts', () => {
  expect(calledFrom('/home/me/gammawall')).toMatchObject({ start: 'npm start --', dataFolder: './data' })
  expect(calledFrom('/home/me/node_modules/gammawall')).toMatchObject({ start: 'npx gammawall' })
})
