import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gammawall, projectRoot, temporaryFolder } from './started-service.ts'

export interface PackedFile {
  readonly path: string
  readonly size: number
}

/** What `npm pack` makes of the project: its files, and the tarball with its size in bytes unless it is only listed. */
export interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly PackedFile[]
}

/** Packs the built project into a folder, or only lists what would go out. */
export async function packed(folder: string | undefined): Promise<Packed> {
  await gammawall('--version') // builds what is stale
  const where = folder === undefined ? '--dry-run' : `--pack-destination=${folder}`
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', where]
  const found = JSON.parse(execFileSync('npm', args, { cwd: projectRoot, encoding: 'utf8' }))
  return (Array.isArray(found) ? found : Object.values(found))[0]
}

/**
 * An empty project into which the packed file is installed, without a network: what it depends on is linked from the packages of
 * the checkout, as is the compiler. Returns its folder.
 */
export async function projectWithPackage(): Promise<string> {
  const folder = temporaryFolder()
  const { filename } = await packed(folder)
  const modules = join(folder, 'node_modules')
  const installed = join(modules, 'gammawall')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name))
  }
  mkdirSync(join(modules, '.bin'))
  symlinkSync(join('..', 'gammawall', manifest.bin.gammawall), join(modules, '.bin/gammawall'))
  writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true}')
  return folder
}
