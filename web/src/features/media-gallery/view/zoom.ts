/** How a picture is looked at: how large, and how far it was moved from the middle. Pure. */
import type { PictureSize as Size } from '../../../lib/picture-size.ts'

/** In pixels of the screen. */
export interface Point {
  readonly x: number
  readonly y: number
}

export interface View extends Point {
  /** 1: all of it is in sight. */
  readonly scale: number
}

/** The frame, and the picture as large as it is shown in it at a scale of 1. */
export interface Frame {
  readonly frame: Size
  readonly picture: Size
}

export const whole: View = { scale: 1, x: 0, y: 0 }
const mostScale = 8
export const zoomStep = 1.5

/** As large as a picture is shown so that all of it fits; never larger than it is. */
export function fitInside({ width, height }: Size, frame: Size): Size {
  const scale = Math.min(1, frame.width / width, frame.height / height)
  return { width: width * scale, height: height * scale }
}

/** Larger or smaller around a point, which is told from the middle of the frame and stays where it is. */
export function zoomAt(view: View, factor: number, point: Point, frame: Frame): View {
  const scale = Math.min(mostScale, Math.max(1, view.scale * factor))
  const by = scale / view.scale
  return keepIn({ scale, x: point.x - (point.x - view.x) * by, y: point.y - (point.y - view.y) * by }, frame)
}

export const moveBy = (view: View, x: number, y: number, frame: Frame): View =>
  keepIn({ scale: view.scale, x: view.x + x, y: view.y + y }, frame)

/** No edge of it goes further in than the edge of the frame. */
function keepIn({ scale, x, y }: View, { frame, picture }: Frame): View {
  const room = (shown: number, seen: number) => Math.max(0, (shown * scale - seen) / 2)
  return {
    scale,
    x: clamp(x, room(picture.width, frame.width)),
    y: clamp(y, room(picture.height, frame.height)),
  }
}

// Adding nothing makes a negative zero a plain one.
const clamp = (value: number, most: number): number => Math.min(most, Math.max(-most, value)) + 0
