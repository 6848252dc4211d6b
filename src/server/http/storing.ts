import { StorageError } from '../../accounts/storage-error.ts'
import { apiError } from '../../api/error.ts'

/**
 * Runs work that stores something. Converts errors of a full disk to an API error that names what was to be written and does
 * not show the path of the data folder.
 */
export async function storing<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw apiError('storage_unavailable', `${what} cannot be written: ${error.reason}; nothing was changed`)
  }
}
