/**
 * Builds the text of an SVG path from calls of a canvas path. Source: SVG 2, section 9.3; angles in radians, clockwise.
 */
export class PathText {
  text = ''

  moveTo(x: number, y: number): void {
    this.text += `M${round(x)} ${round(y)}`
  }

  /** As on a canvas, the first point of a path only moves there. */
  lineTo(x: number, y: number): void {
    this.text += `${this.text === '' ? 'M' : 'L'}${round(x)} ${round(y)}`
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.text += `C${[x1, y1, x2, y2, x, y].map(round).join(' ')}`
  }

  quadraticCurveTo(x1: number, y1: number, x: number, y: number): void {
    this.text += `Q${[x1, y1, x, y].map(round).join(' ')}`
  }

  closePath(): void {
    if (this.text !== '') this.text += 'Z'
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.text += `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}Z`
  }

  roundRect(x: number, y: number, width: number, height: number, radius: number | readonly number[] = 0): void {
    const r = Math.min(typeof radius === 'number' ? radius : (radius[0] ?? 0), width / 2, height / 2)
    const corner = (dx: number, dy: number) => `a${round(r)} ${round(r)} 0 0 1 ${round(dx)} ${round(dy)}`
    const [across, down] = [round(width - 2 * r), round(height - 2 * r)]
    this.text +=
      `M${round(x + r)} ${round(y)}h${across}${corner(r, r)}v${down}${corner(-r, r)}` +
      `h${-across}${corner(-r, -r)}v${-down}${corner(r, -r)}Z`
  }

  arc(x: number, y: number, radius: number, from: number, to: number, isCounter = false): void {
    const turn = isCounter ? from - to : to - from
    const whole = 2 * Math.PI
    const sweep = turn >= whole ? whole : ((turn % whole) + whole) % whole
    const at = (angle: number) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const
    this.lineOrMove(...at(from))
    // An SVG arc cannot end where it began, so a circle is two halves.
    const ends = sweep === whole ? [from + Math.PI, from + whole] : [isCounter ? from - sweep : from + sweep]
    const isLarge = sweep > Math.PI && sweep < whole ? 1 : 0
    for (const end of ends) {
      const r = round(radius)
      this.text += `A${r} ${r} 0 ${isLarge} ${isCounter ? 0 : 1} ${at(end).map(round).join(' ')}`
    }
  }

  add(other: string): void {
    this.text += other
  }

  private lineOrMove(x: number, y: number): void {
    // The caller moves to each further circle of a path.
    if (this.text === '' || this.text.endsWith('Z')) this.moveTo(x, y)
    else this.lineTo(x, y)
  }
}

/** Rounds to hundredths of a pixel, more than anybody sees. */
export function round(value: number): number {
  return Math.round(value * 100) / 100
}
