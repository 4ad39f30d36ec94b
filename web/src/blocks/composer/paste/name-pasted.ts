/** A pasted picture has no name of its own. */
export function namePasted(file: File): File {
  if (file.name && !/^image\.\w+$/.test(file.name)) return file
  const ending = file.type.split('/')[1]?.replace('jpeg', 'jpg') ?? 'bin'
  return new File([file], `pasted-image-${Date.now() % 100_000}.${ending}`, { type: file.type })
}
