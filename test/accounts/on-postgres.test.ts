import { describeOnServer } from './describe-on-server.ts'

/** Files of this folder whose tests hold for accounts on a server as for those of a folder. */
const files = [
  'accounts',
  'browser-sessions',
  'bundles',
  'database',
  'documents',
  'identities',
  'issued-keys',
  'quota',
  'usage'
]

// By this name each is another module than the file's own.
describeOnServer(files, (file) => import(`./${file}.test.ts?on-postgres`))
