import { type PageFiles, pageFile } from './dashboard-files.ts'

/** A worker that removes itself and what the one before it kept. Browsers ask for its file at each load of the page. */
const leaving = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('shell-')) await caches.delete(name)
  await registration.unregister()
})()))
`

/** Pages that keep nothing in browsers: they register no worker, and one that browsers have goes. */
export function withoutWorker(files: PageFiles): PageFiles {
  const page = files.get('index.html')
  if (page === undefined) return files
  const marked = page.body.toString().replace('<body', '<body data-worker="off"')
  return new Map([
    ...files,
    ['index.html', pageFile('.html', Buffer.from(marked))],
    ['worker.js', pageFile('.js', Buffer.from(leaving))]
  ])
}
