/** How tags are written and compared; the same on server and page. */

/** Characters of a tag. */
export const mostTagLetters = 40
/** Tags of a chat, and of an account. */
export const mostTagsOfChat = 20
export const mostTags = 200

/**
 * A tag as it is stored and shown: in compatibility form with single spaces, without signs that searches and lists of tags
 * are written with (`#` in front, quotation marks, commas). What is so already stays as it is.
 */
export const cleanTag = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/[",\s]+/g, ' ')
    .replace(/^[#\s]+/, '')
    .trim()

/** The form in which tags are equal, whatever their letters’ case. */
export const foldTag = (name: string): string => cleanTag(name).toLowerCase().normalize('NFKC')
