const mostLetters = 4000

/** Whether a text of a server can be shown as it is and sent back: it is bounded, and nothing in it is hidden. */
export const isPlain = (text: string): boolean => text.length > 0 && text.length <= mostLetters && !/\p{C}/u.test(text)
