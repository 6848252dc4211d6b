import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'
import { projectWithPackage } from '../support/installed-package.ts'
import { launch, projectRoot, type Service, startService, temporaryFolder } from '../support/started-service.ts'

const strict = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'nodenext',
  types: [],
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  outDir: 'out'
}

const program = (take: string) => `${take}
import type { GexStrikeRow } from 'gammawall/client'
declare const process: { readonly argv: readonly string[] }
async function main() {
  const client = createClient({ url: process.argv[2]!, key: process.argv[3] })
  const { strikes, net_gex } = await client.get('/v1/exposure/gex/{symbol}', { symbol: 'SPY' })
  const first: GexStrikeRow = strikes[0]!
  const refused = await client.get('/v1/exposure/gex/{symbol}', { symbol: 'SPY', min_oi: -1 }).catch((error: unknown) => error)
  const isKnown = refused instanceof ApiError && refused.status === 400
  // @ts-expect-error There is no such field.
  const missing: unknown = first.nothing
  console.log(JSON.stringify({ strike: typeof first.strike, total: typeof net_gex, isKnown, missing: missing === undefined }))
}
void main()
`

let folder: string
let service: Service
beforeAll(async () => {
  folder = await projectWithPackage()
  service = await startService(temporaryFolder(), ['--universe', 'SPY', '--workers', '1', '--history', 'off'])
  return () => service.stop()
})

function compiled(project: string, files: Readonly<Record<string, string>>, options: object) {
  const place = join(folder, project)
  mkdirSync(place)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*'] }))
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', place], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return join(place, 'out')
}

const expected = { strike: 'number', total: 'number', isKnown: true, missing: true }

describe('the client in an empty TypeScript project', () => {
  test.each([
    ['as a module', 'esm.mts', "import { ApiError, createClient } from 'gammawall/client'"],
    ['by require', 'cjs.cts', "import client = require('gammawall/client')\nconst { ApiError, createClient } = client"]
  ])('compiles under strict settings and runs %s', async (_, name, take) => {
    const out = compiled(name.split('.')[0], { [name]: program(take) }, strict)
    const file = join(out, name.replace('ts', 'js'))
    const { stdout, stderr, code } = await launch(process.execPath, [file, service.base, service.keys.alpha!]).ended
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test('has types that resolve as those of a bundler', () => {
    const options = { ...strict, module: 'esnext', moduleResolution: 'bundler', noEmit: true }
    const take = "import { ApiError, createClient } from 'gammawall/client'"
    expect(() => compiled('bundler', { 'main.ts': program(take) }, options)).not.toThrow()
  })

  test('goes into a bundle for browsers that needs nothing else', async () => {
    const take = "import { ApiError, createClient } from 'gammawall/client'"
    const out = compiled('browser', { 'main.mts': program(take) }, strict)
    const bundle = await rolldown({ input: join(out, 'main.mjs'), platform: 'browser', logLevel: 'silent' })
    const { output } = await bundle.generate({ format: 'esm' })
    await bundle.close()
    expect(output).toHaveLength(1)
    expect(output[0].imports).toEqual([])
    expect(output[0].code).not.toMatch(/\bfrom ['"]|\brequire\(|node:/)
    expect(output[0].code.length).toBeLessThan(
      readFileSync(join(folder, 'node_modules/gammawall/dist/src/client/client.js')).length + 5000
    )
  })
})
