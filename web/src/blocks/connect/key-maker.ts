/** Whose an API key is, as far as its shape tells. Pure. */

/**
 * The prefixes that makers put before their keys, with the id of the definition that comes with Atrium; the longer ones
 * first, as some begin with another one. Makers whose keys have no prefix (Mistral, Cohere, Azure) cannot be told.
 */
const prefixes: readonly (readonly [RegExp, string])[] = [
  [/^sk-ant-/, 'anthropic'],
  [/^sk-or-/, 'openrouter'],
  [/^sk-kimi-/, 'kimi-code'],
  [/^sk-(proj|svcacct|admin|None)-/, 'openai'],
  [/^gsk_/, 'groq'],
  [/^AIza[\w-]{30}/, 'gemini'],
  [/^AQ\.[\w-]{20}/, 'gemini'],
  [/^xai-/, 'xai'],
  [/^hf_/, 'huggingface'],
  [/^pplx-/, 'perplexity'],
  [/^fw_/, 'fireworks'],
  [/^tgp_/, 'together'],
  [/^(ghp|github_pat)_/, 'github'],
  [/^(ABSK|bedrock-api-key-)/, 'bedrock'],
  // Several makers write plain `sk-`; one of them always with 32 hex digits behind it.
  [/^sk-[0-9a-f]{32}$/, 'deepseek'],
  [/^sk-/, 'openai'],
]

/** The id of the provider that makes keys of this shape; null where none is known for it. */
export function makerOfKey(key: string): string | null {
  const typed = key.trim()
  return prefixes.find(([shape]) => shape.test(typed))?.[1] ?? null
}
