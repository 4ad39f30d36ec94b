/** Ready-made lines for a terminal. Pure. */

export type SnippetName = 'curl' | 'openai' | 'anthropic'

export interface Snippet {
  readonly name: SnippetName
  readonly text: string
}

/** `origin`: where the instance is reached, without a slash at the end. Without `/v1` there is only whom to ask. */
export function snippetsFor(origin: string, token: string, mayInfer: boolean): Snippet[] {
  const bearer = `-H "Authorization: Bearer ${token}"`
  if (!mayInfer) return [{ name: 'curl', text: `curl ${origin}/api/auth/me \\\n  ${bearer}` }]
  return [
    { name: 'curl', text: `curl ${origin}/v1/models \\\n  ${bearer}` },
    { name: 'openai', text: `export OPENAI_BASE_URL="${origin}/v1"\nexport OPENAI_API_KEY="${token}"` },
    // These clients add `/v1` themselves.
    { name: 'anthropic', text: `export ANTHROPIC_BASE_URL="${origin}"\nexport ANTHROPIC_API_KEY="${token}"` },
  ]
}
