/** Cleans file names for display: what could deceive a reader is removed. They are never used as paths. */

const longest = 255
const longestExtension = 20
/** Marks that turn the direction of text round or cannot be seen: `exe.txt` must not look like `txt.exe`. */
const unseen = /[\p{Cc}\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** The last part of a path of any system, without what cannot be seen, at most 255 characters with its extension kept. */
export const cleanName = (name: string): string => {
  const last = name.toWellFormed().normalize('NFC').replace(unseen, '').split(/[/\\]/).pop() ?? ''
  const clean = last
    .replace(/\ufffd/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (/^\.*$/.test(clean)) return 'document'
  if (clean.length <= longest) return clean
  const extension = /\.[^. ]+$/.exec(clean)?.[0] ?? ''
  const kept = extension.length <= longestExtension ? extension : ''
  // A cut in the middle of a pair of surrogates leaves half a character.
  return clean.slice(0, longest - kept.length).replace(/[\ud800-\udbff]$/, '') + kept
}
