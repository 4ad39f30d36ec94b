/**
 * Who moves the view of a chat: the person, or the answer that grows. It knows its own movements by where they lead,
 * not by when they happen, so that wheel, keys, scrollbar and find are all recognised as the person's.
 */

/** What is scrolled. All in pixels. */
export interface ScrollView {
  top(): number
  height(): number
  total(): number
  scrollTo(top: number, smooth: boolean): void
}

/** `end`: the view stays at the end while the text grows. `free`: it stays where it is, whatever happens. */
export type ScrollMode = 'end' | 'free'

const upwardIntent = 4
const touchIntent = 10
const nearEnd = 60
const farJump = 2500

export class ScrollAnchor {
  mode: ScrollMode = 'end'
  readonly #view: ScrollView
  readonly #onStance: (mode: ScrollMode) => void
  #last = 0
  #expected: number | null = null
  #upward = 0
  #touch: { from: number; moved: boolean } | null = null
  #gliding = false

  constructor(view: ScrollView, onStance: (mode: ScrollMode) => void) {
    this.#view = view
    this.#onStance = onStance
  }

  /** Some other part of the program moves the view to here. */
  wrote(top: number): void {
    this.#expected = Math.max(0, Math.min(top, this.#most()))
    this.#last = this.#expected
  }

  /** The view moved, by whatever cause. */
  scrolled(): void {
    const top = this.#view.top()
    const moved = top - this.#last
    const most = this.#most()
    const own = this.#expected !== null && Math.abs(top - this.#expected) <= 1.5
    // The content became shorter, and the browser had to move.
    const clamped = moved < 0 && top >= most - 1.5 && this.#last > most
    this.#last = top
    if (own || clamped) {
      this.#upward = 0
      if (own) this.#gliding = false
      return
    }
    if (this.#gliding && moved >= 0) return
    this.#expected = null
    this.#gliding = false
    this.#upward = moved < 0 ? this.#upward - moved : 0
    if (this.#upward >= upwardIntent) this.#take('free')
    else if (moved > 0 && most - top <= nearEnd) this.#take('end')
  }

  /** The content or the window changed its size. */
  grew(): void {
    if (this.mode !== 'end' || this.#touch?.moved || this.#gliding) return
    const most = this.#most()
    if (Math.abs(this.#view.top() - most) > 0.5) this.#write(most, false)
  }

  /** The view came to rest. */
  rested(): void {
    this.#gliding = false
    this.grew()
  }

  /** The wheel turned; upwards it means at once that the person wants to read. */
  wheeled(deltaY: number): void {
    if (deltaY < 0 && this.#view.top() > 0) this.#take('free')
  }

  touchStarted(y: number): void {
    this.#touch = { from: y, moved: false }
  }
  touchMoved(y: number): void {
    if (!this.#touch) return
    if (Math.abs(y - this.#touch.from) > touchIntent) this.#touch.moved = true
    if (y - this.#touch.from > touchIntent) this.#take('free')
  }
  touchEnded(): void {
    this.#touch = null
    this.grew()
  }

  /** To the end, and stay there. Long ways are jumped, short ones glide unless `calm`. */
  toEnd(calm: boolean): void {
    this.#take('end')
    const most = this.#most()
    this.#write(most, !calm && most - this.#view.top() < farJump)
  }

  /** To a place, and stay there. */
  hold(top: number, calm: boolean): void {
    this.#take('free')
    const to = Math.max(0, Math.min(top, this.#most()))
    this.#write(to, !calm && Math.abs(to - this.#view.top()) < farJump)
  }

  /** Whether the end is out of sight. */
  isAway(): boolean {
    return this.#most() - this.#view.top() > nearEnd
  }

  #most(): number {
    return Math.max(0, this.#view.total() - this.#view.height())
  }
  #write(top: number, smooth: boolean): void {
    // Where there is no way to go, no movement would ever end the glide.
    const glides = smooth && Math.abs(top - this.#view.top()) > 1
    this.#expected = top
    this.#upward = 0
    this.#gliding = glides
    if (!glides) this.#last = top
    this.#view.scrollTo(top, glides)
  }
  #take(mode: ScrollMode): void {
    if (mode === 'free') this.#gliding = false
    if (this.mode === mode) return
    this.mode = mode
    this.#onStance(mode)
  }
}
