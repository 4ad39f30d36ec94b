/** How much a message of a chat holds; the same on server and page. */

/** UTF-16 units of its text, what it quotes included. */
export const longestMessage = 500_000
/** Quotes before its text. */
export const mostQuotes = 100
