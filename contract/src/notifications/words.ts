/** Texts among the facts of a notification. */
import { z } from 'zod'

const mostLetters = 300

/**
 * What a person wrote, or what somebody or something is called: cut where it is long. It is searched, and stays out of
 * push and mail unless its reader allows it.
 */
export const Words = z.string().overwrite((text) => {
  const letters = Array.from(text.replace(/\s+/gu, ' ').trim())
  return letters.length > mostLetters ? `${letters.slice(0, mostLetters - 1).join('')}…` : letters.join('')
})
/** The same, where there may be none. */
export const OptionalWords = Words.nullable()
