/** How many tokens a worded request has, roughly: what is reserved for it before it is sent. */

/** A run of so many signs of base64 is a picture or a recording: longer than any word of any language. */
const leastEncoded = 4096
/** What providers count for a picture, about. */
const tokensPerEncoded = 1000
/** Characters counted in one go, some milliseconds of work: other requests are served in between. */
const slice = 2 ** 20

/**
 * Four characters to a token, and 1,000 tokens to whatever is encoded in between. Every sign is looked at once, so the
 * work grows with the length of the text, whatever it holds.
 */
export async function estimateTokens(text: string): Promise<number> {
  let encoded = 0
  let encodedLength = 0
  let run = 0
  for (let from = 0; from < text.length; from += slice) {
    if (from > 0) await new Promise(setImmediate)
    const to = Math.min(text.length, from + slice)
    for (let at = from; at < to; at += 1) {
      const code = text.charCodeAt(at)
      run = code < 128 && signs[code] === 1 ? run + 1 : 0
      if (run === leastEncoded) encoded += 1
      if (run >= leastEncoded) encodedLength += run === leastEncoded ? leastEncoded : 1
    }
  }
  return Math.ceil((text.length - encodedLength) / 4) + encoded * tokensPerEncoded
}

/** A letter or digit of ASCII, `+`, `/` or `=`. */
const signs = Uint8Array.from({ length: 128 }, (_, code) => (/[A-Za-z0-9+/=]/.test(String.fromCharCode(code)) ? 1 : 0))
