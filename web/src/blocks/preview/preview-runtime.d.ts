/** Where the libraries are that previews may use; made by `preview-runtime-plugin.ts`. */
declare module 'virtual:preview-runtime' {
  export const addresses: Readonly<Record<string, string>>
}
