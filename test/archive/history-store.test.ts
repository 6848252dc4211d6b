import { openHistory } from '../../src/archive/open.ts'
import { storeSuite, suiteVersion } from './store-suite.ts'

storeSuite(async (data) => {
  const { store } = await openHistory({ data, history: 'embedded', recordVersion: suiteVersion })
  return { store: store!, close: () => store!.close() }
})
