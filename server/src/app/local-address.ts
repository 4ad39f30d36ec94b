/** Where the server is for programs on its own machine: `HOST` may be an address that means all addresses. */
export const localAddress = ({ host, port }: { readonly host: string; readonly port: number }): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${reachable}:${port}`
}
