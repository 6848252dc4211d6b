import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readPageFiles } from '../../../src/server/dashboard/dashboard-files.ts'
import { mountDocs } from '../../../src/server/dashboard/docs-routes.ts'
import { type Service, service } from '../../support/service.ts'

let folder: string
let running: Service
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gammawall-docs-'))
  mkdirSync(join(folder, 'methods'))
  for (const name of ['index', 'streaming', 'methods', 'methods/skew']) {
    writeFileSync(join(folder, `${name}.html`), `<!doctype html><h1>${name}</h1>${'<p>text</p>'.repeat(200)}`)
    writeFileSync(join(folder, `${name}.md`), `# ${name}\n`)
  }
  writeFileSync(join(folder, 'docs.css'), 'p{}')
  running = service()
})
afterEach(async () => {
  await running.close()
  rmSync(folder, { recursive: true })
})
const get = (url: string, headers: Record<string, string> = {}) => running.ask(url, undefined, { headers })

describe('the documentation', () => {
  beforeEach(() => mountDocs(running.app, readPageFiles(folder)))

  test.each([
    ['/docs', 'index'],
    ['/docs/', 'index'],
    ['/docs/streaming', 'streaming'],
    ['/docs/methods', 'methods'],
    ['/docs/methods/', 'methods'],
    ['/docs/methods/skew', 'methods/skew']
  ])('has at %s the page %s, for anyone and without a script', async (url, name) => {
    const answer = await get(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain(`<h1>${name}</h1>`)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self'; /)
  })

  test.each(['streaming', 'methods', 'methods/skew', 'index'])('has %s.md as Markdown', async (name) => {
    const answer = await get(`/docs/${name}.md`)
    expect([answer.statusCode, answer.body]).toEqual([200, `# ${name}\n`])
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8')
    const again = await get(`/docs/${name}.md`, { 'if-none-match': String(answer.headers['etag']) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('is sent in fewer bytes where its reader takes that', async () => {
    const answer = await get('/docs/streaming', { 'accept-encoding': 'gzip' })
    expect(answer.headers['content-encoding']).toBe('gzip')
  })

  test.each([
    '/docs/none',
    '/docs/none.md',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/methods%2f..%2f..%2fx'
  ])('has nothing at %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })
})

test('without its files there is none, and robots are told where to look all the same', async () => {
  mountDocs(running.app, undefined)
  expect((await get('/docs/')).statusCode).toBe(404)
  const robots = await get('/robots.txt')
  expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(robots.body).toMatch(/^User-agent: \*\n/)
  expect(robots.body).toContain('Allow: /docs/\n')
})
