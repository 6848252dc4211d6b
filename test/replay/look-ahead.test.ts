import { provesNoLookAhead } from '../support/look-ahead.ts'
import { memoryStore } from '../support/memory-store.ts'

provesNoLookAhead({ open: async () => memoryStore() })
