import { showNotices } from './notices.ts'
import type { WorkerScope } from './scope.ts'
import { keepShell } from './shell.ts'

const scope = self as unknown as WorkerScope
keepShell(scope)
showNotices(scope)
