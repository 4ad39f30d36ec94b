/** Cuts a text into what is said in one breath: the engine holds a whole piece in memory, and overflows on long words. */

const mostChars = 300
const mostInWord = 80

/** Sentences, or parts of them, in order; none is empty. */
export const splitSentences = (text: string): string[] => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(text)) {
    const last = sentences.at(-1)
    if (last !== undefined && shortened.test(last)) sentences[sentences.length - 1] = last + segment
    else sentences.push(segment)
  }
  return sentences
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .flatMap(splitLong)
}

/** Behind these no sentence ends. */
const shortened = /\b(Dr|Mr|Mrs|Ms|Prof|St|vs|e\.g|i\.e)\. *$/

/** At spaces; within a word only where it is longer than any. */
const splitLong = (sentence: string): string[] => {
  const words = sentence.split(' ').flatMap((word) => word.match(new RegExp(`.{1,${mostInWord}}`, 'gsu')) ?? [])
  const parts: string[] = []
  for (const word of words) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + word.length < mostChars) parts[parts.length - 1] = `${last} ${word}`
    else parts.push(word)
  }
  return parts
}

/** Whether the voice can say it: it knows the sounds of English letters and digits, and is silent at all others. */
export const isSpeakable = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  return letters === 0 ? /\p{N}/u.test(text) : latin / letters >= 0.8
}
