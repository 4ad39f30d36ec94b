/** Twenty people at once: what was said to be done is done, and the audit says so. */
import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { auditRoutes } from '@atrium/contract/audit'
import { documentsRoutes } from '@atrium/contract/documents'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../testing/app.ts'

describe.each(['sqlite', 'postgres'] as const)('what twenty people do at once (%s)', (dialect) => {
  test('is done, answered, and stands in the audit as done, in a chain that holds', async () => {
    const app = await startTestApp({ dialect })
    try {
      const admin = await app.signUpAdmin()
      const people = await Promise.all(Array.from({ length: 20 }, () => app.signUpUser()))
      const made = await Promise.all(
        people.map(async (person) => ({
          person,
          id: (await person.call(accountsRoutes.me, {})).id,
          collection: (await person.call(documentsRoutes.createCollection, { body: { name: 'Shared' } })).id,
        })),
      )
      const begun = await Promise.all(
        made.map(async ({ person, collection }, at) => {
          const principalId = made[(at + 1) % made.length]?.id ?? ''
          const grant = { principalType: 'account', principalId, right: 'read' } as const
          const body = { resourceType: 'collection', resourceId: collection, ...grant } as const
          const tokenBody = { name: 'mine', scopes: ['chat:read' as const] }
          const [granted, token] = await Promise.all([
            person.call(accessRoutes.grant, { body }),
            person.call(apiTokensRoutes.createToken, { body: tokenBody }),
          ])
          return { person, grantId: granted.id, tokenId: token.record.id }
        }),
      )
      await Promise.all(
        begun.flatMap(({ person, grantId, tokenId }) => [
          person.call(accessRoutes.revoke, { params: { id: grantId } }),
          person.call(apiTokensRoutes.revokeToken, { params: { id: tokenId } }),
        ]),
      )
      const { items } = await admin.call(auditRoutes.list, { query: { limit: 500 } })
      for (const action of ['grant.create', 'grant.delete', 'token.create', 'token.revoke'] as const)
        expect(items.filter((entry) => entry.action === action).map(({ result }) => result)).toEqual(
          Array.from({ length: 20 }, () => 'success'),
        )
      for (const { person } of begun)
        expect((await person.call(apiTokensRoutes.tokens, { query: {} })).items).toMatchObject([
          { revokedAt: expect.any(String) },
        ])
      expect(await admin.call(auditRoutes.check, {})).toMatchObject({ brokenAt: null, nextSeq: null })
    } finally {
      await app.close()
    }
  })
})
