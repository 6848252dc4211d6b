import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlive, newToken, readServiceFile, writeServiceFile } from '../../src/jobs/service-file.ts'
import { folderWith } from '../imports/take.ts'

const service = { pid: process.pid, address: 'http://127.0.0.1:8083', token: 'secret' }

test('a service is found by its file, which only its owner may read, until it stops', () => {
  const data = join(folderWith({}), 'data')
  const remove = writeServiceFile(data, service)
  expect(readServiceFile(data)).toEqual(service)
  expect(statSync(join(data, 'service.json')).mode & 0o777).toBe(0o600)
  remove()
  expect(existsSync(join(data, 'service.json'))).toBe(false)
  expect(readServiceFile(data)).toBeUndefined()
})

test('a service that stops leaves the file of its successor alone', () => {
  const data = folderWith({})
  const remove = writeServiceFile(data, service)
  writeServiceFile(data, { ...service, token: 'newer' })
  remove()
  expect(readServiceFile(data)?.token).toBe('newer')
})

test('anything else in its place counts as no service', () => {
  for (const text of ['', '{}', '{"pid":1,"address":"ftp://x","token":"t"}', '[1]']) {
    const data = folderWith({ 'service.json': text })
    expect(readServiceFile(data)).toBeUndefined()
  }
})

test('a file of before is replaced, rights and all', () => {
  const data = folderWith({})
  writeFileSync(join(data, 'service.json'), '{}', { mode: 0o644 })
  writeServiceFile(data, service)
  expect(statSync(join(data, 'service.json')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(data, 'service.json'), 'utf8')).toContain('secret')
})

test('a process that has gone is not alive', () => {
  expect(isAlive(service)).toBe(true)
  expect(isAlive({ ...service, pid: 2 ** 22 + 1 })).toBe(false)
})

test('tokens are long and never the same', () => {
  expect(newToken()).toMatch(/^[\w-]{43}$/)
  expect(newToken()).not.toBe(newToken())
})
