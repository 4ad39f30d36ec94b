/** In which direction a text runs: that of its first letter, as `dir="auto"` has it (Unicode UAX 9, rules P2 and P3). */

/**
 * The direction of the first of these texts that holds a letter; undefined where none does. For what holds parts that
 * have a direction of their own: browsers leave those out when they look for the direction of the whole.
 */
export function directionOf(texts: readonly string[]): 'rtl' | 'ltr' | undefined {
  for (const text of texts) {
    const letter = /\p{L}/u.exec(text)?.[0]
    if (letter) return rightToLeft.test(letter) ? 'rtl' : 'ltr'
  }
  return undefined
}

/** Hebrew, Arabic, Syriac, Thaana, N’Ko and their kin, and the forms of Hebrew and Arabic for display. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
