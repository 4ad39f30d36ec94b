/** What is painted over a picture so that it is drawn anew there, in the pixels of the picture. Pure. */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** A rectangle: its corner at the top left, and its sides. */
export interface Area extends Point, Size {}

/** One stroke of a brush, or a rectangle; each is undone at once. */
export type Mark =
  | { readonly kind: 'line'; readonly thickness: number; readonly points: readonly Point[] }
  | { readonly kind: 'area'; readonly area: Area }

/** A brush of so many hundredths of the shorter side. */
export const thicknessOf = (percent: number, { width, height }: Size): number =>
  Math.max(1, Math.round((Math.min(width, height) * percent) / 100))

/** The middle of a picture: half of each side. */
export const middleOf = ({ width, height }: Size): Area =>
  fitArea({ x: width / 4, y: height / 4, width: width / 2, height: height / 2 }, { width, height })

/** In whole pixels, and within the picture. */
export function fitArea(area: Area, size: Size): Area {
  const width = clamp(area.width, 1, size.width)
  const height = clamp(area.height, 1, size.height)
  return { x: clamp(area.x, 0, size.width - width), y: clamp(area.y, 0, size.height - height), width, height }
}

const clamp = (value: number, least: number, most: number): number =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, Math.round(value))) : least

/** So many steps take it from one side to the other. */
const steps = 20
const ways: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Where an arrow key takes a rectangle; with `grows` its sides change. null: no arrow key. */
export function moveArea(area: Area, size: Size, key: string, grows: boolean): Area | null {
  const way = ways[key]
  if (!way) return null
  const [x, y] = [(way.x * size.width) / steps, (way.y * size.height) / steps]
  const moved = grows
    ? { ...area, width: area.width + x, height: area.height + y }
    : { ...area, x: area.x + x, y: area.y + y }
  return fitArea(moved, size)
}
