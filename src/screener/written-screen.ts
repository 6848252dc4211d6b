import { parseConditions } from './condition-text.ts'
import { mustBe } from './problem.ts'
import { readScreen, type ScreenRequest } from './request.ts'

/**
 * Reads the JSON of a screen as `readScreen` does; its conditions may also be text, under `where`. Throws a
 * `ScreenProblem` with the place, of a text with the position as well.
 */
export function readWrittenScreen(json: unknown): ScreenRequest {
  if (typeof json !== 'object' || json === null || !('where' in json)) return readScreen(json)
  const { where, ...body } = json as { readonly where: unknown; readonly filters?: unknown }
  if (where === null) return readScreen(body)
  if (typeof where !== 'string') throw mustBe('where', 'conditions as text')
  if (body.filters !== undefined && body.filters !== null) throw mustBe('where', 'absent where filters are given')
  return readScreen({ ...body, filters: parseConditions(where) })
}
