import { beforeEach, describe, expect, it } from 'vitest'
import { ScrollAnchor } from './scroll-anchor.ts'

/** A view of 500 px on 2000 px of content that answers every movement with a scroll event, as browsers do. */
let top = 0
let total = 2000
let anchor: ScrollAnchor
const modes: string[] = []
const move = (to: number) => {
  const next = Math.max(0, Math.min(to, total - 500))
  if (next === top) return
  top = next
  anchor.scrolled()
}
const grow = (by: number) => {
  total += by
  move(top)
  anchor.grew()
}

beforeEach(() => {
  top = 0
  total = 2000
  modes.length = 0
  anchor = new ScrollAnchor({ top: () => top, height: () => 500, total: () => total, scrollTo: move }, (s) =>
    modes.push(s),
  )
  anchor.grew()
})

describe('following a growing answer', () => {
  it('stays at the end', () => {
    grow(30)
    grow(300)
    expect(top).toBe(1830)
    expect(modes).toEqual([])
  })
  it('lets go at a few pixels upwards, and never moves again by itself', () => {
    move(top - 3)
    expect(anchor.mode).toBe('end')
    move(top - 3)
    expect(anchor.mode).toBe('free')
    const here = top
    grow(500)
    grow(500)
    expect(top).toBe(here)
  })
  it('lets go at the first turn of the wheel upwards', () => {
    anchor.wheeled(-1)
    grow(100)
    expect(top).toBe(1500)
  })
  it('holds on again near the end, when moved downwards', () => {
    move(900)
    move(1300)
    expect(anchor.mode).toBe('free')
    move(1450)
    expect(anchor.mode).toBe('end')
    grow(40)
    expect(top).toBe(1540)
  })
  it('does not take a shorter text for the person', () => {
    total = 1700
    top = 1200
    anchor.scrolled()
    expect(anchor.mode).toBe('end')
  })
  it('knows movements of other parts of the program', () => {
    anchor.wrote(800)
    move(800)
    expect(anchor.mode).toBe('end')
    move(700)
    expect(anchor.mode).toBe('free')
  })
  it('takes a finger for the person only after ten pixels', () => {
    anchor.touchStarted(100)
    anchor.touchMoved(108)
    grow(20)
    expect(top).toBe(1520)
    anchor.touchMoved(112)
    grow(20)
    expect(top).toBe(1520)
    expect(anchor.mode).toBe('free')
  })
  it('goes to the end when asked, and stays there', () => {
    move(200)
    anchor.toEnd(true)
    expect(top).toBe(1500)
    grow(10)
    expect(top).toBe(1510)
  })
  it('follows on after a glide, and after one that had no way to go', () => {
    anchor.toEnd(false)
    grow(30)
    expect(top).toBe(1530)
    move(1000)
    anchor.toEnd(false)
    anchor.rested()
    grow(30)
    expect(top).toBe(1560)
  })
  it('holds a question at the top while the answer grows below', () => {
    anchor.hold(1450, true)
    grow(900)
    expect(top).toBe(1450)
    expect(anchor.isAway()).toBe(true)
  })
})
