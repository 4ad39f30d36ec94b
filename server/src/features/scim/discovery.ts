/** What of SCIM is understood here, RFC 7643 sections 5 to 7. */
import type { scimRoutes } from '@atrium/contract/scim'
import type { Handlers } from '../../platform/http/area.ts'
import { answerJson, groupSchema, mostResults, userSchema } from './responses.ts'

type Names = 'config' | 'resourceTypes' | 'schemas'

export const discoveryHandlers = (base: string): Pick<Handlers<typeof scimRoutes>, Names> => {
  const root = `${base}/scim/v2`
  const list = (resources: readonly object[]) =>
    answerJson({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: resources.length,
      startIndex: 1,
      itemsPerPage: resources.length,
      Resources: resources,
    })
  return {
    config: async () =>
      answerJson({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
        patch: { supported: true },
        bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
        filter: { supported: true, maxResults: mostResults },
        changePassword: { supported: false },
        sort: { supported: false },
        etag: { supported: true },
        authenticationSchemes: [
          {
            type: 'oauthbearertoken',
            name: 'Bearer token',
            primary: true,
            description: 'A token that an administrator creates in the settings.',
          },
        ],
        meta: { resourceType: 'ServiceProviderConfig', location: `${root}/ServiceProviderConfig` },
      }),

    resourceTypes: async () =>
      list(
        [
          { name: 'User', schema: userSchema },
          { name: 'Group', schema: groupSchema },
        ].map(({ name, schema }) => ({
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
          id: name,
          name,
          endpoint: `/${name}s`,
          schema,
          meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${name}` },
        })),
      ),

    schemas: async () =>
      list([schemaOf(root, userSchema, 'User', userAttributes), schemaOf(root, groupSchema, 'Group', groupAttributes)]),
  }
}

const schemaOf = (root: string, id: string, name: string, attributes: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  attributes,
  meta: { resourceType: 'Schema', location: `${root}/Schemas/${id}` },
})

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

const nameParts = ['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix']

const userAttributes = [
  attribute('userName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { caseExact: true }),
  attribute('displayName'),
  attribute('name', { type: 'complex', subAttributes: nameParts.map((part) => attribute(part)) }),
  attribute('active', { type: 'boolean' }),
  attribute('emails', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', { uniqueness: 'server' }),
      attribute('type'),
      attribute('primary', { type: 'boolean' }),
    ],
  }),
]

const groupAttributes = [
  attribute('displayName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { caseExact: true }),
  attribute('members', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', { mutability: 'immutable' }),
      attribute('$ref', { type: 'reference' }),
      attribute('type'),
    ],
  }),
]
