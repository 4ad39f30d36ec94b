/**
 * The form in which the words of a message are compared: lower case, without marks of writing and of Markdown, each
 * stretch of white space one blank. Server and page use the same, so that what one counts the other can mark.
 */

/** A text in this form. */
export const toFindForm = (text: string): string =>
  withoutTargets(text).normalize('NFKD').toLowerCase().replace(dropped, '').replace(/\s+/g, ' ')

/** A text in this form, and where in it each character of the form comes from. Slower; for what is on screen. */
export function toFindFormWithPlaces(text: string): { readonly form: string; readonly places: readonly number[] } {
  let form = ''
  const places: number[] = []
  let at = 0
  for (const character of text) {
    const plain = character.normalize('NFKD').toLowerCase().replace(dropped, '')
    for (const each of /^\s+$/.test(plain) ? ' ' : plain) {
      if (each === ' ' && form.endsWith(' ')) continue
      form += each
      for (let n = 0; n < each.length; n++) places.push(at)
    }
    at += character.length
  }
  return { form, places }
}

/** Marks of writing (accents, vowel signs), and signs of Markdown, which are not on screen. */
const dropped = /[\p{M}*_`~[\]#|]+/gu

/** Addresses of links are not on screen either. */
const withoutTargets = (text: string): string => text.replace(/\]\([^()\s]*\)/g, ']')

/** How often words (in this form, not empty) stand in a text in this form, without overlaps. */
export function countInForm(form: string, words: string): number {
  let count = 0
  for (let at = form.indexOf(words); at >= 0; at = form.indexOf(words, at + words.length)) count++
  return count
}
