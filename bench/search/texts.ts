/** Made-up texts with the proportions of real ones (Zipf): stop words, endings, frequent and rare words; always the same. */

const stops =
  `the of and to in a is that for it as was with be by on not he this are or his from at which but have an had
they you were their one all we can her has there been if more when will would who so no she my what up out about them
then some do its our these me into other could your than him how now only may over such any very most also after even
just those before must through too where much should well each between own here both under against same few while why
again being because during does did off once until above below down further having us upon am nor whom yours`
    .trim()
    .split(/\s+/)
const endings = ['', '', '', 's', 'ing', 'ed', 'er']
const syllables =
  `ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu bra cle dri flo gru ska spe tri sto plu`.split(' ')
const vocabulary = 60_000
const wordsPerText = 160

export interface Source {
  /** The next text of 160 words. */
  text(): string
  /** A question as people ask: some words that stand beside each other in a text. */
  question(): string
  /** Three words of those that stand in 2 to 10 of a hundred texts. */
  frequent(): string
  random(): number
}

export const createSource = (seed: number): Source => {
  let state = seed
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const word = (): string => wordOf(Math.floor(vocabulary ** random()))
  const words = (count: number): string => Array.from({ length: count }, word).join(' ')
  return {
    random,
    text: () => words(wordsPerText),
    question: () => words(8),
    frequent: () => Array.from({ length: 3 }, () => wordOf(150 + Math.floor(random() * 600))).join(' '),
  }
}

/** By rank: stop words first. Each word has some forms of the same stem. */
const wordOf = (rank: number): string => {
  const stop = stops[rank - 1]
  if (stop !== undefined) return stop
  const stem = Math.floor(rank / 2)
  let rest = stem
  let word = ''
  do {
    word += syllables[rest % syllables.length]
    rest = Math.floor(rest / syllables.length)
  } while (rest > 0)
  return `${word}n${endings[(rank * 7) % endings.length]}`
}
