import { PathText, round } from './svg-path.ts'

type Pen = CanvasRenderingContext2D

/** Calls that build a path of a context or of a Path2D. */
const STEPS = [
  'moveTo',
  'lineTo',
  'bezierCurveTo',
  'quadraticCurveTo',
  'closePath',
  'rect',
  'roundRect',
  'arc'
] as const

const texts = new WeakMap<Path2D, PathText>()

/** A path that can be read back, unlike the browser's. */
class ReadablePath extends Path2D {
  constructor(other?: Path2D | string) {
    super(other)
    const text = new PathText()
    if (other instanceof Path2D) text.add(texts.get(other)?.text ?? '')
    texts.set(this, text)
  }
}
for (const step of STEPS) {
  const draw = Path2D.prototype[step] as (...given: number[]) => void
  Object.defineProperty(ReadablePath.prototype, step, {
    value(this: ReadablePath, ...given: number[]) {
      ;(texts.get(this)![step] as (...given: number[]) => void)(...given)
      draw.apply(this, given)
    }
  })
}

/**
 * Records a canvas as SVG elements in device pixels: `draw` draws it again on a context that notes every visible call
 * with its colours, clip and transform. `id` is the prefix of clip ids.
 */
export function svgOf(canvas: HTMLCanvasElement, draw: () => void, id: string): string {
  const pen = canvas.getContext('2d')!
  const notes = new Notes(pen, id)
  const calls = notes.calls()
  for (const [name, note] of Object.entries(calls)) {
    const act = pen[name as 'fill'] as (...given: unknown[]) => unknown
    Object.defineProperty(pen, name, {
      configurable: true,
      value: (...given: unknown[]) => {
        ;(note as (...given: unknown[]) => void)(...given)
        return act.apply(pen, given)
      }
    })
  }
  const browsers = globalThis.Path2D
  globalThis.Path2D = ReadablePath
  try {
    draw()
  } finally {
    globalThis.Path2D = browsers
    for (const name of Object.keys(calls)) delete (pen as unknown as Record<string, unknown>)[name]
  }
  return notes.text()
}

class Notes {
  readonly #pen: Pen
  readonly #id: string
  readonly #out: string[] = []
  #path = new PathText()
  #clips: readonly string[] = []
  readonly #saved: (readonly string[])[] = []
  /** Clips of the open group. */
  #open: readonly string[] = []
  #made = 0

  constructor(pen: Pen, id: string) {
    this.#pen = pen
    this.#id = id
  }

  text(): string {
    this.#group([])
    return this.#out.join('')
  }

  calls() {
    const pathCalls = Object.fromEntries(
      STEPS.map((step) => [step, (...given: number[]) => (this.#path[step] as (...given: number[]) => void)(...given)])
    )
    return {
      ...pathCalls,
      beginPath: () => {
        this.#path = new PathText()
      },
      save: () => this.#saved.push(this.#clips),
      restore: () => {
        this.#clips = this.#saved.pop() ?? []
      },
      clip: (path?: Path2D | string) => this.#clip(this.#textOf(path)),
      fill: (path?: Path2D | string) => this.#mark(this.#textOf(path), this.#fill()),
      stroke: (path?: Path2D) => this.#mark(this.#textOf(path), `fill="none"${this.#stroke()}`),
      fillRect: (x: number, y: number, width: number, height: number) => {
        const box = new PathText()
        box.rect(x, y, width, height)
        this.#mark(box.text, this.#fill())
      },
      strokeRect: (x: number, y: number, width: number, height: number) => {
        const box = new PathText()
        box.rect(x, y, width, height)
        this.#mark(box.text, `fill="none"${this.#stroke()}`)
      },
      fillText: (text: string, x: number, y: number) => this.#text(text, x, y),
      drawImage: (image: CanvasImageSource, x: number, y: number, width?: number, height?: number) =>
        this.#image(image, x, y, width, height)
    }
  }

  #textOf(path: Path2D | string | undefined): string {
    return path instanceof Path2D ? (texts.get(path)?.text ?? '') : this.#path.text
  }

  #clip(path: string): void {
    const id = `${this.#id}-${this.#made++}`
    this.#group([])
    this.#out.push(`<clipPath id="${id}"><path d="${path}"${this.#place()}/></clipPath>`)
    this.#clips = [...this.#clips, id]
  }

  /** Closes and opens groups until `clips` are the open ones. */
  #group(clips: readonly string[]): void {
    if (clips.join() === this.#open.join()) return
    this.#out.push('</g>'.repeat(this.#open.length), ...clips.map((id) => `<g clip-path="url(#${id})">`))
    this.#open = clips
  }

  #add(element: string): void {
    this.#group(this.#clips)
    this.#out.push(element)
  }

  #mark(path: string, attributes: string): void {
    if (path !== '') this.#add(`<path d="${path}" ${attributes}${this.#alpha()}${this.#place()}/>`)
  }

  #fill(): string {
    return paint('fill', this.#pen.fillStyle)
  }

  #stroke(): string {
    const { strokeStyle, lineWidth, lineCap, lineJoin } = this.#pen
    const dash = this.#pen.getLineDash()
    return (
      ` ${paint('stroke', strokeStyle)} stroke-width="${round(lineWidth)}" stroke-linecap="${lineCap}"` +
      ` stroke-linejoin="${lineJoin}"${dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(round).join(' ')}"`}`
    )
  }

  #text(text: string, x: number, y: number): void {
    const { font, textAlign, textBaseline } = this.#pen
    const [, style = '', size = '12', family = 'sans-serif'] = /^(.*?)([\d.]+)px (.*)$/.exec(font) ?? []
    const weight = /\b[1-9]00\b|bold/.exec(style)?.[0] ?? '400'
    this.#add(
      `<text x="${round(x)}" y="${round(y)}" font-family="${escaped(family)}" font-size="${size}" font-weight="${weight}"` +
        ` text-anchor="${ANCHORS[textAlign]}" dominant-baseline="${BASELINES[textBaseline]}"` +
        ` ${this.#fill()}${this.#alpha()}${this.#place()}>${escaped(text)}</text>`
    )
  }

  #image(image: CanvasImageSource, x: number, y: number, width?: number, height?: number): void {
    if (!(image instanceof HTMLCanvasElement)) return
    this.#add(
      `<image href="${image.toDataURL()}" x="${round(x)}" y="${round(y)}" width="${round(width ?? image.width)}"` +
        ` height="${round(height ?? image.height)}" preserveAspectRatio="none"${this.#alpha()}${this.#place()}/>`
    )
  }

  #alpha(): string {
    const { globalAlpha } = this.#pen
    return globalAlpha === 1 ? '' : ` opacity="${round(globalAlpha)}"`
  }

  #place(): string {
    const { a, b, c, d, e, f, isIdentity } = this.#pen.getTransform()
    return isIdentity ? '' : ` transform="matrix(${[a, b, c, d, e, f].map(round).join(' ')})"`
  }
}

const ANCHORS = { left: 'start', start: 'start', center: 'middle', right: 'end', end: 'end' } as const
const BASELINES = {
  top: 'text-before-edge',
  hanging: 'hanging',
  middle: 'central',
  alphabetic: 'alphabetic',
  ideographic: 'ideographic',
  bottom: 'text-after-edge'
} as const

/** Writes the opacity of a colour as an attribute, because many programs do not read colours with four parts. */
function paint(name: 'fill' | 'stroke', style: Pen['fillStyle']): string {
  const colour = typeof style === 'string' ? style : '#000000'
  const [, channels, alpha] = /^rgba\((.*), ([\d.]+)\)$/.exec(colour) ?? []
  return channels === undefined ? `${name}="${colour}"` : `${name}="rgb(${channels})" ${name}-opacity="${alpha}"`
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
