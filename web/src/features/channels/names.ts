/** What people are called. Pure. */

/** A name as the server gives it: `Ann Lee (ann)` where there is a display name, else the user name. */
export function partsOfName(name: string): { shown: string; handle: string } {
  const found = /^(.+) \(([^()\s]+)\)$/su.exec(name)
  return found ? { shown: found[1] ?? name, handle: found[2] ?? name } : { shown: name, handle: name }
}

/** By which a message names somebody. */
export const handleOf = (name: string): string => partsOfName(name).handle
export const shownName = (name: string): string => partsOfName(name).shown

/** The name of the own account, as others get it. */
export const fullName = ({ displayName, username }: { displayName: string | null; username: string }): string =>
  displayName ? `${displayName} (${username})` : username
