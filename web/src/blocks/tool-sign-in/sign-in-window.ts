/** The small window in which somebody signs in at a tool server, and what it tells the pages behind it. */
import { toolSignInRoutes } from '@atrium/contract/tool-servers'
import { call } from '../../api/client.ts'

const channelName = 'atrium-tool-sign-in'

/** How a sign-in ended; `reason`: why it failed, in a closed list. */
export interface SignInOutcome {
  readonly serverId: string
  readonly reason: string | null
}

/**
 * Opens the window, which has to happen within the click, and leads it to the authorization server. False: the browser
 * let none be opened. Rejects with what the server says.
 */
export async function openSignIn(serverId: string): Promise<boolean> {
  const window_ = window.open('about:blank', '_blank', 'popup,width=560,height=720')
  if (!window_) return false
  // Who is led to there must not lead this page elsewhere.
  window_.opener = null
  try {
    const { authorizeUrl } = await call(toolSignInRoutes.startToolSignIn, { params: { id: serverId } })
    window_.location.href = authorizeUrl
    return true
  } catch (error) {
    window_.close()
    throw error
  }
}

/** Hears how sign-ins ended in windows of this browser; gives the function that stops it. */
export function onSignInEnded(hear: (outcome: SignInOutcome) => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }: MessageEvent<SignInOutcome>) => hear(data)
  return () => channel.close()
}

/** What the way back says in an address of the app; null for every other address. */
export function outcomeIn(search: string): SignInOutcome | null {
  const said = new URLSearchParams(search)
  const ended = said.get('mcpOAuth')
  const serverId = said.get('serverId')
  if (serverId === null || (ended !== 'connected' && ended !== 'error')) return null
  return { serverId, reason: ended === 'connected' ? null : (said.get('reason') ?? 'other') }
}

/** Tells the pages behind it, and closes the window where it is one. */
export function endSignIn(outcome: SignInOutcome): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(outcome)
  channel.close()
  window.close()
}
