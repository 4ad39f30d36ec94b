/** Files of tests that need more processor time than others, with what they may use and why. */

/** What any other file may use. On a busy machine the same work takes up to twice its time. */
export const usualSeconds = 20

/** What all files together may use. */
export const suiteSeconds = 900

export const slowFiles: Readonly<Record<string, { readonly seconds: number; readonly reason: string }>> = {}
