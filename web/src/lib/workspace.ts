/** What the workspace is called and its logos, as this browser last heard; the app keeps it up to date. */
import { create } from 'zustand'

export interface Workspace {
  readonly name: string
  /** Their addresses. */
  readonly logos: { readonly light: string | null; readonly dark: string | null }
}

const storedAs = 'atrium.workspace'
const usual: Workspace = { name: 'Atrium', logos: { light: null, dark: null } }

export const useWorkspace = create<Workspace>(() => kept() ?? usual)

/** Whether this browser was told before; until then the usual name stands. */
export const isWorkspaceKnown = (): boolean => kept() !== null

/** Shows it at once, and keeps it for the next start. */
export function showWorkspace(workspace: Workspace): void {
  useWorkspace.setState(workspace, true)
  try {
    localStorage.setItem(storedAs, JSON.stringify(workspace))
  } catch {
    // Storage is full or switched off: the next start shows the usual name for a moment.
  }
}

function kept(): Workspace | null {
  try {
    const { name, logos } = JSON.parse(localStorage.getItem(storedAs) ?? '{}') as Partial<Workspace>
    if (typeof name !== 'string' || typeof logos !== 'object') return null
    const own = (address: unknown) => (typeof address === 'string' && address.startsWith('/api/') ? address : null)
    return { name, logos: { light: own(logos.light), dark: own(logos.dark) } }
  } catch {
    // Switched off, no browser, or nonsense.
    return null
  }
}
