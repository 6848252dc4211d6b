import { firstBytes } from './unpacked-bytes.ts'

export const spreadsheetRemedy = 'it is a spreadsheet, which is not read: save it as CSV'

type Kind = readonly [begins: readonly string[], name: RegExp, remedy: string]

/** Kinds of files that may hold data and are not read: bytes they begin with, ends of their names, and what to do about them. */
const dataKinds: readonly Kind[] = [
  [['7z\xbc\xaf'], /\.7z$/i, 'it is packed by 7-Zip, which is not read: unpack it first'],
  [['Rar!'], /\.rar$/i, 'it is packed by RAR, which is not read: unpack it first'],
  [[], /\.(?:tar|tgz|tar\.\w+)$/i, 'it is a tar archive, which is not read: unpack it first'],
  [['BZh9'], /\.bz2$/i, 'it is packed by bzip2, which is not read: unpack it first, or pack it by gzip'],
  [['\xfd7zXZ'], /\.xz$/i, 'it is packed by xz, which is not read: unpack it first, or pack it by gzip'],
  [['\xd0\xcf\x11\xe0'], /\.(?:xlsx?|ods|numbers)$/i, spreadsheetRemedy],
  [
    ['SQLite format 3'],
    /(?<!\bThumbs)\.(?:db|sqlite3?)$/i,
    'it is a database, which is not read: write its table as CSV'
  ],
  [
    ['\x80\x04\x95', '\x80\x05\x95'],
    /\.(?:pkl|pickle)$/i,
    'it is a pickle of Python, which is not read: write it as CSV'
  ],
  [['\x89HDF'], /\.(?:h5|hdf5?)$/i, 'it is HDF5, which is not read: write it as CSV or Parquet'],
  [['Obj\x01'], /\.avro$/i, 'it is Avro, which is not read: write it as CSV or Parquet'],
  [[], /\.orc$/i, 'it is ORC, which is not read: write it as CSV or Parquet']
]

const kinds: readonly Kind[] = [
  ...dataKinds,
  [['%PDF'], /\.pdf$/i, 'it is a PDF and no table'],
  [
    ['<!doctype html', '<html', '<table'],
    /\.html?$/i,
    'it is a web page and no table, as after a failed download: save its table as CSV'
  ]
]

/** Ends of the names of files that may hold data and are not read. In a folder they are named and not passed over. */
export const unreadDataName = new RegExp(dataKinds.map(([, { source }]) => source).join('|'), 'i')

/** Advice for a file of a kind that is not read; undefined for others. */
export async function remedyFor(path: string): Promise<string | undefined> {
  const bytes = await firstBytes(path, 64).catch(() => Buffer.alloc(0))
  const begin = bytes
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
  const hasBegin = (text: string) => begin.toLowerCase().startsWith(text.toLowerCase())
  // A page that is called a spreadsheet is a page: the bytes of a file say more than its name.
  const begun = kinds.find(([begins]) => begins.some(hasBegin))
  return (begun ?? kinds.find(([, name]) => name.test(path)))?.[2]
}
