import { isMonthlyOpex } from './calendar.ts'
import type { Settlement } from './clock.ts'
import { currentName } from './renames.ts'
import { shareSpelling } from './share-class.ts'
import { type IsoDate, parseTicker, type Ticker } from './units.ts'

export type SecurityKind = 'equity' | 'etf' | 'index'

/** Symbols that the published API specification names as indexes, in its order. */
export const specificationIndexes: readonly string[] = words`
  SPX VIX RUT DJX DJI OEX XSP XEO SPXW MRUT MNX VVIX RVX VXST VXEEM GVZ OVX TYVIX SRVIX SKEW BSZ BVZ TNX TYX FVX IRX
  MXEA MXEF`

/**
 * Index symbols that the specification does not name: other option roots, volatility and sector indexes of the US
 * exchanges.
 */
const furtherIndexes = words`
  NDX NDXP NQX XND VIXW RUTW RUI RLV RLG SPXPM MXACW MXUSA MXWLD CBTX MBTX
  VIX1D VIX9D VIX3M VIX6M VIX1Y VXN VXD VXO VXMT VXEFA VXGDX VXSLV VXTLT VXAPL VXAZN VXGOG VXGS VXIBM
  DSPX COR1M COR3M SPXEW NYA IXIC DJIA DJT DJU SOX OSX XAU BKX HGX UTY`

/** Exchange-traded funds and notes with listed options in the United States: those in common use, in groups. */
const etfGroups: Record<string, readonly string[]> = {
  broad: words`
    SPY VOO IVV SPLG SPYM RSP QQQ QQQM QQQJ QQEW ONEQ IWM IWB IWV IWR DIA MDY IJH IJR VTI ITOT VB VO VV VT VXF SCHA SCHB
    SCHM SCHX SPSM SPMD SPTM OEF ACWI MGC EQAL NTSX DFAC DFAS AVUV`,
  style: words`
    IWF IWD IWN IWO IWP IWS IVE IVW IJK IJS IJT IJJ VUG VTV VBR VBK VOE VOT MGK MGV SPYG SPYV SCHG SCHV RPV RPG USMV
    MTUM QUAL VLUE SIZE SPLV SPHB SPHD SPHQ SPMO XMMO MOAT COWZ CALF PKW BUZZ ESGU OMFL FV`,
  dividend: words`
    DVY HDV DGRO VIG VYM SCHD SDY SPYD NOBL FDL DLN DHS DON DES DTD DGRW RDVY PEY DIV SDIV DIVO JEPI JEPQ QYLD XYLD RYLD
    SPYI QQQI SVOL TSLY NVDY CONY MSTY AMZY APLY YMAX YMAG ULTY XDTE QDTE TLTW IDV DEM VIGI VYMI`,
  sector: words`
    XLK XLF XLE XLV XLI XLY XLP XLU XLB XLRE XLC VGT VFH VDE VHT VIS VCR VDC VPU VAW VOX VNQ FTEC FENY FNCL FHLC IYW IYF
    IYE IYH IYJ IYC IYK IDU IYM IYZ IYR IYT FXD FXG FXH FXL FXN FXO FXR FXU FXZ IXN IXC IXG IXJ MXI RXI KXI EXI JXI`,
  industry: words`
    SMH SOXX SOXQ XSD PSI FTXL IGV IGM IGE XSW FDN SKYY CIBR HACK BUG WCLD CLOU KRE KBE KIE KCE KBWB KBWY IAI IAK IAT
    XBI IBB BBH PPH IHE IHI IHF XPH XHE XHS ITB XHB XRT RTH ONLN IBUY ITA PPA XAR SHLD JETS AWAY XTN XOP XES OIH IEO IEZ
    PXE AMLP MLPX MLPA AMJ AMJB XME PICK COPX GNR SLX REMX GDX GDXJ RING SIL SILJ SLVP MOO WOOD CUT PHO PAVE IFRA IGF
    NFRA REM REZ RWR RWX ICF USRT REET SCHH SRVR PEJ PBJ BJK CARZ DRIV GRID AIRR`,
  theme: words`
    ARKK ARKW ARKG ARKF ARKQ ARKX PRNT IZRL BOTZ ROBO IRBO AIQ THNQ QTUM XT BLOK DAPP BITQ BKCH WGMI ESPO HERO SOCL FINX
    IPAY SNSR EDOC UFO ROKT TAN ICLN PBW QCLN FAN ACES LIT BATT KARS URA URNM URNJ NLR NUKZ HYDR MJ MSOS YOLO MAGS MEME
    BETZ IPO FPX GURU PSP BIZD KRBN GRN`,
  foreign: words`
    EFA EFV EFG IEFA VEA SCHF SPDW SCZ IXUS VXUS CWI EEM IEMG VWO SCHE SPEM EEMV FEZ EZU VGK IEUR HEDJ VPL AAXJ AIA ILF
    FXI MCHI ASHR GXC KWEB CQQQ CHIQ EMQQ KBA EWJ DXJ HEWJ BBJP DFJ EWZ FLBR EWG EWU EWY EWT EWH EWA EWC EWW EWP EWI EWQ
    EWL EWD EWS EWM EWN EWK EWO EZA INDA INDY EPI PIN SMIN EPOL EPHE EIDO IDX THD TUR ECH EPU ARGT GREK EIS KSA QAT UAE
    NORW ENZL EDEN EFNL EIRL VNM AFK FM RSX ERUS GVAL AVDV`,
  bonds: words`
    TLT IEF SHY IEI TLH GOVT BIL SGOV SHV USFR TFLO EDV ZROZ SPTL SPTS SPTI SCHO SCHR SCHP SCHZ VGIT VGSH VGLT AGG BND
    BNDX BSV BIV BLV LQD VCIT VCSH VCLT IGSB IGIB IGLB HYG JNK USHY HYLB SJNK SHYG ANGL FALN EMB PCY EMLC MUB HYD VTEB
    TIP STIP VTIP MBB VMBS FLOT FLRN BKLN SRLN JAAA MINT JPST NEAR PFF PGX PGF CWB ICVT TOTL BOND`,
  commodities: words`
    GLD IAU GLDM IAUM SGOL BAR OUNZ AAAU SLV SIVR PPLT PALL GLTR DBC PDBC GSG COMT DBA DBB DBE DBO DBP DBS BCI USO BNO
    USL UNG UNL UGA CORN WEAT SOYB CANE CPER JJC`,
  currencies: words`UUP UDN FXE FXY FXB FXA FXC FXF FXS CYB CEW`,
  crypto: words`
    IBIT FBTC ARKB BITB HODL BTCO BRRR EZBC BTCW DEFI GBTC BTC BITO BITI BITX BITU SBIT BITS BTF MAXI ETHA FETH ETHE ETH
    ETHW ETHV CETH EZET QETH ETHU ETHT ETHD EETH AETH SOLZ SOLT BSOL GSOL XXRP XRPI`,
  volatility: words`VXX VXZ VIXY VIXM UVXY SVXY UVIX SVIX`,
  leveraged: words`
    SSO UPRO SPXL SPUU SDS SPXU SPXS SH QLD TQQQ QID SQQQ PSQ DDM UDOW DXD SDOW DOG UWM URTY TNA TWM SRTY TZA RWM MVV
    UMDD MIDU SAA SOXL SOXS USD SSG TECL TECS ROM REW FNGU FNGD FNGO FNGS BULZ BERZ WEBL WEBS FAS FAZ UYG SKF DPST BNKU
    LABU LABD BIB BIS CURE RXL ERX ERY DIG DUG GUSH DRIP NRGU NRGD UYM SMN NUGT DUST JNUG JDST GDXU GDXD DRN DRV URE SRS
    NAIL RETL DFEN UTSL UPW DUSL TPOR HIBL HIBS WANT PILL CHAU YINN YANG CWEB XPP FXP EDC EDZ EUM EEV EURL EPV EFZ INDL
    BRZU KORU MEXX TMF TMV TBT TBF UBT TTT TYD TYO PST UST UCO SCO BOIL KOLD UGL GLL AGQ ZSL EUO YCS ULE YCL TARK SARK
    TSLL TSLQ TSLS TSLT TSLZ TSLR NVDL NVDU NVDD NVDQ NVDX NVDS AAPU AAPD AMZU AMZD AMZZ MSFU MSFD MSFX GGLL GGLS METU
    METD FBL AMDL AMUU MUU MULL MSTU MSTX MSTZ SMST CONL SMCX SMCL PLTU PLTD PTIR BABX AVL AVGX TSMX TSMU ROBN`
}

const indexes: ReadonlySet<string> = new Set([...specificationIndexes, ...furtherIndexes])
const etfs: ReadonlySet<string> = new Set(Object.values(etfGroups).flat())

/**
 * The kind of a symbol, from lists in this file; a symbol on no list counts as an equity. A caret in front marks an
 * index (^GSPC), as some data vendors write them.
 */
export function securityKind(ticker: string): SecurityKind {
  if (ticker.startsWith('^') || indexes.has(ticker)) return 'index'
  return etfs.has(ticker) ? 'etf' : 'equity'
}

/** Indexes of implied volatility on which options are or were listed. */
const volatilityIndexes: ReadonlySet<string> = new Set(
  words`VIX VIXW VXST VXN RVX OVX GVZ VXEEM VXEWZ VXAPL VXAZN VXGOG`
)

/** Whether a symbol is an index of implied volatility, which nobody can buy and hold. */
export function isVolatilityIndex(symbol: string): boolean {
  return volatilityIndexes.has(symbol)
}

/** European options may be exercised on their last day only, American ones on any day. */
export type ExerciseStyle = 'european' | 'american'

/** The only index with American options; its European series are listed as XEO. */
const americanIndexes: ReadonlySet<string> = new Set(words`OEX`)

/**
 * Exercise style of the options on a symbol: European on indexes, American on stocks and funds. Source: contract
 * specifications of Cboe and Nasdaq; The Options Clearing Corporation, Characteristics and Risks of Standardized
 * Options.
 */
export function exerciseStyle(symbol: string): ExerciseStyle {
  return securityKind(symbol) === 'index' && !americanIndexes.has(symbol) ? 'european' : 'american'
}

/** Prefixes that other services put before an index symbol: ^SPX, .SPX, $SPX and I:SPX. */
const indexMark = /^([\^.$]|I:)/i

/**
 * Exchanges and markets that other services write around a symbol: NASDAQ:AAPL, NYSE.KO, XNYS:KO, US.AAPL; AAPL.US, KO-US,
 * KO:US, KO:NYQ, AAPL US Equity, KO (NYSE). Markets abroad are left: KO.DE is another share, in another currency.
 */
const exchange =
  /^(?:(?:NASDAQ(?:[GC][SM])?|NYSE(?:ARCA|AMERICAN|MKT)?|NYS|NAS|AMEX|ARCA|BATS|CBOE|XNYS|XNAS|XNMS|ARCX|XASE|OPRA|SP|TVC|DJ|US|INDEX[A-Z]*):|(?:NASDAQ|NYSE|NYSEARCA|AMEX|ARCA|US)\.)(?=[\^.$]?[A-Z])/i
const market =
  /(?<=[A-Z])(?:[.:-]US|[ :]U[SNWQAPRF]| (?:US |U[NWQAPRF] )?(?:EQUITY|INDEX)|:(?:NYQ|NSQ|NMQ|PCQ)|[.:](?:NYSE|NASDAQ|AMEX|ARCA|BATS|XNYS|XNAS|ARCX|XASE)| \((?:NYSE|NASDAQ|AMEX|NYSE ?ARCA|BATS)\))$/i
/** Ends of an index symbol at brokers: SPX.X, SPX.XO, SPX.IND. */
const indexEnd = /\.(?:XO?|IND)$/i
/**
 * Exchange codes of Reuters after a symbol: KO.N, AAPL.OQ, BRKb.N, CBOE.Z. No class of shares has one of these letters. A P
 * is read by `withoutReuters`, because it also marks preferred shares.
 */
const reuters = /(?<=[A-Z])\.(?:N|O|OQ|K|Z|PK|OB)$/i

function withoutReuters(text: string): string {
  const fund = text.replace(/\.P$/i, '')
  return etfs.has(fund.toUpperCase()) ? fund : text.replace(reuters, '')
}

/**
 * Numbers of securities, which name no chain: an ISIN (US0378331005), a CUSIP (037833100), a SEDOL (B4BNMY3), a FIGI
 * (BBG000B9XRY4). They are longer than a symbol with so many digits is.
 */
const securityNumber =
  /^(?:[A-Z]{2}[A-Z0-9]{9}[0-9]|BBG[A-Z0-9]{8}[0-9A-Z]|(?=(?:[A-Z]*[0-9]){4})[A-Z0-9]{8}[0-9]|(?=[A-Z]*[0-9][A-Z]*[0-9])[0-9B-DF-HJ-NP-TV-Z]{6}[0-9])$/i

/** Whether a text is the number of a security rather than its symbol. */
export function isSecurityNumber(text: string): boolean {
  return securityNumber.test(text.trim())
}

/**
 * Parses a symbol as people write it: known indexes with the marks of other services, symbols with the name of an exchange
 * or market, every spelling of a class of shares (see `shareSpelling`), and old names of companies (see `currentName`).
 * All parts of the program that receive symbols read them by this function.
 */
export function readSymbol(text: string): Ticker | undefined {
  const symbol = symbolFrom(text)
  // KO N and SPX X are no classes of shares: read once more, they would be KO and SPX.
  return symbol !== undefined && symbolFrom(symbol) === symbol ? symbol : undefined
}

function symbolFrom(text: string): Ticker | undefined {
  if (isSecurityNumber(text)) return undefined
  const bare = withoutReuters(text.trim().replace(exchange, '').replace(market, ''))
  const unmarked = parseTicker(bare.replace(indexMark, '').replace(indexEnd, ''))
  if (unmarked !== undefined && indexes.has(unmarked)) return unmarked
  const ticker = parseTicker(shareSpelling(bare))
  return ticker && currentName(ticker)
}

/** Reads symbols separated by commas by `readSymbol`. Texts that cannot be symbols stay, trimmed and in upper case. */
export function symbolsIn(list: string): readonly string[] {
  return list.split(',').map((name) => readSymbol(name) ?? name.trim().toUpperCase())
}

/** Reads a symbol as `readSymbol` does, and a weekly root as its index, under which an archive keeps it. */
export function readChainSymbol(text: string): Ticker | undefined {
  const symbol = readSymbol(text)
  return symbol && (parentOfRoot(symbol) ?? symbol)
}

/** The symbol whose chain lists a root: SPX for SPXW, BRK.B for BRKB, META for FB. The root itself for most. */
export function symbolOfRoot(root: string): Ticker {
  return parentOfRoot(root) ?? currentName(shareSpelling(root) as Ticker)
}

/** Indexes whose options trade at night as well. Source: Cboe Options Rule 5.1, global trading hours. */
const nightIndexes: ReadonlySet<string> = new Set(words`SPX SPXW VIX VIXW XSP`)

/** Whether options on a symbol trade in global trading hours, from 20:15 to 09:25 New York. */
export function hasGlobalHours(symbol: string): boolean {
  return nightIndexes.has(symbol)
}

/** Indexes whose options are listed under several roots: the standard monthly series first, then the weekly ones. */
const rootsOfIndex: Record<string, readonly string[]> = {
  SPX: ['SPX', 'SPXW'],
  NDX: ['NDX', 'NDXP'],
  RUT: ['RUT', 'RUTW'],
  VIX: ['VIX', 'VIXW']
}

/** The option roots that make up the chain of a symbol. A weekly root that is used as a symbol has only itself. */
export function rootsOf(symbol: string): readonly string[] {
  return Object.hasOwn(rootsOfIndex, symbol) ? rootsOfIndex[symbol] : [symbol]
}

const parents: ReadonlyMap<string, Ticker> = new Map(
  Object.entries(rootsOfIndex).flatMap(([symbol, roots]) =>
    roots.filter((root) => root !== symbol).map((root) => [root, symbol as Ticker] as const)
  )
)

/** The index whose chain includes a weekly root: SPX for SPXW. Undefined for a root that is itself a symbol. */
export function parentOfRoot(root: string): Ticker | undefined {
  return parents.get(root)
}

/** Roots settled on opening prices at every expiration; PM-settled series of these indexes have other roots. */
const amRoots: ReadonlySet<string> = new Set(words`SPX NDX RUT VIX VIXW RVX MNX RUI RLV RLG`)

/**
 * Roots settled on opening prices at the monthly expiration only; their other expirations share the root and are PM.
 */
const amMonthlyRoots: ReadonlySet<string> = new Set(words`DJX`)

/**
 * Which prices settle the contracts of an option root at an expiration. PM: equities, ETFs, SPXW, NDXP, RUTW, XSP,
 * MRUT, XND, OEX, XEO, MXEA, MXEF. AM: the standard series of the large indexes, and every series on the VIX. Source:
 * Cboe Options Rule 4.13 and the contract specifications of Cboe and Nasdaq.
 */
export function settlementOf(root: string, expiration: IsoDate): Settlement {
  return amRoots.has(root) || (amMonthlyRoots.has(root) && isMonthlyOpex(expiration)) ? 'am' : 'pm'
}

function words(text: TemplateStringsArray): readonly string[] {
  return text[0].trim().split(/\s+/)
}
