import { render } from 'preact'
import { App } from './app.tsx'
import { startState } from './state/start.ts'

startState()
render(<App />, document.querySelector('#app')!)
void import('./state/page/worker.ts').then(({ followWorker }) => followWorker())
