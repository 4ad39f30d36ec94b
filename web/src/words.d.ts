/** Made by `web/words-plugin.ts` from the folders `locales`. */
declare module 'virtual:words/*' {
  export const text: typeof import('./lib/texts.ts').text
  export const useText: typeof import('./lib/texts.ts').useText
}
