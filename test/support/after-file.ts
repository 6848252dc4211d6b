import { afterAll } from 'vitest'
import { endPrograms } from './started-service.ts'
import { removeTemporaryFolders } from './temporary-folder.ts'

// Runs with every test file: files share a process, so each cleans up behind itself.
afterAll(() => {
  endPrograms()
  removeTemporaryFolders()
})
