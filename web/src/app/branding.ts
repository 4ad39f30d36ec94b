/** Keeps name and logos of the workspace up to date. */
import { brandingRoutes } from '@atrium/contract/branding'
import { onAccountEvent } from '../api/account-events.ts'
import { call } from '../api/client.ts'
import { isWorkspaceKnown, showWorkspace } from '../lib/workspace.ts'

/** At once in a browser that knows nothing yet; else when the page has come to rest, as what is known is on screen. */
export function followBranding(): void {
  if (isWorkspaceKnown()) setTimeout(() => void load(), 4000)
  else void load()
  onAccountEvent('branding-changed', () => void load())
}

async function load(): Promise<void> {
  try {
    showWorkspace(await call(brandingRoutes.branding))
  } catch {
    // What is on screen stays; the next start asks again.
  }
}
