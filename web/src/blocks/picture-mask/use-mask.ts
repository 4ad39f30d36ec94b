/** What is painted on a picture while it is edited, and the rectangle that keys and numbers move. */
import { useState } from 'react'
import { type Area, type Mark, middleOf, type Size, thicknessOf } from './mask.ts'

const usualBrush = 8

/** `begins`: whether one may paint at once. */
export function useMask(size: Size | null, begins = false) {
  const [isOn, setOn] = useState(begins)
  const [marks, setMarks] = useState<readonly Mark[]>([])
  const [brush, setBrush] = useState(usualBrush)
  const [moved, setArea] = useState<Area | null>(null)
  const area = moved ?? middleOf(size ?? { width: 1, height: 1 })
  return {
    isOn,
    setOn,
    marks,
    brush,
    setBrush,
    thickness: size ? thicknessOf(brush, size) : 1,
    area,
    setArea,
    add: (mark: Mark) => setMarks((before) => [...before, mark]),
    undo: () => setMarks((before) => before.slice(0, -1)),
    clear: () => setMarks([]),
  }
}

export type MaskState = ReturnType<typeof useMask>
