import { useEffect, useState } from 'react'
import { setAnnouncer } from '../lib/announce.ts'

/** What `announce` says is read aloud from here. */
export function Announcer() {
  const [polite, setPolite] = useState('')
  const [assertive, setAssertive] = useState('')
  useEffect(() => {
    let odd = false
    setAnnouncer((text, urgency) => {
      // The same words twice are read twice only if they differ.
      odd = !odd
      const said = odd ? text : `${text}\u00a0`
      if (urgency === 'assertive') setAssertive(said)
      else setPolite(said)
    })
    return () => setAnnouncer(null)
  }, [])
  return (
    <div className="sr-only">
      <div aria-live="polite" aria-atomic="true">
        {polite}
      </div>
      <div aria-live="assertive" aria-atomic="true">
        {assertive}
      </div>
    </div>
  )
}
