import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { fitInside, type Frame, moveBy, type Point, type View, whole, zoomAt, zoomStep } from './zoom.ts'

const doubled = 2.5
/** A stroke of so many pixels over a picture that is shown whole leads to its neighbour. */
const leastStroke = 60

/** What a picture is looked at with: wheel, pinch, double click and drag, and by whoever holds the view. */
export function useZoom() {
  const [view, setView] = useState<View>(whole)
  const place = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLImageElement>(null)
  const frameOf = (): Frame => {
    const { clientWidth: width = 1, clientHeight: height = 1 } = place.current ?? {}
    const { naturalWidth = 1, naturalHeight = 1 } = picture.current ?? {}
    const frame = { width, height }
    return { frame, picture: fitInside({ width: naturalWidth || 1, height: naturalHeight || 1 }, frame) }
  }
  return {
    view,
    place,
    picture,
    reset: () => setView(whole),
    zoom: (factor: number, at: Point = { x: 0, y: 0 }) => setView((before) => zoomAt(before, factor, at, frameOf())),
    move: (x: number, y: number) => setView((before) => moveBy(before, x, y, frameOf())),
    /** From the middle of the frame. */
    pointOf: ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
      const box = place.current?.getBoundingClientRect()
      return box ? { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 } : { x: 0, y: 0 }
    },
  }
}

export type Zoom = ReturnType<typeof useZoom>

/** A picture that can be looked at closely. `onStroke`: a finger went over it from side to side; 1 is to the right. */
export function Zoomable({
  zoom,
  src,
  alt,
  onStroke,
}: {
  zoom: Zoom
  src: string
  alt: string
  onStroke: (way: 1 | -1) => void
}) {
  const { view, place, picture } = zoom
  const fingers = useRef(new Map<number, Point>())
  const stroke = useRef(0)
  const latest = useRef(zoom)
  latest.current = zoom
  useEffect(() => {
    const element = place.current
    // Not passive: a pinch on a touchpad would make the whole page larger.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      latest.current.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), latest.current.pointOf(event))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [place])

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, zoom.pointOf(event))
    stroke.current = 0
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = fingers.current.get(event.pointerId)
    if (!before) return
    const now = zoom.pointOf(event)
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, now)
    if (other) {
      const factor = distance(now, other) / Math.max(1, distance(before, other))
      zoom.zoom(factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 })
      zoom.move((now.x - before.x) / 2, (now.y - before.y) / 2)
      return
    }
    if (view.scale > 1) zoom.move(now.x - before.x, now.y - before.y)
    else if (event.pointerType !== 'mouse') stroke.current += now.x - before.x
  }
  const onPointerEnd = (event: PointerEvent<HTMLElement>) => {
    fingers.current.delete(event.pointerId)
    if (Math.abs(stroke.current) >= leastStroke) onStroke(stroke.current > 0 ? 1 : -1)
    stroke.current = 0
  }
  return (
    <div
      ref={place}
      className={classNames(
        'absolute inset-0 touch-none overflow-hidden select-none',
        view.scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in',
      )}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onDoubleClick={(event) => {
        if (view.scale > 1) zoom.reset()
        else zoom.zoom(doubled, zoom.pointOf(event))
      }}
    >
      <img
        ref={picture}
        src={src}
        alt={alt}
        draggable={false}
        className="absolute inset-0 m-auto max-h-full max-w-full"
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
      />
    </div>
  )
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y)

/** What a key does to the view; false where it means nothing there. */
export function zoomByKey(zoom: Zoom, key: string): boolean {
  const step = 80
  const ways: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [step, 0],
    ArrowRight: [-step, 0],
    ArrowUp: [0, step],
    ArrowDown: [0, -step],
  }
  const way = ways[key]
  if (key === '+' || key === '=') zoom.zoom(zoomStep)
  else if (key === '-' || key === '_') zoom.zoom(1 / zoomStep)
  else if (key === '0') zoom.reset()
  else if (way && zoom.view.scale > 1) zoom.move(...way)
  else return false
  return true
}
