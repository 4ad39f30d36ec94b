/** Time and ids come in as dependencies, so that areas have no clock of their own. */
export interface Clock {
  /** Integer milliseconds since 1970, UTC. */
  now(): number
  /** A fresh UUIDv7: sorts by time. */
  id(): string
}
