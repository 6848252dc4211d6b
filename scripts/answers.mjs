// Records every answer of a checkout over recorded sessions and compares two such recordings byte by byte: what a change
// of structure must not change.
//
//   node scripts/answers.mjs record before --checkout ../before --payloads ../shared/data/cboe
//   node scripts/answers.mjs record after --payloads ../shared/data/cboe
//   node scripts/answers.mjs compare before after
//
// A recording is a folder with a file for each session and host, one line for each request: its path and the answer. The
// requests are made from the service's own OpenAPI document, so a new operation is recorded by itself. The synthetic
// market stands for one more session. `compare` exits with 1 where anything differs.
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const SYMBOLS = ['SPY', 'SPX']
const RECORDED = ['2026-07-22', '2026-07-30', '2026-07-31']
const SYNTHETIC = '2026-07-29T12:00'

/**
 * Fields that may differ between two runs of one program: wall-clock times, the caller's usage, and identifiers of the
 * run.
 */
const VOLATILE =
  /"(as_of|resets_at|updated_at|last_updated|created_at|request_id|duration|usage_today|remaining|user_id|email|id|token|key_hint|age_seconds)":("[^"]*"|[\d.]+|null)/g
const UNSTABLE_PATHS = ['/health', '/livez', '/readyz', '/openapi.json', '/v1/stream/ticket', '/v1/admin']

const SAMPLES = {
  symbols: 'SPY,SPX',
  index: 'SPX',
  spot: '100',
  strike: '105',
  dte: '30',
  sigma: '0.2',
  price: '2',
  type: 'call',
  premium: '2',
  mu: '0.12'
}

const [command, ...rest] = process.argv.slice(2)
if (command === 'record') await record(rest)
else if (command === 'compare') compare(rest)
else fail('usage: answers.mjs record FOLDER [--checkout FOLDER] [--payloads FOLDER] | answers.mjs compare BEFORE AFTER')

async function record(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      checkout: { type: 'string', default: resolve(import.meta.dirname, '..') },
      payloads: { type: 'string', default: '../shared/data/cboe' }
    }
  })
  const [folder] = positionals
  if (folder === undefined) fail('name the folder to record into')
  mkdirSync(folder, { recursive: true })
  for (const name of [...RECORDED, 'synthetic']) {
    const data = mkdtempSync(join(tmpdir(), 'gammawall-answers-'))
    const payloads = join(data, 'payloads')
    const flags =
      name === 'synthetic'
        ? ['--as-of', SYNTHETIC, '--universe', SYMBOLS.join()]
        : ['--source', 'cboe', '--cboe-path', payloads, '--as-of', name]
    try {
      mkdirSync(payloads)
      for (const file of payloadsOf(values.payloads, name)) copyFileSync(file, join(payloads, basename(file)))
      if (name !== 'synthetic') await run(values.checkout, ['import', 'cboe', payloads, '--data', data])
      await recordSession(
        values.checkout,
        [...flags, '--data', data, '--record', 'off', '--enable', 'exposure-history'],
        join(folder, name)
      )
    } finally {
      rmSync(data, { recursive: true, force: true })
    }
  }
}

function payloadsOf(folder, date) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith(`${date}.json.gz`)).map((file) => resolve(folder, file))
}

async function recordSession(checkout, flags, file) {
  const service = await start(checkout, flags)
  try {
    const keys = JSON.parse(readFileSync(join(flags[flags.indexOf('--data') + 1], 'demo-keys.json'), 'utf8'))
    // Nothing of the synthetic session is recorded.
    const hosts = flags.includes(SYNTHETIC) ? ['live'] : ['live', 'replay']
    // Answers made from a tape wait until the tape has been read.
    if (flags.includes(SYNTHETIC)) {
      for (const symbol of SYMBOLS) await ask(service.live, 'GET', `/v1/flow/dealer-risk/${symbol}`, keys.enterprise)
    }
    for (const host of hosts) {
      const base = service[host]
      const lines = []
      for (const { method, path, body } of await requestsOf(base, service.moment, host)) {
        for (const plan of ['alpha', 'free']) {
          if (plan === 'free' && host === 'replay') continue
          if (plan === 'free' && !path.includes('stock/')) continue
          const answer = await ask(base, method, path, plan === 'free' ? undefined : keys.enterprise, body)
          lines.push(JSON.stringify([`${method} ${path} ${plan}`, answer]))
        }
      }
      writeFileSync(`${file}-${host}.jsonl`, `${lines.join('\n')}\n`)
      process.stdout.write(`${file}-${host}: ${lines.length} answers\n`)
    }
  } finally {
    service.child.kill('SIGKILL')
  }
}

/** Every operation for each symbol, with and without an expiration where it takes one. */
async function requestsOf(base, moment, host) {
  const { paths } = await (await fetch(`${base}/openapi.json`)).json()
  const requests = []
  for (const path of Object.keys(paths).sort()) {
    if (UNSTABLE_PATHS.some((unstable) => path.startsWith(unstable))) continue
    for (const [method, { parameters = [], requestBody }] of Object.entries(paths[path])) {
      const body = requestBody?.content['application/json'].example
      const places = /\{\w+\}/.test(path) ? SYMBOLS : ['']
      for (const symbol of places) {
        const named = path.replace(/\{\w+\}/g, symbol)
        const query = queryOf(parameters, host, moment)
        requests.push({ method: method.toUpperCase(), path: `${named}${query([])}`, body })
        for (const name of ['expiration', 'expiry']) {
          if (!parameters.some((parameter) => parameter.name === name)) continue
          const date = moment.slice(0, 10)
          requests.push({ method: method.toUpperCase(), path: `${named}${query([[name, date]])}`, body })
          requests.push({ method: method.toUpperCase(), path: `${named}${query([[name, '2026-08-21']])}`, body })
        }
      }
    }
  }
  return requests
}

function queryOf(parameters, host, moment) {
  return (more) => {
    const needed = parameters.filter(({ in: place, required, name }) => place === 'query' && required && name !== 'at')
    const given = needed.map(({ name }) => [name, SAMPLES[name] ?? '1'])
    if (host === 'replay') given.push(['at', moment.slice(0, 10)])
    const query = new URLSearchParams([...given, ...more]).toString()
    return query === '' ? '' : `?${query}`
  }
}

async function ask(base, method, path, key, body) {
  const headers = {
    ...(key && { 'x-api-key': key }),
    ...(body !== undefined && { 'content-type': 'application/json' })
  }
  for (let tries = 0; ; tries++) {
    const response = await fetch(base + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (/"(loading|upstream_unavailable)"/.test(text) && response.status >= 500 && tries < 600) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      continue
    }
    const shown =
      path.startsWith('/v1/account') ||
      path.startsWith('/v1/alerts') ||
      path.startsWith('/v1/embed') ||
      path.startsWith('/v1/me/') ||
      path.startsWith('/v1/universe') ||
      path.startsWith('/v1/symbols') ||
      path.startsWith('/v1/pricing') ||
      path.startsWith('/v1/structures') ||
      path.startsWith('/v1/tickers') ||
      response.status >= 400
        ? text.replace(VOLATILE, '"$1":"…"')
        : text
    return { status: response.status, source: response.headers.get('x-data-source'), text: shown }
  }
}

function start(checkout, flags) {
  const child = spawn(process.execPath, [join(checkout, 'scripts/gammawall.mjs'), 'serve', '--port', '0', ...flags], {
    cwd: checkout
  })
  return new Promise((resolve, reject) => {
    let out = ''
    child.stdout.on('data', (text) => {
      out += text
      const [, live] = /REST\s+(\S+)/.exec(out) ?? []
      const [, replay] = /replay\s+(\S+)/.exec(out) ?? []
      const [, moment] = /market moment\s+(\S+)/.exec(out) ?? []
      if (live && replay && moment && out.includes('curl')) resolve({ child, live, replay, moment })
    })
    let err = ''
    child.stderr.on('data', (text) => (err += text))
    child.once('exit', (code) => reject(new Error(`the service ended with code ${code}: ${err}`)))
  })
}

function run(checkout, args) {
  const child = spawn(process.execPath, [join(checkout, 'scripts/gammawall.mjs'), ...args], {
    cwd: checkout,
    stdio: ['ignore', 'inherit', 'inherit']
  })
  return new Promise((resolve, reject) =>
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]} ended with code ${code}`))))
  )
}

function compare([before, after]) {
  let differ = 0
  let same = 0
  for (const file of readdirSync(before).sort()) {
    const [old, fresh] = [before, after].map(
      (folder) =>
        new Map(
          readFileSync(join(folder, file), 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        )
    )
    for (const name of new Set([...old.keys(), ...fresh.keys()])) {
      if (JSON.stringify(old.get(name)) === JSON.stringify(fresh.get(name))) {
        same++
        continue
      }
      differ++
      process.stdout.write(`${file}: ${name}: ${difference(old.get(name), fresh.get(name))}\n`)
    }
  }
  process.stdout.write(`${same} answers the same, ${differ} differ\n`)
  if (differ > 0) process.exitCode = 1
}

function difference(old, fresh) {
  if (old === undefined) return 'only in the second'
  if (fresh === undefined) return 'only in the first'
  if (old.status !== fresh.status) return `status ${old.status} and ${fresh.status}`
  let at = 0
  while (at < old.text.length && old.text[at] === fresh.text[at]) at++
  return `…${old.text.slice(Math.max(0, at - 40), at + 40)}… and …${fresh.text.slice(Math.max(0, at - 40), at + 40)}…`
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}
