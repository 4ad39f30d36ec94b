/** Scripts as they stand in a page. Pure. */

/** So that nothing in it ends the element that it stands in. In strings and patterns it means the same. */
export const inScript = (code: string): string => code.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--')

/** A text as an expression of a script. */
export const literalOf = (text: string): string => JSON.stringify(text).replace(/</g, '\\u003c')

/** A function `require` that knows the packages of these imports; `values` are expressions. */
export const requireOf = (values: ReadonlyMap<string, string>): string => {
  const known = [...values].map(([name, value]) => `${literalOf(name)}: () => (${value})`).join(', ')
  return `((known) => (name) => {
  if (!Object.hasOwn(known, name)) throw new Error('“' + name + '” is not among the libraries of previews.')
  return known[name]()
})({ ${known} })`
}
