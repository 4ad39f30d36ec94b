import { toolServersRoutes } from '@atrium/contract/tool-servers'
import { expect, test } from 'vitest'
import { isHeaderName } from './header-name.ts'
import { serverTemplates } from './templates.ts'

test.each(serverTemplates)(
  '$name can be registered as its template says',
  ({ name, baseUrl, authMode, authHeader }) => {
    const body = { name, kind: 'mcp', baseUrl, authMode, authHeader }
    expect(toolServersRoutes.addServer.body.safeParse(body).error).toBeUndefined()
    expect(authMode !== 'header' || isHeaderName(authHeader ?? '')).toBe(true)
  },
)
