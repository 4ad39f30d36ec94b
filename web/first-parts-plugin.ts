/**
 * Tells the script that runs before the first paint which files draw the first pages, so that they are fetched beside the
 * script that asks for them: `data-parts` those of the page of a new chat, `data-chat-parts` what an open chat adds.
 */
import type { Plugin } from 'vite'

/** As `shared-chunks.ts` names them. */
const partsOfPage = ['common', 'composer']
const partsOfChat = ['thread', 'lists', 'messages', 'controls']

export function firstParts(): Plugin {
  return {
    name: 'atrium-first-parts',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        // The development server has no such files.
        if (!bundle) return html
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const addressOf = (name: string): string => {
          const chunk = chunks.find((one) => one.name === name)
          if (!chunk) throw new Error(`There is no chunk ${name}.`)
          return `/${chunk.fileName}`
        }
        const listOf = (names: readonly string[]): string => names.map(addressOf).join(' ')
        return html.replace(
          '<script src="/early.js"',
          `<script src="/early.js" data-parts="${listOf(partsOfPage)}" data-chat-parts="${listOf(partsOfChat)}"`,
        )
      },
    },
  }
}
