import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cboePayload } from './support/cboe-payload.ts'
import { hasEngine } from './support/engine.ts'
import { shortLived } from './support/short-lived.ts'
import {
  type Ended,
  eventually,
  launch,
  program,
  projectRoot,
  type Service,
  startService,
  temporaryFolder
} from './support/started-service.ts'

// Every command that a page shows is run, block by block, each block from a fresh data folder, but blocks that only ask: they
// share a service, as the questions of several pages do at a reader's. What a block is: lines between fences marked `sh`. What cannot be run to its end here is recognised by the rules below, in this order:
//
//   npm start …                     is started on free ports; later lines of the block find it
//   gammawall … watch …, tape …     is run until its first line of figures, then interrupted
//   npm test, npm run, npx          are the checks of the project itself: their scripts, folders and tools must exist
//   docker, systemctl, clickhouse…  need what this machine may not have: the files they name must exist
//   gammawall … import lean         reads minute data that belongs to somebody: it must say what is missing of it
//
// Everything else must end with 0 and print something. `curl` finds the service at the ports of the page, `$KEY` the key
// that a start prints, `3f9a` is the id of the key that the block made, and a backfill of days is cut to one without prints.

interface Block {
  readonly page: string
  readonly line: number
  readonly commands: readonly string[]
}

const pages = [
  ...readdirSync(projectRoot).filter((file) => file.endsWith('.md')),
  ...['docs', 'src', 'deploy', 'trials'].flatMap((folder) =>
    existsSync(join(projectRoot, folder))
      ? readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
      : []
  )
].filter((file) => file.endsWith('.md'))
const read = (page: string) => readFileSync(join(projectRoot, page), 'utf8')

/** The command of a checkout that does what one of the npm package does; test/package installs and starts that itself. */
const asInCheckout = (command: string) =>
  command
    .replace(/^npx gammawall(?= (--(?!help|version)|$)|$)/, 'npm start --')
    .replace(/^npx gammawall /, 'npm run --silent gammawall -- ')

const blocks: readonly Block[] = pages.flatMap((page) =>
  [...read(page).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map((found) => ({
    page,
    line: read(page).slice(0, found.index).split('\n').length,
    commands: found[1]
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/(^|\s+)# .*$/, '').trim())
      .filter((line) => line !== '')
      .map(asInCheckout)
  }))
)

const CLI = 'npm run --silent gammawall --'
const outside = /^(sudo |docker |systemctl |systemd-analyze |clickhouse |cp |chown |useradd )/
const ofTheProject = /^(npm test|npm run(?! --silent gammawall)|npx )/

/** Settings of a start that keep it small. */
const small = ['--universe', 'SPY', '--workers', '1', '--log-level', 'error']

/** Commands that need a service and change nothing in its data folder. */
const isQuestion = (command: string) => /^(curl|\w+=\$\(curl)| watch | tape /.test(command)
const [asking, others] = [true, false].map((asks) =>
  blocks.filter(({ commands }) => commands.every(isQuestion) === asks)
)

/** The service of blocks that only ask, once one of them began. */
let shared: Promise<Service> | undefined

describe('blocks that only ask', () => {
  afterAll(async () => {
    if (shared !== undefined) expect((await (await shared).stop()).code).toBe(0)
  })

  describe.each(asking)('$page, line $line', (block) => testBlock(block, true))
})

describe.each(others)('$page, line $line', (block) => testBlock(block, false))

function testBlock({ page, commands }: Block, onlyAsks: boolean): void {
  const usesHistory = commands.some((command) => /gammawall -- (import|export|backfill|history accuracy)/.test(command))

  test.skipIf(usesHistory && !hasEngine)(
    'runs from a fresh data folder',
    async () => {
      const place = workplace()
      let service: Service | undefined
      let keyId = ''
      if (onlyAsks) service = await (shared ??= startService(place.data, small))
      const needsService = commands.some((command) => /^(curl|DAY=)| watch | tape |\| ?curl/.test(command))
      if (service === undefined && needsService && !commands.some((command) => command.startsWith('npm start'))) {
        service = await startService(place.data, small)
      }
      for (const command of commands) {
        if (command.startsWith('npm start')) {
          service = await startService(place.data, [
            ...small,
            ...command
              .split(' ')
              .slice(2)
              .filter((word) => word !== '' && word !== '--')
              .map(place.pathOf)
          ])
        } else if (ofTheProject.test(command)) {
          expect(faultsOfOwn(command), command).toEqual([])
        } else if (outside.test(command)) {
          expect(missingFiles(command, place.folder), command).toEqual([])
        } else if (command.startsWith(`${CLI} watch `)) {
          expect(await firstLine(command, service!), command).toMatch(/^\d{4}-\d\d-\d\dT\S+Z SPY /)
        } else if (command.startsWith(`${CLI} tape `)) {
          const unfiltered = command.replace(/ --(side|type|min-size|min-premium) \S+/g, '')
          expect(await firstLine(unfiltered, service!), command).toMatch(/SPY/)
        } else {
          place.script.push(command.replace('3f9a', keyId))
          const { code, stdout, stderr } = await place.run(service)
          place.script.splice(0, place.script.length, ...place.script.filter((line) => /^\w+=/.test(line)))
          keyId = /"id": ?"([^"]+)"|\bid +(\S+)/.exec(stdout)?.slice(1).find(Boolean) ?? keyId
          const output = `${command}\n${stdout.slice(0, 2000)}\n${stderr.slice(0, 2000)}`
          if (command.includes(' import lean ')) expect(stderr, output).not.toBe('')
          else expect(code, output).toBe(0)
          if (command.includes('text/csv')) expect(stdout, output).toMatch(/^[\w,]+\n\S/)
          else if (command.startsWith('curl') && !command.includes(' > '))
            expect(JSON.parse(stdout), output).not.toHaveProperty('error')
          else if (!/^\w+=|>/.test(command)) expect(stdout + stderr, output).not.toBe('')
        }
      }
      if (service !== undefined && !onlyAsks) expect((await service.stop()).code, page).toBe(0)
    },
    180_000
  )
}

test('there are commands to run, and none hides in a block without a language', () => {
  expect(blocks.length).toBeGreaterThan(9)
  const hidden = pages.flatMap((page) =>
    [...read(page).matchAll(/^```\n([\s\S]*?)^```/gm)].filter(([, text]) => /^(npm|npx|node|curl|docker) /m.test(text))
  )
  expect(hidden).toEqual([])
})

/** A fresh folder with the files that the pages speak of, and a shell in it whose `npm` runs this checkout. */
function workplace() {
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  const bin = join(folder, 'bin')
  for (const name of ['bin', 'payloads', 'option', 'equity']) mkdirSync(join(folder, name))
  const command = [process.execPath, ...shortLived, program].map((word) => `"${word}"`).join(' ')
  const npm = `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec ${command} "$@"\n`
  writeFileSync(join(bin, 'npm'), npm)
  chmodSync(join(bin, 'npm'), 0o755)
  writeFileSync(join(folder, 'payloads', 'SPY.json'), cboePayload())
  const chain = ['date,symbol,expiration,strike,right,bid,ask,underlying_price']
  for (const right of ['C', 'P']) chain.push(`2024-01-05,SPY,2024-01-19,470,${right},5,5.2,467.92`)
  writeFileSync(join(folder, 'chains.csv'), `${chain.join('\n')}\n`)
  writeFileSync(join(folder, 'SPY.csv'), 'date,open,high,low,close\n2024-01-04,470,471,466,467.28\n')
  writeFileSync(
    join(folder, 'VIX_History.csv'),
    'DATE,OPEN,HIGH,LOW,CLOSE\n01/04/2024,13.97,14.2,13.64,14.13\n01/16/2024,14,14.5,13.7,13.84\n'
  )
  writeFileSync(join(folder, 'dividends.csv'), 'symbol,ex_date,amount,declared\nKO,2026-06-12,0.53,2026-04-23\n')
  writeFileSync(join(folder, 'splits.csv'), 'symbol,date,ratio\nNVDA,2024-06-10,10:1\n')
  const print = '2024-01-05 10:00:00,SPY,SPY240119C00470000,5.2,3,I,5,5.2'
  writeFileSync(join(folder, 'prints.csv'), `time,symbol,occ,price,size,condition,bid,ask\n${print}\n`)
  writeFileSync(join(folder, 'trades.csv'), `at,ticker,contract,px,qty,cond,bid,ask\n${print}\n`)
  writeFileSync(join(folder, 'oidc-secret'), 'a secret that the provider gave\n', { mode: 0o600 })
  /** The path of a word that names a file of the folder. */
  const pathOf = (word: string) => (existsSync(join(folder, word)) ? join(folder, word) : word)
  const script: string[] = []
  const run = (service: Service | undefined): Promise<Ended> => {
    const text = script
      .join('\n')
      .replace(/--days \d+/, '--days 1 --every 1h --symbols SPY --tapes none')
      .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):8080/g, service?.base ?? '')
      .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):8081/g, service?.replay ?? '')
    return launch('sh', ['-c', text], {
      cwd: folder,
      env: { PATH: `${bin}:${process.env['PATH']}`, GAMMAWALL_DATA: data, KEY: service?.keys.alpha ?? '' }
    }).ended
  }
  return { folder, data, script, run, pathOf }
}

/** Runs a watch command and returns its first line. */
async function firstLine(command: string, service: Service): Promise<string> {
  const words = command.slice(CLI.length).trim().split(' ')
  const stream = words[0] === 'watch' ? ['--stream-url', service.stream] : []
  const hosts = ['--url', service.base, ...stream, '--data', service.data]
  const watching = launch(process.execPath, [program, ...words, ...hosts])
  const figure = () =>
    watching
      .stdout()
      .split('\n')
      .find((each) => /\bSPY\b/.test(each))
  const line = await eventually('a figure', figure, 120)
  watching.child.kill('SIGINT')
  expect((await watching.ended).code, command).toBe(0)
  return line
}

/** Scripts, tools and folders that a command of the project names and that are not there. */
function faultsOfOwn(command: string): readonly string[] {
  const words = command.split(' ').filter((word) => !word.startsWith('-') && !word.startsWith('<'))
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
  if (words[0] === 'npx') {
    const tool = join('node_modules/.bin', words[1])
    const paths = words.slice(2).filter((word) => word.includes('/'))
    return [tool, ...paths].filter((path) => !existsSync(join(projectRoot, path)))
  }
  const name = words[1] === 'run' ? words[2] : words[1]
  return Object.hasOwn(scripts, name) ? [] : [`npm has no script ${name}`]
}

/** Files of the project, or made by the block, that a command names and that are not there. */
function missingFiles(command: string, folder: string): readonly string[] {
  const named = command
    .split(/[\s=]+/)
    .filter((word) => /^(deploy\/|docs\/|[\w-]+\.(sql|yaml|service|json)$)/.test(word))
  return named.filter((file) => ![projectRoot, folder].some((place) => existsSync(join(place, file))))
}
