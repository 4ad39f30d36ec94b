/** Made by `web/words-plugin.ts` from the folders `locales`. */
declare module 'virtual:words/*' {
  export const translate: typeof import('./lib/texts.ts').translate
  export const useText: typeof import('./lib/texts.ts').useText
}
