// Loaded into every thread of a fuzzed service: on SIGUSR2 each collects its garbage, so that what is left is what is held.
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const { isMainThread } = require('node:worker_threads')

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
const threads = new BroadcastChannel('collect garbage')
threads.onmessage = () => collect({ type: 'major', flavor: 'last-resort' })
threads.unref()
if (isMainThread) {
  process.on('SIGUSR2', () => {
    threads.postMessage('')
    threads.onmessage()
  })
}
