import { expect, test } from 'vitest'
import { PathText } from '../src/parts/svg-path.ts'

const pathOf = (draw: (path: PathText) => void) => {
  const path = new PathText()
  draw(path)
  return path.text
}

test('the steps of a canvas are those of an SVG path, to hundredths of a pixel', () => {
  expect(
    pathOf((path) => {
      path.lineTo(1.006, 2)
      path.lineTo(3, 4.5)
      path.bezierCurveTo(1, 2, 3, 4, 5, 6)
      path.quadraticCurveTo(1, 2, 3, 4)
      path.closePath()
    })
  ).toBe('M1.01 2L3 4.5C1 2 3 4 5 6Q1 2 3 4Z')
  expect(pathOf((path) => path.rect(1, 2, 10, 20))).toBe('M1 2h10v20h-10Z')
  expect(pathOf((path) => path.closePath())).toBe('')
})

test('a circle is two halves, a part of one an arc with its larger or smaller side', () => {
  expect(pathOf((path) => path.arc(10, 10, 5, 0, 2 * Math.PI))).toBe('M15 10A5 5 0 0 1 5 10A5 5 0 0 1 15 10')
  expect(pathOf((path) => path.arc(0, 0, 1, 0, Math.PI / 2))).toBe('M1 0A1 1 0 0 1 0 1')
  expect(pathOf((path) => path.arc(0, 0, 1, 0, -Math.PI / 2))).toBe('M1 0A1 1 0 1 1 0 -1')
  expect(pathOf((path) => path.arc(0, 0, 1, 0, -Math.PI / 2, true))).toBe('M1 0A1 1 0 0 0 0 -1')
})

test('rounded corners take no more than half of a side', () => {
  expect(pathOf((path) => path.roundRect(0, 0, 10, 4, 8))).toBe(
    'M2 0h6a2 2 0 0 1 2 2v0a2 2 0 0 1 -2 2h-6a2 2 0 0 1 -2 -2v0a2 2 0 0 1 2 -2Z'
  )
})
