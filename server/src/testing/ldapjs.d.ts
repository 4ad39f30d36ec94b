/** As much of the directory server as tests use; it comes without types. */
declare module 'ldapjs' {
  type Handler = (request: never, response: never, next: never) => void
  interface Server {
    bind(name: string, handler: Handler): void
    search(name: string, handler: Handler): void
    on(event: string, listener: (given: never) => void): void
    listen(port: number, host: string, listening: () => void): void
    address(): { readonly port: number }
    close(closed: () => void): void
  }
  const ldapjs: {
    createServer(options: { readonly key?: string; readonly certificate?: string }): Server
    readonly InvalidCredentialsError: new () => Error
    readonly SizeLimitExceededError: new () => Error
  }
  export default ldapjs
}
