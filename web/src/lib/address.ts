/** The whole address of a page, with `https` where nothing is said; null where it is none. */
export function completeAddress(address: string): string | null {
  const text = address.trim()
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[\w.-]+:\d/.test(text) ? text : `https://${text}`
  try {
    const url = new URL(whole)
    return /^https?:$/.test(url.protocol) && url.hostname.includes('.') ? url.href : null
  } catch {
    // What cannot be read as an address is none.
    return null
  }
}

/** An address as people read it: without its scheme, and no longer than a name. */
export function shortAddress(address: string): string {
  const short = address.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
  return short.length > 60 ? `${short.slice(0, 59)}…` : short
}
