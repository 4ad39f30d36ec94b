/** GitHub as far as a sign-in goes, for tests: its forms of requests and answers over real HTTP. */
import { createHash, randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface GithubUser {
  readonly id: number
  readonly login: string
  readonly emails: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[]
}

export interface GithubServer {
  readonly url: string
  readonly place: string
  readonly clientId: string
  readonly clientSecret: string
  signInAs(user: GithubUser): void
  close(): Promise<void>
}

export const startGithub = async (): Promise<GithubServer> => {
  const clientId = 'Iv1.atrium'
  const clientSecret = randomUUID()
  const codes = new Map<string, { challenge: string; redirect: string; user: GithubUser }>()
  const tokens = new Map<string, GithubUser>()
  let person: GithubUser | null = null

  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
  }
  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const known = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      form.get('client_id') === clientId &&
      form.get('client_secret') === clientSecret &&
      known?.challenge === challenge &&
      known.redirect === form.get('redirect_uri')
    // GitHub says what is wrong with a status that says that nothing is.
    if (!isRight || !known)
      return json(response, 200, { error: 'bad_verification_code', error_description: 'Expired.' })
    const token = `gho_${randomUUID()}`
    tokens.set(token, known.user)
    json(response, 200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const user = tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''))
    if (url.pathname === '/login/oauth/authorize' && person) {
      const code = randomUUID()
      const redirect = url.searchParams.get('redirect_uri') ?? ''
      codes.set(code, { challenge: url.searchParams.get('code_challenge') ?? '', redirect, user: person })
      const back = new URL(redirect)
      back.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }).toString()
      response.writeHead(302, { location: back.href }).end()
    } else if (url.pathname === '/login/oauth/access_token') void exchange(request, response)
    else if (!user || !request.headers['user-agent']) json(response, 401, { message: 'Bad credentials' })
    else if (url.pathname === '/user')
      json(response, 200, { id: user.id, login: user.login, email: null, type: 'User' })
    else if (url.pathname === '/user/emails')
      json(
        response,
        200,
        user.emails.map((each) => ({ ...each, visibility: each.primary ? 'private' : null })),
      )
    else json(response, 404, { message: 'Not Found' })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${place}`,
    place,
    clientId,
    clientSecret,
    signInAs(user) {
      person = user
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
