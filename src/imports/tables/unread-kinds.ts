import { firstBytes } from './unpacked-bytes.ts'

export const spreadsheetRemedy = 'it is a spreadsheet, which is not read: save it as CSV'

/** Kinds of files that are not read: bytes they begin with, ends of their names, and what to do about them. */
const kinds: readonly (readonly [begins: readonly string[], name: RegExp, remedy: string])[] = [
  [['7z\xbc\xaf'], /\.7z$/i, 'it is packed by 7-Zip, which is not read: unpack it first'],
  [['Rar!'], /\.rar$/i, 'it is packed by RAR, which is not read: unpack it first'],
  [[], /\.(?:tar|tgz|tar\.\w+)$/i, 'it is a tar archive, which is not read: unpack it first'],
  [['\xd0\xcf\x11\xe0'], /\.(?:xlsx?|ods|numbers)$/i, spreadsheetRemedy],
  [['SQLite format 3'], /\.(?:db|sqlite3?)$/i, 'it is a database, which is not read: write its table as CSV'],
  [
    ['\x80\x04\x95', '\x80\x05\x95'],
    /\.(?:pkl|pickle)$/i,
    'it is a pickle of Python, which is not read: write it as CSV'
  ],
  [['\x89HDF'], /\.(?:h5|hdf5?)$/i, 'it is HDF5, which is not read: write it as CSV or Parquet'],
  [['%PDF'], /\.pdf$/i, 'it is a PDF and no table'],
  [['<!doctype html', '<html'], /\.html?$/i, 'it is a web page and no table, as after a failed download']
]

/** Advice for a file of a kind that is not read; undefined for others. */
export async function remedyFor(path: string): Promise<string | undefined> {
  const bytes = await firstBytes(path, 64).catch(() => Buffer.alloc(0))
  const begin = bytes
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
  const hasBegin = (text: string) => begin.toLowerCase().startsWith(text.toLowerCase())
  return kinds.find(([begins, name]) => name.test(path) || begins.some(hasBegin))?.[2]
}
