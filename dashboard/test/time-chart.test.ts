import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GROUP, lastUpTo, levelFor, pyramidOf, refreshEnd, thinned } from '../src/charts/time/bars.ts'
import type { ChartData } from '../src/charts/time/data.ts'
import { candles } from '../src/charts/time/layers/candles.ts'
import { cone } from '../src/charts/time/layers/cone.ts'
import { spread } from '../src/charts/time/layers/labels.ts'
import { levels } from '../src/charts/time/layers/levels.ts'
import { placesOf, stretchesOf } from '../src/charts/time/layers/map.ts'
import { panes } from '../src/charts/time/layers/panes.ts'
import { profile } from '../src/charts/time/layers/profile.ts'
import { volume } from '../src/charts/time/layers/volume.ts'
import { type Layer, priceAt, type Scene, sceneOf } from '../src/charts/time/scene.ts'
import { LABEL } from '../src/charts/time/strokes.ts'
import { roundValues, timeTicks } from '../src/charts/time/ticks.ts'
import { bounded, panned, positionOf, priceRange, timeAt, zoomed } from '../src/charts/time/view.ts'
import { type Bars, historyOf, newestSessions } from '../src/state/chart/history.ts'
import { hiddenGroups, withGroup } from '../src/state/chart/level-lines.ts'
import { fits, sessionsOfPeriod, startOf, stepOf } from '../src/state/chart/period.ts'
import { sessionsOf } from '../src/state/chart/sessions.ts'
import { PERIODS, STEPS } from '../src/state/page/place.ts'
import { recorded } from './pages/service.ts'

/** Bars of a walk that a seed decides, 26 a session as of 15 minutes, weekdays from 2 November 2026. */
function walk(count: number, seed = 1): Bars {
  let state = seed
  const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
  const bars = { t: [], o: [], h: [], l: [], c: [], v: [] } as Record<keyof Bars, number[]>
  let price = 600
  for (let i = 0; i < count; i++) {
    const day = Math.floor(i / 26)
    const close = price + 4 * (random() - 0.5)
    bars.t.push(Date.parse('2026-11-02T14:30Z') + (day + 2 * Math.floor(day / 5)) * 86_400_000 + (i % 26) * 900_000)
    bars.o.push(price)
    bars.h.push(Math.max(price, close) + random())
    bars.l.push(Math.min(price, close) - random())
    bars.c.push(close)
    bars.v.push(Math.floor(1000 * random()))
    price = close
  }
  return Object.fromEntries(
    Object.entries(bars).map(([name, all]) => [name, Float64Array.from(all)])
  ) as unknown as Bars
}

const slice = (values: Float64Array, from: number, to: number) => Array.from(values.slice(from, to))

describe('the pyramid', () => {
  test('of every level each group holds what its bars hold', () => {
    const bars = walk(7360)
    const levelsOfBars = pyramidOf(bars)
    expect(levelsOfBars.map(({ t }) => t.length)).toEqual([7360, 1840, 460, 115])
    levelsOfBars.forEach((level, k) => {
      const size = GROUP ** k
      for (let at = 0; at < level.t.length; at += 7) {
        const [from, to] = [at * size, Math.min(bars.t.length, (at + 1) * size)]
        expect(level.t[at]).toBe(bars.t[from])
        expect(level.o[at]).toBe(bars.o[from])
        expect(level.c[at]).toBe(bars.c[to - 1])
        expect(level.h[at]).toBe(Math.max(...slice(bars.h, from, to)))
        expect(level.l[at]).toBe(Math.min(...slice(bars.l, from, to)))
        expect(level.v[at]).toBe(slice(bars.v, from, to).reduce((sum, each) => sum + each, 0))
      }
    })
  })

  test('is the same whether the last bar changed before or after it was made', () => {
    const [before, after] = [walk(2001), walk(2001)]
    const made = pyramidOf(after)
    for (const bars of [before, after]) {
      bars.h[2000] = 700
      bars.l[2000] = 500
      bars.c[2000] = 612
      bars.v[2000] = 5
    }
    refreshEnd(made)
    expect(made).toEqual(pyramidOf(before))
  })

  test('an unknown volume is not zero', () => {
    const bars = walk(1000)
    bars.v.fill(Number.NaN)
    bars.v[5] = 3
    const [, level] = pyramidOf(bars)
    expect(level!.v[0]).toBeNaN()
    expect(level!.v[1]).toBe(3)
  })

  test('a frame reads the finest level whose bars can be seen', () => {
    expect([10, 1.4, 1.3, 0.36, 0.1, 0.001].map((pixels) => levelFor(4, pixels))).toEqual([0, 0, 1, 1, 2, 3])
  })

  test('values are thinned to the last of each group', () => {
    const values = Float64Array.from({ length: 1601 }, (_, i) => i)
    const [, first, second] = thinned(values)
    expect(slice(first!, 0, 3)).toEqual([3, 7, 11])
    expect(first!.at(-1)).toBe(1600)
    expect(slice(second!, 0, 2)).toEqual([15, 31])
  })

  test('the last value up to a bound is found', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 99 })), fc.integer({ min: -1, max: 100 }), (all, wanted) => {
        const sorted = [...all].sort((a, b) => a - b)
        expect(lastUpTo(sorted, wanted)).toBe(sorted.findLastIndex((each) => each <= wanted))
      })
    )
  })
})

describe('the view', () => {
  const span = fc
    .tuple(fc.double({ min: -50, max: 400, noNaN: true }), fc.double({ min: 9, max: 400, noNaN: true }))
    .map(([from, length]) => ({ from, to: from + length }))

  test('zooming keeps the bar under the pointer where it is', () => {
    fc.assert(
      fc.property(
        span,
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (at, by, share) => {
          const around = at.from + share * (at.to - at.from)
          const next = zoomed(at, by, around, 400)
          expect((around - next.from) / (next.to - next.from)).toBeCloseTo(share, 9)
        }
      )
    )
  })

  test('bars stay in sight however far one pans, and the length stays', () => {
    fc.assert(
      fc.property(span, fc.double({ min: -5000, max: 5000, noNaN: true }), (at, by) => {
        const next = bounded(panned(at, by), 400)
        expect(next.to - next.from).toBeCloseTo(at.to - at.from, 6)
        expect(next.from).toBeLessThan(400)
        expect(next.to).toBeGreaterThan(0)
      })
    )
  })

  test('a position and its time lead to one another, over nights and beyond the ends', () => {
    const bars = walk(260)
    for (const position of [-40, -0.5, 0, 13.25, 25.9, 26, 259, 290.5])
      expect(positionOf(bars, timeAt(bars, position))).toBeCloseTo(position, 6)
  })

  test('the price window holds what is seen and near levels, and a wanted range exactly', () => {
    const bars = walk(260)
    const seen = [100, 180] as const
    const [low, high] = [Math.min(...slice(bars.l, 100, 181)), Math.max(...slice(bars.h, 100, 181))]
    const near = high + (high - low) * 0.5
    const found = priceRange({ bars, seen, levels: [near, high * 2], held: [low - 30], range: undefined })
    expect(found[0]).toBeLessThan(low - 30)
    expect(found[1]).toBeGreaterThan(near)
    expect(found[1]).toBeLessThan(high * 2)
    const middle = (low + high) / 2
    expect(priceRange({ bars, seen, levels: [], held: [], range: 2 })).toEqual([middle * 0.98, middle * 1.02])
  })
})

const INK = new Proxy({}, { get: (_, name) => `ink-${String(name)}` }) as Scene['ink']

/** A pen that notes the calls that draw. */
function recordingPen() {
  const calls: { readonly name: string; readonly given: readonly number[]; readonly fill: string }[] = []
  const pen = new Proxy({} as Record<string, unknown>, {
    get: (held, name: string) =>
      held[name] ??
      (name === 'measureText'
        ? () => ({ width: 40 })
        : (...given: number[]) => calls.push({ name, given, fill: String(held['fillStyle']) }))
  })
  return { pen: pen as unknown as CanvasRenderingContext2D, calls }
}

function sceneOfBars(change: Partial<ChartData> = {}, span = { from: 0, to: 300 }): Scene {
  const bars = change.bars ?? walk(260)
  const data: ChartData = {
    stamp: { symbol: 'SPY', at: 'live' },
    every: '15m',
    step: 900_000,
    bars,
    candles: 'quiet',
    lines: [],
    marks: [],
    spot: undefined,
    panes: [],
    compared: [],
    map: undefined,
    strikes: undefined,
    isRootScale: true,
    cone: undefined,
    range: undefined,
    ...change
  }
  return sceneOf({
    data,
    pyramid: pyramidOf(bars),
    span,
    ink: INK,
    font: (size) => `${size}px sans-serif`,
    legendHeight: 0,
    width: 1100,
    height: 600
  })
}

describe('the layers', () => {
  const drawn = (layer: Layer, scene: Scene) => {
    const { pen, calls } = recordingPen()
    return { said: layer(pen, scene), calls }
  }

  test('candles tell rising from falling as the reader wants: by shade, by shape, by colour, or are a line', () => {
    const of = (kind: ChartData['candles']) =>
      drawn(candles, sceneOfBars({ candles: kind }, { from: 10, to: 20 })).calls
    const inks = (kind: ChartData['candles']) =>
      new Set(of(kind).flatMap(({ name, fill }) => (name === 'fillRect' ? [fill] : [])))
    const { o, c } = walk(260)
    const rising = Array.from({ length: 10 }, (_, i) => c[i + 10]! >= o[i + 10]!).filter(Boolean).length
    expect(inks('quiet')).toEqual(new Set(['ink-price', 'ink-ink-3']))
    expect(inks('colour')).toEqual(new Set(['ink-good', 'ink-bad']))
    expect(inks('hollow')).toEqual(new Set(['ink-price']))
    const bodies = of('hollow').filter(({ name }) => name === 'strokeRect')
    expect(bodies).toHaveLength(rising)
    expect(of('quiet').some(({ name }) => name === 'strokeRect')).toBe(false)
    // A line has one step for each bar, and a hollow body that has no room is told by its shade.
    expect(of('line').filter(({ name }) => name === 'lineTo' || name === 'moveTo')).toHaveLength(10)
    expect(of('line').some(({ name }) => name === 'fillRect')).toBe(false)
    const small = drawn(candles, sceneOfBars({ candles: 'hollow' }, { from: 0, to: 260 })).calls
    expect(new Set(small.flatMap(({ name, fill }) => (name === 'fillRect' ? [fill] : [])))).toEqual(inks('quiet'))
  })

  test('a candle spans its open and close in height, its wick low and high', () => {
    const scene = sceneOfBars({}, { from: 10, to: 20 })
    const { said, calls } = drawn(candles, scene)
    expect(said).toMatchObject({ bars: [10, 19] })
    const boxes = calls.filter(({ name }) => name === 'fillRect')
    expect(boxes).toHaveLength(20)
    const { bars } = scene.data
    for (let i = 10; i < 20; i++) {
      const wick = boxes.find(({ given }) => Math.abs(given[1]! - scene.y(bars.h[i]!)) < 1e-9)!
      expect(wick.given[3]).toBeCloseTo(scene.y(bars.l[i]!) - scene.y(bars.h[i]!), 6)
      expect(wick.fill).toBe(bars.c[i]! >= bars.o[i]! ? 'ink-price' : 'ink-ink-3')
      expect(boxes.some(({ given }) => given[1] === Math.min(scene.y(bars.o[i]!), scene.y(bars.c[i]!)))).toBe(true)
    }
    expect(priceAt(scene, scene.y(612.34))).toBeCloseTo(612.34, 9)
  })

  test('bars of one price each are a line through the closes, and not dashes', () => {
    const bars = walk(60)
    for (const name of ['o', 'h', 'l'] as const) bars[name].set(bars.c)
    const { calls } = drawn(candles, sceneOfBars({ bars }, { from: 0, to: 60 }))
    expect(calls.some(({ name }) => name === 'fillRect')).toBe(false)
    expect(calls.filter(({ name }) => name === 'moveTo')).toHaveLength(3) // three sessions, not joined over night
    expect(calls.filter(({ name }) => name === 'lineTo')).toHaveLength(57)
  })

  test('a level is drawn where it was known, and a far jump is not joined', () => {
    const values = new Float64Array(260).fill(Number.NaN)
    values.fill(600, 100, 150)
    values.fill(640, 150, 200)
    const line = { name: 'Call wall', tone: 'call', dash: [], isStep: true, values } as const
    const scene = sceneOfBars({ lines: [line], range: 10 })
    const { calls } = drawn(levels, scene)
    const points = calls.filter(({ name }) => name === 'moveTo' || name === 'lineTo').map(({ given }) => given)
    expect(Math.min(...points.map(([x]) => x!))).toBeCloseTo(scene.x(100), 6)
    expect(Math.max(...points.map(([x]) => x!))).toBeCloseTo(scene.x(200), 6)
    expect(new Set(points.map(([, y]) => y))).toEqual(new Set([scene.y(600), scene.y(640)]))
    expect(calls.filter(({ name }) => name === 'moveTo')).toHaveLength(2)
    expect(
      drawn(levels, sceneOfBars({ lines: [{ ...line, values: new Float64Array(260).fill(Number.NaN) }] })).said
    ).toBe(undefined)
  })

  test('a level stands until the next one of half an hour later, but not over night or a longer pause', () => {
    const values = Float64Array.from({ length: 260 }, (_, i) => (i % 26 === 24 || i % 2 === 1 ? Number.NaN : 600))
    values.fill(Number.NaN, 30, 40)
    const line = { name: 'Call wall', tone: 'call', dash: [], isStep: true, values } as const
    const scene = sceneOfBars({ lines: [line], range: 10 }, { from: 0, to: 52 })
    const position = (x: number) => Math.round((x - scene.x(0)) / (scene.x(1) - scene.x(0)))
    const { calls } = drawn(levels, scene)
    const begins = calls.filter(({ name }) => name === 'moveTo').map(({ given }) => position(given[0]!))
    expect(begins).toEqual([0, 26, 40])
    const ends = calls.flatMap(({ name }, i) => (name !== 'lineTo' || calls[i + 1]?.name === 'lineTo' ? [] : [i]))
    expect(ends.map((i) => position(calls[i]!.given[0]!))).toEqual([23, 29, 49])
  })

  test('columns of the map last to the next one, and none stands over a night or a pause', () => {
    const at = (minutes: number) => Date.parse('2026-11-25T14:30Z') + 60_000 * minutes
    expect(stretchesOf([])).toEqual([])
    expect(stretchesOf([at(0)])).toEqual([{ start: 0, count: 1, step: 900_000 }])
    const quarters = [0, 15, 30, 45].map(at)
    const halves = [1440, 1470, 1500].map(at)
    expect(stretchesOf([...quarters, ...halves])).toEqual([
      { start: 0, count: 4, step: 900_000 },
      { start: 4, count: 3, step: 1_800_000 }
    ])
    const paused = [0, 1, 2, 3, 4, 64, 65].map(at)
    expect(stretchesOf(paused)).toEqual([
      { start: 0, count: 5, step: 60_000 },
      { start: 5, count: 2, step: 60_000 }
    ])
  })

  test('a column of the close is not drawn over the next open', () => {
    const bars = walk(52)
    const step = 900_000
    const close = bars.t[25]! + step
    expect(placesOf({ first: bars.t[20]!, step, columns: 3 }, bars, step)).toEqual([20, 23])
    expect(placesOf({ first: bars.t[20]!, step, columns: 7 }, bars, step)).toEqual([20, 26])
    expect(placesOf({ first: close, step, columns: 1 }, bars, step)).toEqual([26, 26])
    expect(placesOf({ first: bars.t[51]!, step, columns: 2 }, bars, step)).toEqual([51, 52])
  })

  test('unknown volumes and figures draw nothing', () => {
    const bars = walk(260)
    bars.v.fill(Number.NaN)
    expect(drawn(volume, sceneOfBars({ bars })).said).toBe(undefined)
    const values = new Float64Array(260).fill(Number.NaN)
    const pane = { id: 'net_gex', title: 'Net GEX', shape: 'bars', values, write: String } as const
    expect(drawn(panes, sceneOfBars({ panes: [pane] })).calls.some(({ name }) => name === 'fillRect')).toBe(false)
  })

  test('figures with a sign are bars from zero, the positive ones of calls', () => {
    const values = Float64Array.from({ length: 260 }, (_, i) => (i % 2 === 0 ? 5 : -3))
    const pane = { id: 'net_gex', title: 'Net GEX', shape: 'bars', values, write: String } as const
    const { calls } = drawn(panes, sceneOfBars({ panes: [pane] }, { from: 0, to: 10 }))
    const boxes = calls.filter(({ name }) => name === 'fillRect')
    expect(boxes.filter(({ fill }) => fill === 'ink-call')).toHaveLength(5)
    expect(boxes.filter(({ fill }) => fill === 'ink-put')).toHaveLength(5)
    const tallest = (fill: string) => boxes.find((each) => each.fill === fill)!.given[3]!
    expect(tallest('ink-call') / tallest('ink-put')).toBeCloseTo(5 / 3, 6)
  })

  test('the cone opens with the square root of time from the last bar on', () => {
    const scene = sceneOfBars({ cone: { move: 6, bars: 25 }, spot: 600 })
    const { said, calls } = drawn(cone, scene)
    expect(said).toEqual({ bars: [260, 285], prices: [594, 606] })
    const points = calls.filter(({ name }) => name === 'lineTo').map(({ given }) => given)
    const quarter = points.find(([x, y]) => Math.abs(x! - scene.x(260 + 25 / 4)) < 1e-6 && y! < scene.y(600))!
    expect(quarter[1]).toBeCloseTo(scene.y(603), 6)
    expect(drawn(cone, sceneOfBars({ cone: { move: 6, bars: 25 } }, { from: 0, to: 200 })).said).toBe(undefined)
  })

  test('strikes out of sight are left out of the profile', () => {
    const row = (strike: number) => ({ strike, call: 4, put: -1, callToday: null, putToday: null })
    const scene = sceneOfBars({ strikes: [500, 600, 605, 900].map(row), range: 3 })
    const { said } = drawn(profile, scene)
    expect(said).toEqual({ prices: [600, 605] })
  })

  test('labels keep apart and within bounds', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { minLength: 1, maxLength: 9 }), (heights) => {
        const placed = spread(
          [...heights].sort((a, b) => a - b),
          0,
          500
        )
        placed.slice(1).forEach((each, i) => {
          expect(each - placed[i]!).toBeGreaterThanOrEqual(LABEL - 1e-9)
        })
        expect(placed.at(-1)!).toBeLessThanOrEqual(500 - LABEL / 2 + 1e-9)
        expect(placed[0]!).toBeGreaterThanOrEqual(LABEL / 2 - 1e-9)
      })
    )
  })
})

describe('the axes', () => {
  test('sessions begin after nights, and their labels do not touch', () => {
    const bars = walk(260)
    const sessions = sessionsOf(bars)
    expect(sessions).toHaveLength(10)
    expect(sessions.map(({ date }) => date).slice(0, 6)).toEqual(
      [2, 3, 4, 5, 6, 9].map((day) => `2026-11-${String(day).padStart(2, '0')}`)
    )
    const scene = sceneOfBars({ bars })
    const ticks = timeTicks(scene, sessions)
    ticks.slice(1).forEach((tick, i) => {
      expect(scene.x(tick.at) - scene.x(ticks[i]!.at)).toBeGreaterThanOrEqual(54)
    })
    expect(timeTicks(sceneOfBars({ bars }, { from: 0, to: 26 }), sessions).map(({ text }) => text)).toContain('12:00')
  })

  test('round prices lie in their window at steps of 1, 2 or 5', () => {
    expect(roundValues(672.3, 703.1, 400)).toEqual([675, 680, 685, 690, 695, 700])
    expect(roundValues(1, 1, 400)).toEqual([])
    expect(roundValues(0.981, 1.022, 400)).toEqual([0.985, 0.99, 0.995, 1, 1.005, 1.01, 1.015, 1.02])
  })
})

describe('what is drawn of an answer', () => {
  const answer = recorded('bars')
  const at = (wall: string) => Date.parse(`2026-11-20T${wall}-05:00`)
  const starts = (until: number) => Array.from(historyOf(answer, until).bars.t)

  test('of an answer of a later moment the bars that are over by then', () => {
    expect(starts(at('11:00:00')).at(-1)).toBe(at('10:45:00'))
    expect(starts(at('11:10:00')).at(-1)).toBe(at('10:45:00'))
    expect(starts(at('11:15:00')).at(-1)).toBe(at('11:00:00'))
  })

  test('of an answer of the moment itself also the bar that is not over', () => {
    expect(starts(Date.parse(answer.as_of)).at(-1)).toBe(at('11:45:00'))
    expect(starts(Number.POSITIVE_INFINITY)).toHaveLength(answer.dt.length)
  })

  test('the last bar of a session is over at its close, though it is shorter than its step', () => {
    const hours = Array.from({ length: 7 }, (_, i) => (i === 0 ? 0 : 3600))
    const day = {
      ...answer,
      every: '1h',
      t0: at('09:30:00') / 1000,
      dt: hours,
      columns: {},
      as_of: '2026-11-23T21:00:00Z'
    }
    expect(historyOf(day, at('15:59:00')).bars.t).toHaveLength(6)
    expect(historyOf(day, at('16:00:00')).bars.t).toHaveLength(7)
  })

  test('a figure that is null is not a number, and not zero', () => {
    const columns = {
      gamma_flip: answer.columns.gamma_flip.map((value: number, i: number) => (i === 3 ? null : value))
    }
    const { columns: read } = historyOf({ ...answer, columns }, Number.POSITIVE_INFINITY)
    expect(read['gamma_flip']![3]).toBeNaN()
    expect(read['gamma_flip']![4]).toBe(columns.gamma_flip[4])
  })
})

describe('periods', () => {
  test('begin whole sessions back, and take a step that the service answers', () => {
    expect(startOf('1d', '2026-11-20')).toBe('2026-11-20')
    expect(startOf('5d', '2026-11-20')).toBe('2026-11-12') // two of the days may have no bars
    expect(startOf('5d', '2026-11-18')).toBe('2026-11-10')
    for (const period of PERIODS)
      for (const step of [...STEPS, undefined]) expect(fits(period, stepOf(period, step))).toBe(true)
    expect(stepOf('5d', undefined)).toBe('15m')
    expect(stepOf('5d', '1m')).toBe('1m')
    expect(stepOf('3m', '1m')).toBe('1d')
  })

  test('a period counts sessions, whatever days were holidays', () => {
    const bars = walk(260)
    const columns = { call_wall: Float64Array.from(bars.c) }
    const known = { symbol: 'SPY', every: '15m', bars, ends: bars.t, asOf: 0, columns, volumeOf: 'shares' } as const
    const all = { ...known, recordedSince: undefined }
    const five = newestSessions(all, sessionsOfPeriod('5d')!)
    expect(sessionsOf(five.bars)).toHaveLength(5)
    expect(five.bars.t[0]).toBe(bars.t[130])
    expect(five.columns['call_wall']![0]).toBe(bars.c[130])
    expect(five.ends).toHaveLength(130)
    expect(newestSessions(all, 20)).toBe(all)
  })

  test('levels leave the address and come back', () => {
    expect(withGroup(undefined, 'flip', false)).toBe('-flip')
    expect(withGroup('-flip', 'walls', false)).toBe('-walls,-flip')
    expect(withGroup('-walls,-flip', 'walls', true)).toBe('-flip')
    expect(withGroup('-flip', 'flip', true)).toBe(undefined)
    expect(hiddenGroups('-nothing,-zero_dte')).toEqual(['zero_dte'])
  })
})
