/** The requests of two directories in the order in which their documentation shows them, as they write them. */
import { scimRoutes } from '@atrium/contract/scim'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { createDirectory, type TestDirectory } from '../../testing/scim.ts'
import { usualDialects } from '../../testing/databases.ts'

describe.each(usualDialects)('provisioning (%s)', (dialect) => {
  let app: TestApp
  let directory: TestDirectory
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    const admin = await app.signUpAdmin()
    directory = createDirectory(app.url, (await admin.call(scimRoutes.createToken, { body: { name: 'Flow' } })).token)
  })
  afterAll(() => app?.close())
  const filter = (text: string) => encodeURIComponent(text)

  test('as Microsoft Entra ID does it: test, match, create, update, disable, delete, groups', async () => {
    // The test of the connection looks for somebody who cannot exist.
    const nobody = await directory.get(`/Users?filter=${filter('userName eq "non-existent-user-5f3f0d4e"')}`)
    expect(nobody).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } })
    const created = await directory.post('/Users', {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      ],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_ab6490ee@testuser.com',
      active: true,
      displayName: 'lennay',
      emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'bob' },
    })
    expect(created.status).toBe(201)
    const path = `/Users/${created.body.id}`
    expect((await directory.get(`${path}?aadOptscim062020=1`)).body).toMatchObject({
      userName: 'Test_User_ab6490ee@testuser.com',
    })
    const changed = await directory.patch(path, [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@testuser.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', value: 'x' },
    ])
    expect(changed.body).toMatchObject({
      emails: [{ value: 'updatedEmail@testuser.com' }],
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
    })
    // Several attributes at once come without a path, with paths for names.
    const several = await directory.patch(path, [
      {
        op: 'replace',
        value: {
          displayName: 'Lennay F.',
          'name.givenName': 'Lennay',
          'emails[type eq "work"].value': 'len@testuser.com',
        },
      },
    ])
    expect(several.body).toMatchObject({
      displayName: 'Lennay F.',
      name: { givenName: 'Lennay' },
      emails: [{ value: 'len@testuser.com' }],
    })
    const renamed = await directory.patch(path, [{ op: 'Replace', path: 'userName', value: 'renamed@testuser.com' }])
    expect(renamed.body.userName).toBe('renamed@testuser.com')

    const group = await directory.post('/Groups', {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:Group',
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: `displayName-${dialect}`,
      members: [],
      meta: { resourceType: 'Group' },
    })
    expect(group.status).toBe(201)
    const groupPath = `/Groups/${group.body.id}`
    expect((await directory.get(`${groupPath}?excludedAttributes=members`)).body).not.toHaveProperty('members')
    const member = { $ref: null, value: created.body.id }
    expect(
      (await directory.patch(groupPath, [{ op: 'Add', path: 'members', value: [member] }])).body.members,
    ).toHaveLength(1)
    const isMember = `id eq "${group.body.id}" and members eq "${created.body.id}"`
    expect((await directory.get(`/Groups?filter=${filter(isMember)}`)).body.totalResults).toBe(1)
    expect(
      (await directory.patch(groupPath, [{ op: 'Remove', path: 'members', value: [member] }])).body.members,
    ).toEqual([])

    const disabled = await directory.patch(path, [{ op: 'Replace', path: 'active', value: 'False' }])
    expect(disabled.body.active).toBe(false)
    expect((await directory.delete(groupPath)).status).toBe(204)
    expect((await directory.delete(path)).status).toBe(204)
    expect((await directory.get(path)).status).toBe(404)
  })

  test('as Okta does it: look, create, read, replace, disable, enable, push a group', async () => {
    const look = await directory.get(
      `/Users?filter=${filter('userName eq "test.user@okta.local"')}&startIndex=1&count=100`,
    )
    expect(look.body).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0 })
    const person = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    const created = await directory.post('/Users', person)
    expect(created.status).toBe(201)
    expect(JSON.stringify(created.body)).not.toContain('1mz050nq')
    const path = `/Users/${created.body.id}`
    expect((await directory.get(path)).status).toBe(200)
    const replaced = await directory.put(path, {
      ...person,
      id: created.body.id,
      name: { givenName: 'Another', middleName: '', familyName: 'User' },
      meta: { resourceType: 'User' },
    })
    expect(replaced.body).toMatchObject({ name: { givenName: 'Another', familyName: 'User' } })
    for (const active of [false, true])
      expect((await directory.patch(path, [{ op: 'replace', value: { active } }])).body).toMatchObject({ active })

    const pushed = await directory.post('/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: `Test SCIMv2 ${dialect}`,
      members: [],
    })
    const groupPath = `/Groups/${pushed.body.id}`
    const renamed = await directory.patch(groupPath, [
      { op: 'replace', value: { id: pushed.body.id, displayName: `Test SCIMv2 ${dialect} 2` } },
    ])
    expect(renamed.body.displayName).toBe(`Test SCIMv2 ${dialect} 2`)
    const member = { value: created.body.id, display: 'test.user@okta.local' }
    const filled = await directory.patch(groupPath, [
      { op: 'remove', path: 'members[value eq "23a35c27-23d3-4c03-b4c5-6443c09e7173"]' },
      { op: 'add', path: 'members', value: [member] },
    ])
    expect(filled.body.members).toMatchObject([{ value: created.body.id }])
    const groups = await directory.get('/Groups?startIndex=1&count=100')
    expect(groups.body).toMatchObject({ totalResults: 1 })
    expect((await directory.delete(groupPath)).status).toBe(204)
    const off = await directory.put(path, { ...person, active: false })
    expect(off.body.active).toBe(false)
  })
})
