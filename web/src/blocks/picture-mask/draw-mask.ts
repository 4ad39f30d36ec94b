/** Paints marks on a canvas, and makes the file of a mask of them. */
import type { Mark, Point, Size } from './mask.ts'

/** `scale`: how many pixels of the canvas one of the picture is. */
export function drawMark(context: CanvasRenderingContext2D, mark: Mark, scale: number): void {
  if (mark.kind === 'area') {
    const { x, y, width, height } = mark.area
    context.fillRect(x * scale, y * scale, width * scale, height * scale)
    return
  }
  drawLine(context, mark.points, mark.thickness, scale)
}

/** One point alone is a dot. */
export function drawLine(
  context: CanvasRenderingContext2D,
  points: readonly Point[],
  thickness: number,
  scale: number,
): void {
  const [first] = points
  if (!first) return
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.lineWidth = thickness * scale
  context.beginPath()
  context.moveTo(first.x * scale, first.y * scale)
  for (const { x, y } of points) context.lineTo(x * scale, y * scale)
  context.stroke()
}

/** A PNG as large as the picture: transparent where it is to be drawn anew. */
export async function maskOf(marks: readonly Mark[], { width, height }: Size): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser draws on no canvas.')
  context.fillRect(0, 0, width, height)
  context.globalCompositeOperation = 'destination-out'
  for (const mark of marks) drawMark(context, mark, 1)
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The mask could not be written.'))), 'image/png'),
  )
}
