import { beforeEach, describe, expect, it } from 'vitest'
import { Stick } from './stick.ts'

/** A view of 500 px on 2000 px of content that answers every movement with a scroll event, as browsers do. */
let top = 0
let total = 2000
let stick: Stick
const stances: string[] = []
const move = (to: number) => {
  const next = Math.max(0, Math.min(to, total - 500))
  if (next === top) return
  top = next
  stick.scrolled()
}
const grow = (by: number) => {
  total += by
  move(top)
  stick.grew()
}

beforeEach(() => {
  top = 0
  total = 2000
  stances.length = 0
  stick = new Stick({ top: () => top, height: () => 500, total: () => total, scrollTo: move }, (s) => stances.push(s))
  stick.grew()
})

describe('following a growing answer', () => {
  it('stays at the end', () => {
    grow(30)
    grow(300)
    expect(top).toBe(1830)
    expect(stances).toEqual([])
  })
  it('lets go at a few pixels upwards, and never moves again by itself', () => {
    move(top - 3)
    expect(stick.stance).toBe('end')
    move(top - 3)
    expect(stick.stance).toBe('free')
    const here = top
    grow(500)
    grow(500)
    expect(top).toBe(here)
  })
  it('lets go at the first turn of the wheel upwards', () => {
    stick.wheeled(-1)
    grow(100)
    expect(top).toBe(1500)
  })
  it('holds on again near the end, when moved downwards', () => {
    move(900)
    move(1300)
    expect(stick.stance).toBe('free')
    move(1450)
    expect(stick.stance).toBe('end')
    grow(40)
    expect(top).toBe(1540)
  })
  it('does not take a shorter text for the person', () => {
    total = 1700
    top = 1200
    stick.scrolled()
    expect(stick.stance).toBe('end')
  })
  it('knows movements of other parts of the program', () => {
    stick.wrote(800)
    move(800)
    expect(stick.stance).toBe('end')
    move(700)
    expect(stick.stance).toBe('free')
  })
  it('takes a finger for the person only after ten pixels', () => {
    stick.touchStarted(100)
    stick.touchMoved(108)
    grow(20)
    expect(top).toBe(1520)
    stick.touchMoved(112)
    grow(20)
    expect(top).toBe(1520)
    expect(stick.stance).toBe('free')
  })
  it('goes to the end when asked, and stays there', () => {
    move(200)
    stick.toEnd(true)
    expect(top).toBe(1500)
    grow(10)
    expect(top).toBe(1510)
  })
  it('follows on after a glide, and after one that had no way to go', () => {
    stick.toEnd(false)
    grow(30)
    expect(top).toBe(1530)
    move(1000)
    stick.toEnd(false)
    stick.rested()
    grow(30)
    expect(top).toBe(1560)
  })
  it('holds a question at the top while the answer grows below', () => {
    stick.hold(1450, true)
    grow(900)
    expect(top).toBe(1450)
    expect(stick.isAway()).toBe(true)
  })
})
