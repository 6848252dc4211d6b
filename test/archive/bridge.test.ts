import { openHistory } from '../../src/archive/open.ts'
import { startBridge } from '../support/engine.ts'
import { storeSuite, suiteVersion } from './store-suite.ts'

storeSuite(async (data) => {
  const bridge = await startBridge(data)
  const { store } = await openHistory({ data, history: bridge.addressOf('kept'), recordVersion: suiteVersion })
  return {
    store: store!,
    async close() {
      await store!.close()
      await bridge.close()
    }
  }
})
