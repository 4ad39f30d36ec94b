import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from 'react'
import { useText } from 'virtual:words/picture-mask'
import { drawLine, drawMark } from './draw-mask.ts'
import { type Area, type Mark, moveArea, type Point, type Size } from './mask.ts'

/** The longest side of what is painted on; the mask itself is as large as the picture. */
const mostPixels = 1600

export interface MaskStageProps {
  readonly size: Size
  readonly marks: readonly Mark[]
  /** Of the brush, in pixels of the picture. */
  readonly thickness: number
  readonly onMark: (mark: Mark) => void
  readonly onUndo: () => void
  /** The rectangle that the keys move. */
  readonly area: Area
  readonly onArea: (area: Area) => void
}

/** Lies over a picture and takes what is painted on it: with a pointer strokes, with keys rectangles. */
export function MaskStage({ size, marks, thickness, onMark, onUndo, area, onArea }: MaskStageProps) {
  const t = useText('picture-mask')
  const canvas = useRef<HTMLCanvasElement>(null)
  const points = useRef<Point[]>([])
  /** What paints: a second finger, or a palm, changes nothing of a stroke. */
  const painter = useRef<number | null>(null)
  const scale = Math.min(1, mostPixels / Math.max(size.width, size.height))
  useLayoutEffect(() => {
    const context = contextOf(canvas.current)
    if (!context) return
    context.clearRect(0, 0, context.canvas.width, context.canvas.height)
    for (const mark of marks) drawMark(context, mark, scale)
  }, [marks, scale])

  const pointOf = (event: { clientX: number; clientY: number }): Point => {
    const box = canvas.current?.getBoundingClientRect()
    if (!box || box.width === 0 || box.height === 0) return { x: 0, y: 0 }
    return {
      x: ((event.clientX - box.left) / box.width) * size.width,
      y: ((event.clientY - box.top) / box.height) * size.height,
    }
  }
  const paint = (more: readonly Point[]) => {
    const context = contextOf(canvas.current)
    const last = points.current.at(-1)
    points.current.push(...more)
    if (context) drawLine(context, last ? [last, ...more] : more, thickness, scale)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || painter.current !== null) return
    painter.current = event.pointerId
    event.currentTarget.setPointerCapture(event.pointerId)
    paint([pointOf(event)])
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerId !== painter.current) return
    const all = event.nativeEvent.getCoalescedEvents()
    paint((all.length > 0 ? all : [event.nativeEvent]).map(pointOf))
  }
  const onPointerEnd = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerId !== painter.current) return
    painter.current = null
    onMark({ kind: 'line', thickness, points: points.current })
    points.current = []
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'z' && (event.metaKey || event.ctrlKey)) onUndo()
    else if (event.key === 'Enter') onMark({ kind: 'area', area })
    else {
      const moved = moveArea(area, size, event.key, event.shiftKey)
      if (!moved) return
      onArea(moved)
    }
    event.preventDefault()
  }
  return (
    <div
      role="application"
      tabIndex={0}
      aria-label={t('stage')}
      aria-describedby="mask-keys"
      className="group/stage absolute inset-0 cursor-crosshair touch-none select-none"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onKeyDown={onKeyDown}
    >
      <canvas
        ref={canvas}
        width={Math.max(1, Math.round(size.width * scale))}
        height={Math.max(1, Math.round(size.height * scale))}
        className="size-full text-accent opacity-60"
      />
      <span
        aria-hidden
        className="pointer-events-none invisible absolute border-2 border-dashed border-[white] outline-2 outline-accent group-focus-visible/stage:visible"
        style={{
          // A picture is not turned around where text runs from right to left.
          left: share(area.x, size.width),
          top: share(area.y, size.height),
          width: share(area.width, size.width),
          height: share(area.height, size.height),
        }}
      />
    </div>
  )
}

const share = (part: number, whole: number): string => `${(part / whole) * 100}%`

/** In the colour of the canvas, as the theme has it. */
function contextOf(canvas: HTMLCanvasElement | null): CanvasRenderingContext2D | null {
  const context = canvas?.getContext('2d') ?? null
  if (!canvas || !context) return null
  const { color } = getComputedStyle(canvas)
  context.fillStyle = color
  context.strokeStyle = color
  return context
}
