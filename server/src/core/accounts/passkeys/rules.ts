/** Whom a passkey is for, by the address of the instance. Pure. */
import { isIP } from 'node:net'

/** So many passkeys an account may have. */
export const maxPasskeys = 10
/** A ceremony that was begun may be finished so long. */
export const challengeMs = 5 * 60_000
/** How long the browser waits for the person. */
export const promptMs = 120_000

export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * The relying party (WebAuthn level 3, section 5.1.3 step 8): the name that passkeys are bound to, and the one origin
 * that may use them. null where browsers know no passkeys: without https (but on localhost), on an address of numbers, or
 * where the fixed name is not the host's own or one above it.
 */
export const relyingPartyOf = (
  fixed: { readonly rpId: string | undefined; readonly baseUrl: URL | null | undefined },
  requestOrigin: string,
): RelyingParty | null => {
  const url = fixed.baseUrl ?? URL.parse(requestOrigin)
  if (!url) return null
  const host = url.hostname
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  if (url.protocol !== 'https:' && !isLocal) return null
  const id = fixed.rpId ?? host
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0 || (host !== id && !host.endsWith(`.${id}`))) return null
  return { id, origin: url.origin }
}
