import type { Ref, RefObject } from 'react'

/** One ref that fills two. */
export function joinRefs<T>(own: RefObject<T | null>, other: Ref<T> | undefined): (node: T | null) => void {
  return (node) => {
    own.current = node
    if (typeof other === 'function') other(node)
    else if (other) other.current = node
  }
}
