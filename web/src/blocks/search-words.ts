/** A field for words that the address keeps. */
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

const restMs = 250

/**
 * What stands in the field, and how it is changed. `tell` gets the words, without spaces around them, a moment after the
 * last letter; `addressed` are those that the address has. What was told from here comes back from there after more may
 * have been typed, which stays; and whoever goes to another page meanwhile is not called back.
 */
export function useSearchWords(addressed: string, tell: (words: string) => void): [string, (words: string) => void] {
  const router = useRouter()
  const [words, setWords] = useState(addressed)
  const told = useRef(addressed)
  const latest = useRef(tell)
  useEffect(() => {
    latest.current = tell
  })
  useEffect(() => {
    if (addressed === told.current) return
    told.current = addressed
    setWords(addressed)
  }, [addressed])
  useEffect(() => {
    const next = words.trim()
    if (next === told.current) return
    const { pathname } = router.latestLocation
    const timer = setTimeout(() => {
      if (router.latestLocation.pathname !== pathname) return
      told.current = next
      latest.current(next)
    }, restMs)
    return () => clearTimeout(timer)
  }, [words, router])
  return [words, setWords]
}
