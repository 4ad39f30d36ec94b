import type { ServerContent, ServerKind } from './kind.ts'

/**
 * A kind of servers that is loaded with the first question to one of them: the library that it stands on would take some
 * thirty megabytes of every server, whether it has tool servers or not.
 */
export const createKindOnUse = (load: () => Promise<ServerKind & { readonly content: ServerContent }>): ServerKind => {
  let loaded: ReturnType<typeof load> | null = null
  const kind = () => (loaded ??= load())
  const content = async () => (await kind()).content
  return {
    discover: async (...asked) => await (await kind()).discover(...asked),
    call: async (...asked) => await (await kind()).call(...asked),
    content: {
      listResources: async (...asked) => await (await content()).listResources(...asked),
      readResource: async (...asked) => await (await content()).readResource(...asked),
      listPrompts: async (...asked) => await (await content()).listPrompts(...asked),
      readPrompt: async (...asked) => await (await content()).readPrompt(...asked),
      complete: async (...asked) => await (await content()).complete(...asked),
    },
    forget: (...of) => void loaded?.then((it) => it.forget(...of)),
    close: async () => await (await loaded)?.close(),
  }
}
