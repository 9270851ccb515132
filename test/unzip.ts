const END = 0x06054b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30

/** The files of a zip whose entries are stored as they are, by name (APPNOTE.TXT 4.3). */
export function unzipStored(zip: Buffer): ReadonlyMap<string, Buffer> {
  const end = zip.length - END_BYTES
  if (zip.readUInt32LE(end) !== END) throw new Error('not a zip without a comment')
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt16LE(at + 10) !== 0) throw new Error('an entry is compressed')
    const size = zip.readUInt32LE(at + 20)
    const nameBytes = zip.readUInt16LE(at + 28)
    const local = zip.readUInt32LE(at + 42)
    const name = zip.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes).toString()
    const from = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    files.set(name, zip.subarray(from, from + size))
    at += ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}
