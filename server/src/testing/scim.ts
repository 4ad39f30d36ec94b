/** A directory as the other side of SCIM: what it sends, byte for byte, and what it gets. */
export interface ScimAnswer {
  readonly status: number
  readonly type: string | null
  readonly headers: Headers
  readonly body: {
    readonly id: string
    readonly meta: { readonly version: string; readonly location: string }
    readonly [name: string]: unknown
  }
}

export interface TestDirectory {
  readonly token: string | undefined
  get(path: string): Promise<ScimAnswer>
  post(path: string, body: object): Promise<ScimAnswer>
  put(path: string, body: object): Promise<ScimAnswer>
  patch(path: string, operations: readonly object[], headers?: Record<string, string>): Promise<ScimAnswer>
  delete(path: string): Promise<ScimAnswer>
}

export const createDirectory = (url: string, token: string | undefined): TestDirectory => {
  const send = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const { status, headers } = response
    return {
      status,
      headers,
      type: headers.get('content-type'),
      body: text === '' ? {} : JSON.parse(text),
    } as ScimAnswer
  }
  return {
    token,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    patch: (path, Operations, headers) =>
      send('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }, headers),
    delete: (path) => send('DELETE', path),
  }
}
