/** A place that an area above fills when it is created, where an area below has to ask something of it. */
export interface Slot<T> {
  /** Throws when it is filled already. */
  fill(value: T): void
  /** Throws while nothing filled it. */
  get(): T
  /** null while nothing filled it. */
  readonly value: T | null
}

/** `name` says what is missing, for the error. */
export const createSlot = <T>(name: string): Slot<T> => {
  let held: { readonly value: T } | null = null
  return {
    fill(value) {
      if (held) throw new Error(`${name}: filled twice.`)
      held = { value }
    },
    get() {
      if (!held) throw new Error(`${name}: nothing filled it.`)
      return held.value
    },
    get value() {
      return held?.value ?? null
    },
  }
}
