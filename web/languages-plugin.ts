/** Tells the script that runs before the first paint which languages there are: `data-languages="en:ltr ar:rtl"`. */
import { languages } from '@atrium/contract/languages'
import type { Plugin } from 'vite'

export function languageTable(): Plugin {
  const table = languages.map(({ code, direction }) => `${code}:${direction}`).join(' ')
  return {
    name: 'atrium-languages',
    transformIndexHtml: (html) =>
      html.replace('<script src="/early.js">', `<script src="/early.js" data-languages="${table}">`),
  }
}
