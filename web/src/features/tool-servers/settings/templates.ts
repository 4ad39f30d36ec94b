/** Servers that many people register, with the way in that they take. Their names are names, and the same in every language. */
import type { ToolServerAuth } from '@atrium/contract/tool-servers'

export interface ServerTemplate {
  readonly name: string
  readonly baseUrl: string
  readonly authMode: ToolServerAuth
  readonly authHeader?: string
}

export const serverTemplates: readonly ServerTemplate[] = [
  { name: 'Context7', baseUrl: 'https://mcp.context7.com/mcp', authMode: 'header', authHeader: 'CONTEXT7_API_KEY' },
  { name: 'DeepWiki', baseUrl: 'https://mcp.deepwiki.com/mcp', authMode: 'none' },
  { name: 'GitHub', baseUrl: 'https://api.githubcopilot.com/mcp/', authMode: 'bearer' },
  { name: 'Hugging Face', baseUrl: 'https://huggingface.co/mcp', authMode: 'bearer' },
  { name: 'Microsoft Learn', baseUrl: 'https://learn.microsoft.com/api/mcp', authMode: 'none' },
]
