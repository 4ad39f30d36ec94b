/** The commit to compare with, and the files that differ from it. */
export function changedSince(): { since: string; files: string[] }

/** The files of journeys for changed files; null for all of them, an empty list for none. */
export function journeysOf(files: readonly string[]): string[] | null

/** The journeys that walk a feature of the web app or an area of the server, by its folder. */
export const walkedBy: Readonly<Record<string, readonly string[]>>
