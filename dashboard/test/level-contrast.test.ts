import { expect, test } from 'vitest'
import { levelContrasts, strongest } from './level-contrast.ts'

test.each(levelContrasts())('$tone on the strongest $tint tint, $theme, has a contrast of 3 : 1', ({ contrast }) => {
  expect(strongest).toBeLessThanOrEqual(175 / 255)
  expect(contrast).toBeGreaterThanOrEqual(3)
})
