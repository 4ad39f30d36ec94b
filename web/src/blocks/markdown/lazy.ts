import { useEffect, useState } from 'react'

const loaded = new Map<unknown, unknown>()

/** A module that is loaded when first `wanted`; null until it is there. `load` must be the same function each time. */
export function useLazy<M>(load: () => Promise<M>, wanted: boolean): M | null {
  const [module, setModule] = useState<M | null>((loaded.get(load) as M | undefined) ?? null)
  useEffect(() => {
    if (!wanted || module) return
    let gone = false
    load().then(
      (found) => {
        loaded.set(load, found)
        if (!gone) setModule(found)
      },
      // Offline, or the server was updated meanwhile: the source stays on screen.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [load, wanted, module])
  return module
}
