import { useEffect, useEffectEvent, useState } from 'react'

/**
 * An Enter that came before it is known what it means: `take` is called once that is `known`. Gives what says that there
 * was one, and that it means nothing any more.
 */
export function useEarlyEnter(known: boolean, take: () => void): (entered: boolean) => void {
  const [entered, setEntered] = useState(false)
  const isDue = entered && known
  const enter = useEffectEvent(() => {
    setEntered(false)
    take()
  })
  useEffect(() => {
    if (isDue) enter()
  }, [isDue])
  return setEntered
}
