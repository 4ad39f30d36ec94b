/** The package has no types of its own. */
declare module 'snowball-stemmers' {
  const stemmers: { newStemmer(algorithm: string): { stem(word: string): string } }
  export default stemmers
}
